package report

// Tests says which tests of the module were run. Those that reach the change are among the sequences of Replay.
type Tests struct {
	New      int      `json:"new,omitempty"`      // tests of new that old does not have so, and which were run, too
	Found    int      `json:"found"`              // near the change, that may run
	NotRun   int      `json:"not_run,omitempty"`  // that time was over before, or before a part of them
	Reaching int      `json:"reaching"`           // that run code which the change may touch
	Variants int      `json:"variants"`           // with other values in the place of literals
	Handed   int      `json:"handed,omitempty"`   // calls that begin with what tests handed over
	LeftOut  []string `json:"left_out,omitempty"` // packages, or tests, with the reason
	Early    []Early  `json:"early,omitempty"`    // tests that do not run to their end on old, or fail there
	Unjudged []string `json:"unjudged,omitempty"` // tests that seem to differ, not told from noise in time
	Seconds  float64  `json:"seconds"`
}

// Commands says which commands of the module were run, and with how many command lines.
type Commands struct {
	Names    []string `json:"names"`
	Lines    int      `json:"lines"`    // from the module's documents, scripts and tests, and from what help prints
	Reaching int      `json:"reaching"` // lines and variants that run code which the change may touch
	Variants int      `json:"variants"`
	Seconds  float64  `json:"seconds"`
}

// An Early is a test that, as it is, does not run to its end on old.
type Early struct {
	Test string `json:"test"`           // example.com/m/pkg.TestX/subtest
	Why  string `json:"why"`            // such as "waits for ever"
	Lost bool   `json:"lost,omitempty"` // nothing of it is compared; else it is as far as it runs
}
