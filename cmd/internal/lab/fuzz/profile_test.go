package fuzz

import "testing"

// TestProfile: an extent that one of several profiles ran counts once.
func TestProfile(t *testing.T) {
	p := profile{}
	for _, text := range []string{
		"mode: set\nm/a.go:1.10,9.2 3 0\nm/a.go:3.4,5.6 1 1\n", "mode: set\nm/a.go:1.10,9.2 3 2\nm/b.go:1.1,2.2 4 0\n",
		"mode: set\nm/a.go:1.10,9.2 3 0\n",
	} {
		if err := p.read(text); err != nil {
			t.Fatal(err)
		}
	}
	if got := p.share(); got != 0.5 {
		t.Errorf("%.2f of the statements ran, want 4 of 8", got)
	}
	for text, reason := range map[string]string{
		"mode: set\nm/a.go:1.2,3.4\n": "no counts", "m/a.go:1.2,3.4 one 1\n": "no number",
	} {
		if err := (profile{}).read(text); err == nil {
			t.Errorf("%s: no error", reason)
		}
	}
	if got := (profile{}).share(); got != 0 {
		t.Errorf("nothing is %.2f", got)
	}
}
