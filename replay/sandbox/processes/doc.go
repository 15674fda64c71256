// Package processes says what the kernel tells of processes: descendants, memory, threads, processor time.
//
// In: process numbers. Out: what /proc holds of them at that moment; a process that has ended has nothing. It never
// changes a process. Below sees the children of a process at no greater cost than their number. On other systems than
// Linux there is nothing here.
package processes
