package sequence

// HasRef reports whether v is or holds a reference.
func (v *Value) HasRef() bool {
	if v.Kind == Ref {
		return true
	}
	for i := range v.Elems {
		if v.Elems[i].HasRef() {
			return true
		}
	}
	for i := range v.Fields {
		if v.Fields[i].Value.HasRef() {
			return true
		}
	}
	return false
}

// Replace returns v with every reference in it replaced. It does not change v: sequences share values.
func (v Value) Replace(replace func(ref Value) Value) Value {
	if v.Kind == Ref {
		return replace(v)
	}
	if !v.HasRef() {
		return v
	}
	if len(v.Elems) > 0 {
		v.Elems = replaceAll(v.Elems, replace)
	}
	if len(v.Fields) > 0 {
		fields := make([]Field, len(v.Fields))
		for i, field := range v.Fields {
			fields[i] = Field{Name: field.Name, Value: field.Value.Replace(replace)}
		}
		v.Fields = fields
	}
	return v
}

func replaceAll(values []Value, replace func(Value) Value) []Value {
	replaced := make([]Value, len(values))
	for i := range values {
		replaced[i] = values[i].Replace(replace)
	}
	return replaced
}

// HasRef reports whether an argument is or holds a reference.
func (st *Statement) HasRef() bool {
	for i := range st.Args {
		if st.Args[i].HasRef() {
			return true
		}
	}
	return false
}

// EachRef visits every reference in the arguments.
func (st *Statement) EachRef(visit func(ref *Value)) {
	for i := range st.Args {
		st.Args[i].eachRef(visit)
	}
}

func (v *Value) eachRef(visit func(ref *Value)) {
	if v.Kind == Ref {
		visit(v)
	}
	for i := range v.Elems {
		v.Elems[i].eachRef(visit)
	}
	for i := range v.Fields {
		v.Fields[i].Value.eachRef(visit)
	}
}

// Replace returns st with every reference in its arguments replaced.
func (st Statement) Replace(replace func(ref Value) Value) Statement {
	if st.HasRef() {
		st.Args = replaceAll(st.Args, replace)
	}
	return st
}

// uses reports whether st refers to a marked statement.
func (st *Statement) uses(marked []bool) bool {
	found := false
	st.EachRef(func(ref *Value) { found = found || marked[ref.Statement] })
	return found
}

// without returns s without the marked statements and their dependents.
func without(s Sequence, marked []bool) Sequence {
	moved := make([]int, len(s.Statements))
	var kept []Statement
	for i := range s.Statements {
		if marked[i] || s.Statements[i].uses(marked) {
			marked[i] = true
			continue
		}
		moved[i] = len(kept)
		kept = append(kept, s.Statements[i].Replace(func(ref Value) Value {
			ref.Statement = moved[ref.Statement]
			return ref
		}))
	}
	return Sequence{Statements: kept}
}

// redirect returns s with every reference to a statement replaced.
func redirect(s Sequence, statement int, replace func(ref Value) Value) Sequence {
	statements := make([]Statement, len(s.Statements))
	for i := range s.Statements {
		statements[i] = s.Statements[i].Replace(func(ref Value) Value {
			if ref.Statement == statement {
				return replace(ref)
			}
			return ref
		})
	}
	return Sequence{Statements: statements}
}

// EachText visits the texts of strings in a value.
func (v *Value) EachText(visit func(text string)) {
	if v.Kind == String {
		visit(v.Text)
	}
	for i := range v.Elems {
		v.Elems[i].EachText(visit)
	}
	for i := range v.Fields {
		v.Fields[i].Value.EachText(visit)
	}
}
