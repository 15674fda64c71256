package root

// Heuristic returns the number of the heuristic that led to a root: 1 or 2; 0 = neither.
func (r *Root) Heuristic() int { return r.best.heuristic }
