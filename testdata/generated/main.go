// Command generated stands for the programs that are put together at run time: it names what probes and
// tables in the target call. No program of the module calls it, so the check for functions that nothing
// reaches starts here as well as at the commands; it also checks that the names are those which
// spectra/instrument, replay/build and cmd/internal/lab write.
package main

import (
	zspectra "github.com/spectradiff/spectradiff/internal/spectra/rt"
	"github.com/spectradiff/spectradiff/internal/spectra/rt/driver"
	"github.com/spectradiff/spectradiff/internal/spectra/rt/suite"
)

func main() {
	probe()
	operands()
	zspectra.Register(zspectra.Package{})
	zspectra.RegisterOperations(nil)
	zspectra.RegisterTypes(nil)
	zspectra.RegisterObserved("", nil)
	zspectra.Collect[int](nil)
	zspectra.CollectPairs[int, int](nil)
	driver.Main()
	measure()
	tests()
}

// probe makes the calls that are added to every function.
func probe() {
	frame := zspectra.Enter(nil)
	defer frame.Exit()
	zspectra.Go()
	zspectra.Tick()
	_ = zspectra.Other(0)
}

// tests makes the calls of a driver that runs tests.
func tests() {
	var holes suite.Holes
	holes.Again(0, 0, nil)
	holes.Fill(nil)
	suite.Main("", nil)
	pkg := &suite.Package{}
	pkg.Test("", nil, nil)
	pkg.Fuzz("", nil, nil)
	pkg.Benchmark("", nil, nil)
	pkg.Example("", nil, "", false)
	suite.Bool(&holes, 0, false)
	suite.String(&holes, 0, "")
	suite.Int(&holes, 0, 0)
	suite.Int8(&holes, 0, 0)
	suite.Int16(&holes, 0, 0)
	suite.Int32(&holes, 0, 0)
	suite.Int64(&holes, 0, 0)
	suite.Uint(&holes, 0, 0)
	suite.Uint8(&holes, 0, 0)
	suite.Uint16(&holes, 0, 0)
	suite.Uint32(&holes, 0, 0)
	suite.Uint64(&holes, 0, 0)
	suite.Uintptr(&holes, 0, 0)
	suite.Float32(&holes, 0, 0)
	suite.Float64(&holes, 0, 0)
	_ = suite.Error(&holes, 0, nil, suite.Wrapped(nil))
	suite.Cancelled(nil) //nolint:staticcheck // as tests are written
	suite.Header(&holes, 0)
	_ = suite.Text(&holes, 0, "")
	_ = suite.Number(&holes, 0, 0)
	suite.Bytes(&holes, 0, nil)
	suite.Reader(&holes, 0, nil)
	suite.Any(&holes, 0, 0)
	_ = suite.Held(0, func(interface{}) {})
	_ = suite.Reversed([]int{})
	_ = suite.Repeating([]int{})
	_ = suite.Headed([]int{})
	_ = suite.Empty(0)
	_ = suite.More(&holes, 0, []string{})
	_ = suite.Entry(&holes, 0, map[string]int{})
	_ = suite.With(&holes, 0, []string{})
	suite.Preset(&holes, new(int), 0)
	suite.Caught(suite.Still(nil))
	suite.In("", "")
	zspectra.Command = true
	_ = suite.Command("", nil, nil)
	suite.Out()
}

// operands makes the calls that are added to what is compared.
func operands() {
	zspectra.LeftText(0, zspectra.RightText(0, zspectra.TagText(0, zspectra.CaseText(0, ""), "")))
	zspectra.LeftSigned(0, zspectra.RightSigned(0, 0))
	zspectra.LeftUnsigned(0, zspectra.RightUnsigned(0, 0))
	zspectra.LeftFloat(0, zspectra.RightFloat(0, 0))
	zspectra.TagInteger(0, 0, string(zspectra.NamedTagText(0, "", "")))
	zspectra.TagInt(0, int(zspectra.TagRune(0, rune(zspectra.TagByte(0, 0, "")), "")), "")
	zspectra.Texts(0, "", zspectra.Key(0, nil, ""))
	zspectra.Among(0, nil, "")
	zspectra.Reads(0, "", "")
	zspectra.Bytes(0, nil, nil)
	zspectra.ParameterText(0, "")
	zspectra.ParameterBytes(0, nil)
	zspectra.ParameterNumber(0, 0)
}

// measure makes the calls of programs that are measured without a driver.
func measure() {
	zspectra.Awake()
	zspectra.Configure(zspectra.Config{})
	zspectra.Count(nil)
	zspectra.Loop(nil, 0)
	zspectra.Length()
}
