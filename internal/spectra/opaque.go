package spectra

import "github.com/spectradiff/spectradiff/internal/spectra/rt/names"

// A TypeRule says how values of a type are compared. A name that ends in "." stands for all types of that
// package that have no rule of their own.
type TypeRule struct{ Type, What string }

// OpaqueTypes lists the types whose values are not compared, with the reason.
func OpaqueTypes() []TypeRule {
	var list []TypeRule
	for _, o := range names.OpaqueTypes {
		list = append(list, TypeRule{o.Name, o.Reason})
	}
	return list
}

// PartialTypes lists the types that are compared in part, or by what they mean, with what is compared.
func PartialTypes() []TypeRule {
	var list []TypeRule
	for _, p := range names.PartialTypes {
		list = append(list, TypeRule{p.Name, p.What})
	}
	return list
}
