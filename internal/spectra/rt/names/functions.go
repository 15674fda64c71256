package names

import (
	"path"
	"runtime"
	"strings"
)

// Function returns the name of the function that starts at pc, "?" if there is none.
func Function(pc uintptr) string {
	f := runtime.FuncForPC(pc)
	if f == nil {
		return "?"
	}
	file, _ := f.FileLine(pc)
	return renamed(functionName(f.Name(), file))
}

// renamed returns the name by which both versions know a function, the one that declares a literal, or the method of a
// method value.
func renamed(name string) string {
	declared, literal := strings.CutSuffix(name, ".func")
	method, value := strings.CutSuffix(declared, "-fm")
	other := Replace(method, config.Renames)
	if value {
		other += "-fm"
	}
	if literal {
		other += ".func"
	}
	return other
}

// functionName turns the linker's name of a function into one that depends on its source only.
// Type arguments are dropped. A literal goes by the function that declares it: its number changes
// with every literal before it. Where its function was inlined, the linker names the callers
// first, and the package is theirs: then the folder of the file says which it is, or nothing does.
func functionName(name, file string) string {
	name = withoutTypes(name)
	slash := strings.LastIndexByte(name, '/') + 1
	dot := strings.IndexByte(name[slash:], '.')
	if dot < 0 {
		return name
	}
	pkg, rest := strings.ReplaceAll(name[:slash+dot], "%2e", "."), name[slash+dot+1:]
	outer, literal := declaring(rest)
	switch {
	case !literal:
		return pkg + "." + rest
	case packageOf(file) != "":
		return packageOf(file) + "." + outer + ".func"
	}
	return outer + ".func"
}

// withoutTypes drops the type arguments, which the linker writes as [...].
func withoutTypes(name string) string {
	for {
		open := strings.IndexByte(name, '[')
		if open < 0 {
			return name
		}
		depth, end := 0, open
		for ; end < len(name); end++ {
			if name[end] == '[' {
				depth++
			} else if name[end] == ']' {
				if depth--; depth == 0 {
					break
				}
			}
		}
		name = name[:open] + name[min(end+1, len(name)):]
	}
}

// declaring finds the function that declares a literal: the last element of the name that is not
// the literal itself or one around it. Of a method only a pointer receiver can be told from the
// name of a caller.
func declaring(name string) (outer string, literal bool) {
	elements := strings.Split(name, ".")
	last := len(elements) - 1
	for ; last > 0; last-- {
		e := elements[last]
		if e != "" && !digits(e) && !made(e, "func") && !made(e, "gowrap") && !made(e, "deferwrap") {
			break
		}
		literal = literal || made(e, "func")
	}
	e, _, body := strings.Cut(elements[last], "-range")
	switch {
	case !literal && !body:
		return "", false
	case e == "glob" || e == "init" && last+1 < len(elements) && !digits(elements[last+1]):
		return "glob.", true
	case last > 0 && strings.HasPrefix(elements[last-1], "("):
		return elements[last-1] + "." + e, true
	}
	return e, true
}

func digits(s string) bool { return s != "" && strings.Trim(s, "0123456789") == "" }

// made reports whether the compiler made a name of that word and a number, and the body of a loop
// over a function in it.
func made(s, word string) bool {
	number, ok := strings.CutPrefix(s, word)
	number, _, _ = strings.Cut(number, "-range")
	return ok && digits(number)
}

// packageOf is the package that a file belongs to, as far as the folder tells: builds without the
// paths of the machine name modules instead.
func packageOf(file string) string {
	folder := path.Dir(file)
	if folder == "." || path.IsAbs(folder) || strings.Contains(folder, ":") {
		return ""
	}
	module, version, found := strings.Cut(folder, "@")
	if !found {
		return folder
	}
	_, below, found := strings.Cut(version, "/")
	if !found {
		return module
	}
	return module + "/" + below
}
