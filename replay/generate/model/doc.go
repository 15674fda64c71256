// Package model says which types and operations there are for the generator, and how they relate.
//
// In: operations, the types that a sequence may name, structs for slots of type any, and the fields that none may set.
// Out: a description of each type and operation; which values fit where, which operations make what is wanted, and
// which types implement an interface.
//
// Each type is examined once, when it is first met, and each relation computed once, when it is first asked for. Types
// with the same canonical name are one. The same questions in the same order lead to the same descriptions, numbers
// included. Nothing of a run is noted here: what came of calls, and which values there are, is the generator's.
package model
