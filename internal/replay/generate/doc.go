// Package generate makes call sequences that show what the operations of a target do, and prefers those
// that reach changed code.
//
// In: operations, types and constants of the old version, a seed, limits, and an Execute function
// that plays sequences. Out: the sequences worth replaying on both versions, and statistics.
//
// The loop is directed by feedback: the outcome of a sequence decides whether others are built on it.
//
//	   operations, types, constants
//	                │
//	                ▼
//	     ┌──► draft: a call, and what its arguments take ──► candidate
//	     │          ▲                      ▲                     │ Execute, in batches
//	     │          │ values to use again  │ strings             ▼
//	     │        pool                   words                outcome
//	     │          ▲                      ▲                     │
//	extended,       │                      │                     ▼
//	changed         └──────────────────────┴────────── judged: new ──► kept, a result
//	     │                                                   │ │
//	     └── favourites: hit changed code, or may reach it ◄─┘ └─► else redundant or illegal
//
// A candidate is kept when it shows something new: code that nothing hit before, another way to
// return, to panic or to end the process, a value or a state that was never seen. A kept sequence
// becomes a component: its values may be arguments of later calls, which begin with its statements.
// Values that are nil, huge, known already or came along with an error are not used again, and
// nothing is built upon sequences that panic or end the process. Package model describes the types and
// operations; literals come from package value.
//
// The same input leads to the same sequences: there is one source of randomness, outcomes are judged
// in the order of their sequences, and no clock is read (Input.Expired is called between batches).
// Every sequence passes sequence.Check. The package never builds or runs anything itself.
package generate
