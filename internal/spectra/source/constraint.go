package source

import (
	"go/ast"
	"go/build"
	"go/build/constraint"
	"path"
	"runtime"
	"slices"
	"strconv"
	"strings"
)

// tags are what builds set beside the system's tags.
type tags map[string]bool

// excluded reports whether a file is for another system or needs a tag that is not set, or whether the go command
// leaves it out because of its name or that of a folder.
func (t tags) excluded(name string, file *ast.File) bool {
	for part := range strings.SplitSeq(name, "/") {
		if strings.HasPrefix(part, "_") || strings.HasPrefix(part, ".") {
			return true
		}
	}
	if !suffixFits(path.Base(name)) {
		return true
	}
	expr := constraintOf(file)
	return expr != nil && !t.may(true, expr)
}

// certain reports whether a file is built or left out whichever toolchain builds the module.
func (t tags) certain(name string, file *ast.File) bool {
	expr := constraintOf(file)
	return expr == nil || t.excluded(name, file) || !t.may(false, expr)
}

// may reports whether a constraint has a value with a toolchain that may build the module.
func (t tags) may(value bool, expr constraint.Expr) bool {
	switch expr := expr.(type) {
	case *constraint.NotExpr:
		return t.may(!value, expr.X)
	case *constraint.AndExpr:
		if value {
			return t.may(true, expr.X) && t.may(true, expr.Y)
		}
		return t.may(false, expr.X) || t.may(false, expr.Y)
	case *constraint.OrExpr:
		if value {
			return t.may(true, expr.X) || t.may(true, expr.Y)
		}
		return t.may(false, expr.X) && t.may(false, expr.Y)
	case *constraint.TagExpr:
		return !t[expr.Tag] && ofToolchain(expr.Tag) || (t[expr.Tag] || tagSet(expr.Tag)) == value
	}
	return true
}

// oldestRelease is the minor version of the first Go release that can build what is compared.
const oldestRelease = 24

// ofToolchain reports whether a tag depends on the toolchain that builds the module, which the module chooses.
func ofToolchain(tag string) bool {
	if minor, ok := strings.CutPrefix(tag, "go1."); ok {
		n, err := strconv.Atoi(minor)
		return err == nil && n > oldestRelease
	}
	return strings.HasPrefix(tag, "goexperiment.") || strings.HasPrefix(tag, runtime.GOARCH+".")
}

// tagSet reports whether every build for this system sets a tag that does not depend on the toolchain.
func tagSet(tag string) bool {
	switch tag {
	case runtime.GOOS, runtime.GOARCH, "gc":
		return true
	case "unix":
		return slices.Contains(unixSystems, runtime.GOOS)
	}
	return slices.Contains(build.Default.ReleaseTags, tag)
}

var unixSystems = strings.Fields("aix android darwin dragonfly freebsd hurd illumos ios linux netbsd openbsd solaris")

var systems = append(strings.Fields("js nacl plan9 wasip1 windows zos"), unixSystems...)

var architectures = strings.Fields("386 amd64 amd64p32 arm armbe arm64 arm64be loong64 mips mipsle mips64 mips64le " +
	"mips64p32 mips64p32le ppc ppc64 ppc64le riscv riscv64 s390 s390x sparc sparc64 wasm")

// suffixFits reads name_GOOS, name_GOARCH and name_GOOS_GOARCH.
func suffixFits(base string) bool {
	stem, _, _ := strings.Cut(base, ".")
	parts := strings.Split(strings.TrimSuffix(stem, "_test"), "_")
	if len(parts) < 2 {
		return true
	}
	parts = parts[1:]
	last := parts[len(parts)-1]
	if slices.Contains(architectures, last) {
		if last != runtime.GOARCH {
			return false
		}
		if len(parts) == 1 {
			return true
		}
		last = parts[len(parts)-2]
	}
	return !slices.Contains(systems, last) || last == runtime.GOOS
}

// constraintOf returns the build constraint of a Go file's header, nil if it has none.
func constraintOf(file *ast.File) constraint.Expr {
	var plus constraint.Expr
	for _, group := range file.Comments {
		if group.Pos() > file.Package {
			break
		}
		for _, c := range group.List {
			expr, err := constraint.Parse(c.Text)
			switch {
			case err != nil:
				continue
			case constraint.IsGoBuild(c.Text):
				return expr
			case plus == nil:
				plus = expr
			default:
				plus = &constraint.AndExpr{X: plus, Y: expr}
			}
		}
	}
	return plus
}
