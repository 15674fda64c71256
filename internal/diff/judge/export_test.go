package judge

// Hold limits how many executions and values are held of sequences that deviate.
func (s *Subject) Hold(nodes int) { s.held = nodes }
