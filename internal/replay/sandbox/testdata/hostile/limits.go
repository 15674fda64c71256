package main

import (
	"bufio"
	"fmt"
	"os"
	"strconv"
	"time"

	"golang.org/x/sys/unix"
)

// stay waits to be killed, but not forever, so that a test which should have killed it fails.
func stay() {
	fmt.Println("waits")
	<-time.After(20 * time.Second)
}

// hold allocates a number of megabytes, privately or shared, prints a line, and keeps them.
func hold(args []string) {
	size, _ := strconv.Atoi(args[0])
	kind := unix.MAP_PRIVATE
	if args[1] == "shared" {
		kind = unix.MAP_SHARED
	}
	memory, err := unix.Mmap(-1, 0, size<<20, unix.PROT_READ|unix.PROT_WRITE, unix.MAP_ANON|kind)
	if err != nil {
		fmt.Println(err)
		return
	}
	for i := 0; i < len(memory); i += 4096 {
		memory[i] = 1
	}
	stay()
}

// mapFile maps a small file as if it had a number of megabytes, as databases do, and prints whether it could.
func mapFile(args []string) {
	size, _ := strconv.Atoi(args[0])
	f, err := os.Create("database")
	if err == nil {
		defer f.Close()
		_, err = unix.Mmap(int(f.Fd()), 0, size<<20, unix.PROT_READ, unix.MAP_SHARED)
	}
	fmt.Println("mapped:", err)
}

// family starts a number of processes that each hold a number of megabytes.
func family(args []string) {
	n, _ := strconv.Atoi(args[0])
	for i := 0; i < n; i++ {
		c := again("hold", args[1], "private")
		out, err := c.StdoutPipe()
		if err == nil {
			err = c.Start()
		}
		if err != nil {
			fmt.Println(err)
			return
		}
		_, _ = bufio.NewReader(out).ReadString('\n')
	}
	stay()
}

// fill writes a number of files of a number of kilobytes. It keeps them open, and removes them if the third word says
// so.
func fill(args []string) {
	n, _ := strconv.Atoi(args[0])
	size, _ := strconv.Atoi(args[1])
	block := make([]byte, size<<10)
	for i := 0; i < n; i++ {
		name := "file" + strconv.Itoa(i)
		f, err := os.Create(name)
		if err == nil {
			_, err = f.Write(block)
		}
		if err != nil {
			fmt.Println("denied:", err)
			return
		}
		if args[2] == "removed" {
			_ = os.Remove(name)
		} else {
			_ = f.Close()
		}
	}
	stay()
}
