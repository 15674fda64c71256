package sarif

// The objects of SARIF that are written, with the properties that are set. go-sarif has all, and writes those that are
// not known as -1 or null.
type (
	log struct {
		Schema  string `json:"$schema"`
		Version string `json:"version"`
		Runs    []run  `json:"runs"`
	}

	run struct {
		Tool        tool                        `json:"tool"`
		Invocations []invocation                `json:"invocations"`
		Bases       map[string]artifactLocation `json:"originalUriBaseIds"`
		Results     []result                    `json:"results"`
		Properties  runProperties               `json:"properties"`
	}

	// Revisions are no versionControlProvenance: that needs the address of the repository, which a report has not.
	runProperties struct {
		Verdict     string `json:"verdict,omitempty"`
		Module      string `json:"module,omitempty"`
		OldRevision string `json:"oldRevision,omitempty"`
		OldCommit   string `json:"oldCommit,omitempty"`
		NewRevision string `json:"newRevision,omitempty"`
		NewCommit   string `json:"newCommit,omitempty"`
	}

	tool struct {
		Driver driver `json:"driver"`
	}

	driver struct {
		Name    string `json:"name"`
		Version string `json:"version,omitempty"`
		URI     string `json:"informationUri"`
		Rules   []rule `json:"rules"`
	}

	rule struct {
		ID            string        `json:"id"`
		Short         message       `json:"shortDescription"`
		Full          message       `json:"fullDescription"`
		Configuration configuration `json:"defaultConfiguration"`
	}

	configuration struct {
		Level string `json:"level"`
	}

	invocation struct {
		Successful    bool           `json:"executionSuccessful"`
		ExitCode      int            `json:"exitCode"`
		Notifications []notification `json:"toolExecutionNotifications,omitempty"`
	}

	notification struct {
		Level   string  `json:"level"`
		Message message `json:"message"`
	}

	message struct {
		Text string `json:"text"`
	}

	result struct {
		RuleID       string            `json:"ruleId,omitempty"`
		Level        string            `json:"level"`
		Message      message           `json:"message"`
		Locations    []location        `json:"locations,omitempty"`
		CodeFlows    []codeFlow        `json:"codeFlows,omitempty"`
		Related      []location        `json:"relatedLocations,omitempty"`
		Fingerprints map[string]string `json:"partialFingerprints,omitempty"`
		Suppressions []suppression     `json:"suppressions,omitempty"`
		Properties   properties        `json:"properties"`
	}

	suppression struct {
		Kind          string `json:"kind"`
		Status        string `json:"status"`
		Justification string `json:"justification"`
	}

	properties struct {
		Change     string   `json:"change,omitempty"`
		Confidence string   `json:"confidence,omitempty"`
		Reach      string   `json:"reach,omitempty"`
		Sequences  int      `json:"sequences"`
		Drivers    []string `json:"drivers,omitempty"`
		Commits    []string `json:"commits,omitempty"`      // with which it came
		OneOf      []string `json:"oneOfCommits,omitempty"` // likewise, where no more is known
	}

	location struct {
		ID       int               `json:"id,omitempty"`
		Physical *physicalLocation `json:"physicalLocation,omitempty"`
		Logical  []logicalLocation `json:"logicalLocations,omitempty"`
		Message  *message          `json:"message,omitempty"`
	}

	physicalLocation struct {
		Artifact artifactLocation `json:"artifactLocation"`
		Region   *region          `json:"region,omitempty"`
	}

	artifactLocation struct {
		URI         string   `json:"uri,omitempty"`
		Base        string   `json:"uriBaseId,omitempty"`
		Description *message `json:"description,omitempty"`
	}

	region struct {
		First int `json:"startLine"`
		Last  int `json:"endLine,omitempty"`
	}

	logicalLocation struct {
		Name string `json:"fullyQualifiedName"`
	}

	codeFlow struct {
		Threads []threadFlow `json:"threadFlows"`
	}

	threadFlow struct {
		Locations []threadFlowLocation `json:"locations"`
	}

	threadFlowLocation struct {
		Location location `json:"location"`
	}
)
