// Package generate generates test sequences of calls at random, directed by feedback, and prefers those that reach
// changed code.
//
// Input: operations, types and constants of the old version, a seed, limits, and an Execute function that plays
// sequences. Output: the sequences worth replaying on both versions, and statistics.
//
// The outcome of a sequence decides whether others are built on it:
//
//	   operations, types, constants
//	                │
//	                ▼
//	     ┌──► draft: a call, and values for its arguments ──► candidate
//	     │          ▲                      ▲                     │ Execute, in batches
//	     │          │ values to use again  │ strings             ▼
//	     │        pool                   words                outcome
//	     │          ▲                      ▲                     │
//	extended,       │                      │                     ▼
//	changed         └──────────────────────┴────────── judged: new ──► kept, a result
//	     │                                                   │ │
//	     └── favourites: hit changed code, or may reach it ◄─┘ └─► else redundant or illegal
//
// A candidate is kept if it shows something new: covered code, a way to return, to panic or to end the process, a
// value, a state, a difference between the versions, or a path through the change of both. A kept sequence becomes a
// component: later sequences may begin with its statements and use its values as arguments. Values that are nil, huge,
// already known, or came with an error are not used again. Nothing is built on sequences that panic or end the process.
//
//   - A Model describes the types and operations, and their relations.
//   - Package value makes literals, package novelty remembers outcomes, package redundancy finds redundant sequences.
//   - Cells choose the favourites, and a Hill leads towards branch sides that no sequence has taken.
//   - Operation weights (weigh) decide how often each operation is called. Effort and Limits decide when a run ends.
//
// The same input leads to the same sequences. There is one source of randomness, outcomes are judged in the order of
// their sequences, and no clock is read: the caller says in Input.Expired, between batches, when the time is up. Every
// sequence passes sequence.Check. The package never builds or runs anything itself.
package generate
