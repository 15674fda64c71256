package spectra

// This file passes on which types the runtime does not compare, or compares in part.

import "github.com/spectradiff/spectradiff/spectra/rt"

// A TypeRule says how values of a type are compared. A name that ends in "." stands for all types
// of that package that nothing else is said about.
type TypeRule struct{ Type, What string }

// OpaqueTypes lists the types whose values are not compared, and why.
func OpaqueTypes() []TypeRule {
	var list []TypeRule
	for _, o := range rt.OpaqueTypes {
		list = append(list, TypeRule{o.Name, o.Reason})
	}
	return list
}

// PartialTypes lists the types of which a part is compared, or what they mean, and which that is.
func PartialTypes() []TypeRule {
	var list []TypeRule
	for _, p := range rt.PartialTypes {
		list = append(list, TypeRule{p.Name, p.What})
	}
	return list
}
