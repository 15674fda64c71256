package main

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/spectradiff/spectradiff/internal/replay/build"
)

// suiteModules are the modules whose test suites are measured. They need no network. They spend their time in
// the module's own code, and not in sleep, in other processes or in loops that wait for a goroutine.
var suiteModules = []string{
	"github.com/BurntSushi/toml@v1.6.0",
	"github.com/gorilla/mux@v1.8.1",
	"github.com/tidwall/pretty@v1.2.1",
	"gopkg.in/yaml.v3@v3.0.1",
	"github.com/Masterminds/semver/v3@v3.3.1",
	"github.com/mitchellh/mapstructure@v1.5.0",
	"github.com/google/shlex@v0.0.0-20191202100458-e7afc7fbc510",
	"github.com/andybalholm/cascadia@v1.3.3",
	"github.com/google/btree@v1.1.3",
	"github.com/hashicorp/go-version@v1.7.0",
	"github.com/spf13/cast@v1.7.0",
	"github.com/russross/blackfriday/v2@v2.1.0",
	"github.com/gomarkdown/markdown@v0.0.0-20241205020045-f7e15b2f3e62",
}

// errSlow means that a suite was ended. Its states are so large, and its calls so many, that walking them
// all takes too long.
var errSlow = errors.New("it takes too long")

const recordingBinary = "recording.test"

// longest limits the time of one run of a suite.
const longest = 30 * time.Second

// leftOut matches tests that count allocations, which every probe changes.
const leftOut = "Alloc"

// suites measures the processor time of test suites plain, recording and under -race.
func (b *bench) suites(ctx context.Context) error {
	fmt.Println("| test suite | ms plain | recording / plain | -race / plain | recording / -race " +
		"| states walked whole |")
	fmt.Println("|---|---|---|---|---|---|")
	recording, race, n := 0.0, 0.0, 0
	for _, module := range suiteModules {
		if !b.wanted(module) {
			continue
		}
		times, whole, err := b.suite(ctx, module)
		if errors.Is(err, errSlow) {
			fmt.Printf("| %s | %.0f | > %.0f, ended | | | |\n", module, times[0], times[1]/times[0])
			continue
		}
		if err != nil {
			fmt.Printf("| %s | left out: %s |\n", module, firstLine(err.Error()))
			continue
		}
		fmt.Printf("| %s | %.0f | %.2f | %.2f | %.2f | %.1f %% |\n",
			module, times[0], times[1]/times[0], times[2]/times[0], times[1]/times[2], 100*whole)
		recording += math.Log(times[1] / times[0])
		race += math.Log(times[2] / times[0])
		n++
	}
	if n < 10 && b.modules == "" {
		return fmt.Errorf("only %d suites could be measured, at least 10 are needed", n)
	}
	recording, race = math.Exp(recording/float64(n)), math.Exp(race/float64(n))
	fmt.Printf("| geometric mean of %d | | %.2f | %.2f | %.2f | |\n", n, recording, race, recording/race)
	return nil
}

func firstLine(s string) string {
	line, _, _ := strings.Cut(s, "\n")
	return line
}

// suite returns the milliseconds of one suite plain, recording and with -race. It also returns the share
// of the states that were walked completely.
func (b *bench) suite(ctx context.Context, module string) (times [3]float64, whole float64, err error) {
	dir, err := b.download(ctx, module)
	if err != nil {
		return times, 0, err
	}
	binaries, err := b.binaries(ctx, dir)
	if err != nil {
		return times, 0, err
	}
	var once [2]float64
	for i := range once {
		if once[i], err = b.time(ctx, dir, binaries[i], 1); err != nil {
			return [3]float64{once[0], once[1]}, 0, err
		}
	}
	if whole, err = counted(dir); err != nil {
		return times, 0, err
	}
	count := int(max(min(300/once[0], 3000/once[1], 100), 1)) // long enough to measure, not much longer
	var all [3][]float64
	for range b.runs {
		for i, binary := range binaries {
			ms, err := b.time(ctx, dir, binary, count)
			if err != nil {
				return [3]float64{once[0], once[1]}, 0, err
			}
			all[i] = append(all[i], ms)
		}
	}
	for i := range times {
		times[i] = median(all[i])
	}
	return times, whole, nil
}

// tally is the file in which a recording suite counts its states.
const tally = "tally.zspectra"

// counted returns the share of complete states from that file.
func counted(dir string) (whole float64, err error) {
	b, err := os.ReadFile(filepath.Join(dir, tally))
	if err != nil || len(b) != 16 {
		return 0, fmt.Errorf("count states: %w", err)
	}
	return 1 - float64(binary.LittleEndian.Uint64(b[8:]))/float64(binary.LittleEndian.Uint64(b)), nil
}

// time runs a test binary and returns its processor time in milliseconds.
func (b *bench) time(ctx context.Context, dir, binary string, count int) (float64, error) {
	limited, cancel := context.WithTimeout(ctx, longest)
	defer cancel()
	cmd := exec.CommandContext(limited, binary,
		"-test.short", "-test.timeout=5m", "-test.skip="+leftOut, fmt.Sprint("-test.count=", count))
	cmd.Dir, cmd.Env = dir, append(os.Environ(), "GOMAXPROCS=1")
	if filepath.Base(binary) == recordingBinary {
		cmd.Env = append(slices.Clone(driverEnvironment), "ZSPECTRA_TALLY="+filepath.Join(dir, tally))
		if err := os.WriteFile(filepath.Join(dir, tally), make([]byte, 16), 0o666); err != nil {
			return 0, fmt.Errorf("count states: %w", err)
		}
	}
	out, err := cmd.CombinedOutput()
	if cmd.ProcessState == nil {
		return 0, fmt.Errorf("%s: %w", filepath.Base(binary), err)
	}
	used := float64(cmd.ProcessState.UserTime()+cmd.ProcessState.SystemTime()) / float64(time.Millisecond)
	if err != nil && limited.Err() != nil && ctx.Err() == nil {
		return used, errSlow
	}
	if err != nil {
		return used, fmt.Errorf("%s: %w: %.300s", filepath.Base(binary), err, out)
	}
	return used, nil
}

// binaries builds the suite of a module's root package: plain, recording, -race.
func (b *bench) binaries(ctx context.Context, dir string) ([]string, error) {
	m, err := b.instrument(dir, "./...")
	if err != nil {
		return nil, err
	}
	root := ""
	for i, p := range m.packages {
		folder := filepath.Dir(m.loaded[i].GoFiles[0])
		m.overlay[filepath.Join(folder, "zspectra_start.go")] = start(m, p.Name, perStep)
		if folder == dir {
			root = p.Path
		}
	}
	if root == "" {
		return nil, fmt.Errorf("no package in the module's folder")
	}
	main := fmt.Sprintf("package main\n\nimport _ %q\n\nfunc main() {}\n", root)
	m.overlay[filepath.Join(dir, "zspectra_bench", "main.go")] = []byte(main)
	built, err := b.build(ctx, build.Request{
		Dir: dir, Package: "./zspectra_bench", Overlay: m.overlay, Env: append(os.Environ(), "GOWORK=off"),
	})
	if err != nil {
		return nil, err
	}
	overlay := filepath.Join(filepath.Dir(built.Path), "overlay.json") // the builder leaves it beside the binary
	var binaries []string
	for _, kind := range []struct {
		name string
		args []string
	}{
		{"plain.test", nil},
		{recordingBinary, []string{"-overlay", overlay, "-tags", "zspectra_runtime"}},
		{"race.test", []string{"-race"}},
	} {
		binary := filepath.Join(dir, kind.name)
		args := append([]string{"test", "-c", "-vet=off", "-o", binary}, kind.args...)
		if _, err := goCommand(ctx, dir, append(args, ".")...); err != nil {
			return nil, err
		}
		binaries = append(binaries, binary)
	}
	return binaries, nil
}

// perStep is how many nodes walks may visit for each step of a suite.
const perStep = 1

// startHead is the beginning of the file. States are counted in memory that outlives the process.
const startHead = `package %s

import (
	"os"
	"syscall"
	"unsafe"
	"zspectra"
)

func init() {
	zspectra.Awake()
	f, err := os.OpenFile(os.Getenv("ZSPECTRA_TALLY"), os.O_RDWR, 0)
	if err == nil {
		b, err := syscall.Mmap(int(f.Fd()), 0, 16, syscall.PROT_READ|syscall.PROT_WRITE, syscall.MAP_SHARED)
		if err == nil {
			zspectra.Count((*zspectra.Tally)(unsafe.Pointer(&b[0])))
		}
		f.Close()
	}
	zspectra.Configure(zspectra.Config{PerStep: %d, Vars: %#v, Points: []zspectra.PointConfig{
`

// start returns the file that starts the recording while a package is initialised. Every state includes
// the package variables that the function may touch.
func start(m *instrumented, name string, perStep int) []byte {
	var vars []string
	index := map[string]int{}
	for _, p := range m.packages {
		for _, v := range p.Vars {
			if !v.Constant {
				index[v.Name] = len(vars)
				vars = append(vars, v.Name)
			}
		}
	}
	var s bytes.Buffer
	fmt.Fprintf(&s, startHead, name, perStep, vars)
	for _, p := range m.packages {
		for i, point := range p.Points {
			var touched []int
			for _, v := range m.touches[point.Symbol] {
				if at, ok := index[v]; ok {
					touched = append(touched, at)
				}
			}
			fmt.Fprintf(&s, "\t\t{Package: %q, Index: %d, Vars: %#v},\n", p.Path, i, touched)
		}
	}
	s.WriteString("\t}})\n\tzspectra.Loop(make([]byte, 2<<20), 1<<20)\n}\n")
	return s.Bytes()
}

// download copies a module out of the module cache, because overlays of files there are refused.
func (b *bench) download(ctx context.Context, module string) (string, error) {
	dir := filepath.Join(b.dir, strings.NewReplacer("/", "-", "@", "-").Replace(module))
	if err := unpack(ctx, module, dir); err != nil {
		return "", err
	}
	_, err := goCommand(ctx, dir, "mod", "tidy", "-e") // a published go.sum often lacks what the tests need
	return dir, err
}
