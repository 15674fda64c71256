package purity

import (
	"go/constant"
	"go/token"
	"go/types"
	"maps"
	"strings"

	"golang.org/x/tools/go/ssa"
)

// An effect describes a function. The zero effect stands for one that reads its arguments and returns new
// memory, which may refer to what the arguments refer to. Functions among its arguments are called with
// what the other arguments refer to.
type effect struct {
	writes   bool // it writes to what its first argument refers to
	part     bool // it returns what its arguments refer to, not a copy
	iterator bool // it returns an iterator over its first argument
	drains   bool // its first argument is an iterator
	shuffled bool // its result is in the order of a map
	methods  bool // it calls Len, Less and Swap of its first argument
	prints   bool // it calls String, Error and Format of its arguments
}

// harmless lists packages whose functions only read their arguments. The exceptions are in effects: functions that
// append to their first argument, which may have room for it.
var harmless = map[string]bool{
	"strings": true, "strconv": true, "unicode": true, "unicode/utf8": true, "unicode/utf16": true,
	"math": true, "math/bits": true, "math/cmplx": true, "cmp": true, "bytes": true,
}

// effects has functions by their name as go/types writes it, without type arguments.
var effects = map[string]effect{
	"(*strings.Builder).WriteString": {writes: true}, "(*strings.Builder).WriteByte": {writes: true},
	"(*strings.Builder).WriteRune": {writes: true}, "(*strings.Builder).Write": {writes: true},
	"(*strings.Builder).Grow": {writes: true}, "(*strings.Builder).Reset": {writes: true},
	"(*strings.Builder).Len": {}, "(*strings.Builder).String": {},
	"(*bytes.Buffer).WriteString": {writes: true}, "(*bytes.Buffer).WriteByte": {writes: true},
	"(*bytes.Buffer).WriteRune": {writes: true}, "(*bytes.Buffer).Write": {writes: true},
	"(*bytes.Buffer).Grow": {writes: true}, "(*bytes.Buffer).Reset": {writes: true},
	"(*bytes.Buffer).Len": {}, "(*bytes.Buffer).String": {}, "(*bytes.Buffer).Bytes": {part: true},

	"strconv.AppendBool": {writes: true, part: true}, "strconv.AppendFloat": {writes: true, part: true},
	"strconv.AppendInt": {writes: true, part: true}, "strconv.AppendUint": {writes: true, part: true},
	"strconv.AppendQuote":              {writes: true, part: true},
	"strconv.AppendQuoteToASCII":       {writes: true, part: true},
	"strconv.AppendQuoteToGraphic":     {writes: true, part: true},
	"strconv.AppendQuoteRune":          {writes: true, part: true},
	"strconv.AppendQuoteRuneToASCII":   {writes: true, part: true},
	"strconv.AppendQuoteRuneToGraphic": {writes: true, part: true},
	"unicode/utf8.AppendRune":          {writes: true, part: true},
	"unicode/utf8.EncodeRune":          {writes: true},
	"unicode/utf16.AppendRune":         {writes: true, part: true},

	"sort.Ints": {writes: true}, "sort.Strings": {writes: true}, "sort.Float64s": {writes: true},
	"sort.Slice": {writes: true}, "sort.SliceStable": {writes: true},
	"sort.Sort": {writes: true, methods: true}, "sort.Stable": {writes: true, methods: true},
	"sort.Search": {}, "sort.SearchInts": {}, "sort.SearchStrings": {}, "sort.SearchFloat64s": {},
	"sort.IntsAreSorted": {}, "sort.StringsAreSorted": {}, "sort.SliceIsSorted": {},
	"(sort.IntSlice).Len": {}, "(sort.IntSlice).Less": {}, "(sort.IntSlice).Swap": {writes: true},
	"(sort.StringSlice).Len": {}, "(sort.StringSlice).Less": {}, "(sort.StringSlice).Swap": {writes: true},

	"slices.Sort": {writes: true}, "slices.SortFunc": {writes: true}, "slices.SortStableFunc": {writes: true},
	"slices.Reverse": {writes: true}, "slices.Compact": {writes: true, part: true},
	"slices.CompactFunc": {writes: true, part: true},
	"slices.Insert":      {writes: true, part: true}, "slices.Delete": {writes: true, part: true},
	"slices.Grow": {writes: true, part: true}, "slices.Clip": {part: true},
	"slices.Clone": {}, "slices.Concat": {}, "slices.Repeat": {},
	"slices.Contains": {}, "slices.ContainsFunc": {}, "slices.Index": {}, "slices.IndexFunc": {},
	"slices.Equal": {}, "slices.EqualFunc": {}, "slices.Compare": {}, "slices.CompareFunc": {},
	"slices.BinarySearch": {}, "slices.BinarySearchFunc": {}, "slices.IsSorted": {}, "slices.IsSortedFunc": {},
	"slices.Max": {part: true}, "slices.Min": {part: true}, "slices.MaxFunc": {part: true},
	"slices.MinFunc": {part: true},
	"slices.Sorted":  {drains: true}, "slices.SortedFunc": {drains: true}, "slices.SortedStableFunc": {drains: true},
	"slices.Collect": {drains: true}, "slices.Values": {iterator: true}, "slices.All": {iterator: true},
	"slices.Backward": {iterator: true},
	"maps.Keys":       {iterator: true, shuffled: true}, "maps.Values": {iterator: true, shuffled: true},
	"maps.All":   {iterator: true, shuffled: true},
	"maps.Clone": {}, "maps.Equal": {}, "maps.EqualFunc": {}, "maps.Collect": {drains: true},
	"maps.Copy": {writes: true},

	"(*container/list.List).Len": {}, "(*container/list.List).Front": {part: true},
	"(*container/list.List).Back":    {part: true},
	"(*container/list.Element).Next": {part: true}, "(*container/list.Element).Prev": {part: true},

	"fmt.Sprint": {prints: true}, "fmt.Sprintf": {prints: true}, "fmt.Sprintln": {prints: true},
	"fmt.Fprint": {prints: true, writes: true}, "fmt.Fprintf": {prints: true, writes: true},
	"fmt.Fprintln": {prints: true, writes: true},
	"errors.New":   {},

	"sync/atomic.LoadInt32": {}, "sync/atomic.LoadInt64": {}, "sync/atomic.LoadUint32": {},
	"sync/atomic.LoadUint64":    {},
	"(*sync/atomic.Int32).Load": {}, "(*sync/atomic.Int64).Load": {}, "(*sync/atomic.Uint32).Load": {},
	"(*sync/atomic.Uint64).Load": {},
	"(*sync/atomic.Bool).Load":   {}, "(*sync/atomic.Pointer).Load": {part: true},

	"(time.Time).After": {}, "(time.Time).Before": {}, "(time.Time).Equal": {}, "(time.Time).Compare": {},
	"(time.Time).IsZero": {},
	"(time.Time).Unix":   {}, "(time.Time).UnixNano": {}, "(time.Time).UnixMilli": {}, "(time.Time).Sub": {},
	"(time.Time).Add":         {part: true},
	"(time.Duration).Seconds": {}, "(time.Duration).String": {}, "(time.Duration).Milliseconds": {},
	"(time.Duration).Nanoseconds": {},
}

// contained lists packages whose functions leave nothing behind but in what they are given and return.
var contained = map[string]bool{
	"container/heap": true, "container/list": true, "container/ring": true, "errors": true, "fmt": true,
	"html/template": true, "maps": true, "math/big": true, "regexp": true, "regexp/syntax": true, "slices": true,
	"sort": true, "sync": true, "sync/atomic": true, "text/template": true, "iter": true,
}

// outward are functions of such packages that print or read elsewhere.
var outward = map[string]bool{
	"fmt.Print": true, "fmt.Printf": true, "fmt.Println": true, "fmt.Scan": true, "fmt.Scanf": true, "fmt.Scanln": true,
}

// Contained reports whether all that a function leaves behind is in what it is given and returns. What it is given may
// have methods that it calls.
func Contained(fn *types.Func) bool {
	name, pkg := fn.Origin().FullName(), fn.Pkg()
	_, known := effects[name]
	return known || pkg == nil || (harmless[pkg.Path()] || contained[pkg.Path()]) && !outward[name]
}

// standard follows a call of a function without source.
func (f *flow) standard(at token.Pos, fn *ssa.Function, operands []ssa.Value, args []set, to ssa.Value) {
	name := fullName(fn)
	if f.lock(name, operands) {
		return
	}
	e, known := effects[name]
	if !known && !f.reads(fn) {
		f.fail(at, "it calls "+name+", of which nothing is known")
		return
	}
	e.part = e.part || !known
	all := union(args...)
	inner := f.load(all)
	f.iterates = f.iterates || e.shuffled
	f.sorted = f.sorted || strings.HasPrefix(name, "sort.") || strings.HasPrefix(name, "slices.Sort")
	if e.writes && len(args) > 0 {
		f.store(at, args[0], inner, "it calls "+name+" on memory that is not its own")
		for o := range args[0] {
			if o.dynamic != nil { // an interface: the value that it holds is written to
				f.store(at, o.content, inner, "it calls "+name+" on memory that is not its own")
			}
		}
	}
	if e.methods {
		f.dynamicCalls(at, args[0], "it sorts what it was given", "Len", "Less", "Swap")
	}
	if e.prints {
		f.printing(at, name, operands, args)
	}
	if e.prints && e.writes {
		f.dynamicCalls(at, args[0], "it prints to what it was given", "Write")
	}
	elements := union(all, inner)
	if e.drains {
		maps.Copy(elements, f.drained(at, args[0]))
	}
	for i, arg := range args {
		if arg[f.old] && isFunction(fn, i) {
			f.fail(at, "it has "+name+" call a function value that it was given")
			return
		}
		f.callbacks(at, arg, elements)
	}
	f.give(e, to, args, all, elements)
}

// reads reports whether a function belongs to a package whose functions only read.
func (f *flow) reads(fn *ssa.Function) bool {
	object, ok := fn.Object().(*types.Func)
	if !ok || object.Pkg() == nil || !harmless[object.Pkg().Path()] {
		return false
	}
	for _, other := range []string{"New", "Append", "EncodeRune"} {
		if strings.HasPrefix(object.Name(), other) {
			return false
		}
	}
	return object.Signature().Recv() == nil
}

// isFunction reports whether an argument of the function, of which the receiver is the first, is a function.
func isFunction(fn *ssa.Function, argument int) bool {
	if fn.Signature.Recv() != nil {
		argument--
	}
	params := fn.Signature.Params()
	if argument < 0 || argument >= params.Len() {
		return false
	}
	_, is := params.At(argument).Type().Underlying().(*types.Signature)
	return is
}

func fullName(fn *ssa.Function) string {
	if object, ok := fn.Object().(*types.Func); ok {
		name := object.Origin().FullName()
		if open := strings.IndexByte(name, '['); open >= 0 {
			end := strings.LastIndexByte(name, ']')
			return name[:open] + name[end+1:]
		}
		return name
	}
	return fn.String()
}

// callbacks follows calls of the functions among an argument's objects. A function may be among its own
// elements; once it is followed with all of them, callbacks stops.
func (f *flow) callbacks(at token.Pos, arg, elements set) {
	if f.followed == nil {
		f.followed = map[*ssa.Function]set{}
		defer func() { f.followed = nil }()
	}
	for o := range arg {
		if o.function == nil {
			continue // an iterator of the standard library calls nothing
		}
		before := f.followed[o.function]
		if before != nil && before.has(elements) {
			continue
		}
		f.followed[o.function] = union(before, elements)
		given := make([]set, o.function.Signature.Params().Len())
		for i := range given {
			given[i] = elements
		}
		f.callAny(at, set{o: true}, given, nil)
	}
}

// has reports whether all objects of the other set are in this one.
func (s set) has(other set) bool {
	for o := range other {
		if !s[o] {
			return false
		}
	}
	return true
}

// drained returns the elements of iterators. The elements of an iterator that the module wrote come
// through its calls of yield. Those are not followed, so its elements may be anything.
func (f *flow) drained(at token.Pos, iterators set) set {
	elements := set{}
	for o := range iterators {
		if o.drains {
			maps.Copy(elements, o.content)
			continue
		}
		f.callAny(at, set{o: true}, []set{{f.yield: true}}, nil)
		elements[f.old] = true
	}
	return elements
}

// give makes the result of a function of the standard library.
func (f *flow) give(e effect, to ssa.Value, args []set, all, elements set) {
	if to == nil {
		return
	}
	if e.part {
		f.flow(to, all)
		f.flow(to, elements)
	}
	o := f.site(to, object{drains: e.iterator})
	if e.iterator {
		f.add(o.content, f.load(args[0]))
	} else {
		f.add(o.content, elements)
	}
	f.put(to, o)
}

// dynamicCalls follows the calls that the standard library makes of methods of what an interface holds.
func (f *flow) dynamicCalls(at token.Pos, receivers set, unknown string, methods ...string) {
	for o := range receivers {
		if o.dynamic == nil {
			f.fail(at, unknown)
			return
		}
		for _, name := range methods {
			f.method(at, o, types.NewFunc(token.NoPos, nil, name, nil), []set{o.content}, nil)
		}
	}
}

// printing allows values that fmt prints without calling their methods and without showing addresses.
func (f *flow) printing(at token.Pos, name string, operands []ssa.Value, args []set) {
	if strings.HasSuffix(name, "f") {
		position := 0
		if strings.HasPrefix(name, "fmt.F") {
			position = 1
		}
		format, ok := constantText(operands, position)
		if !ok || strings.Contains(format, "p") {
			f.fail(at, "it prints in a form that is not known")
			return
		}
	}
	for o := range f.load(args[len(args)-1]) {
		if o.dynamic == nil || !plainText(o.dynamic) {
			f.fail(at, "it prints a value that may print itself")
			return
		}
	}
}

func constantText(operands []ssa.Value, position int) (string, bool) {
	if position >= len(operands) {
		return "", false
	}
	c, ok := operands[position].(*ssa.Const)
	if !ok || c.Value == nil || c.Value.Kind() != constant.String {
		return "", false
	}
	return constant.StringVal(c.Value), true
}

// plainText reports whether fmt prints values of the type by their content alone.
func plainText(t types.Type) bool {
	if named, ok := types.Unalias(t).(*types.Named); ok && types.NewMethodSet(types.NewPointer(named)).Len() > 0 {
		return false
	}
	switch u := t.Underlying().(type) {
	case *types.Basic:
		return u.Kind() != types.UnsafePointer
	case *types.Slice:
		return plainText(u.Elem())
	case *types.Array:
		return plainText(u.Elem())
	case *types.Map:
		return plainText(u.Key()) && plainText(u.Elem())
	}
	return false
}
