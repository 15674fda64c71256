// Command cgo is linked dynamically and lets C end it.
package main

/*
#include <stdio.h>
#include <stdlib.h>
#include <signal.h>
static void hello(void) { puts("hello from C"); fflush(stdout); }
static void crash(int s) { signal(s, SIG_DFL); if (s == SIGABRT) abort(); *(volatile int *)0 = 1; }
*/
import "C"

import (
	"os"
	"syscall"
)

func main() {
	C.hello()
	if len(os.Args) > 1 && os.Args[1] == "segv" {
		C.crash(C.int(syscall.SIGSEGV))
	}
	if len(os.Args) > 1 && os.Args[1] == "abort" {
		C.crash(C.int(syscall.SIGABRT))
	}
}
