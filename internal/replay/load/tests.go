package load

import (
	"context"
	"errors"
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"slices"
)

// FetchTests fetches the modules that the tests of packages import, if some are missing. Its error names what could not
// be fetched; the other tests can be built all the same.
func (v *Version) FetchTests(ctx context.Context, paths []string) error {
	if len(paths) == 0 {
		return nil
	}
	args := append([]string{"list", "-deps", "-test", "-buildvcs=false", "-f", "{{.ImportPath}}", "--"}, paths...)
	_, err := v.run(ctx, args...)
	if err == nil || !missingModule(err.Error()) || !v.runner.MayFetch() {
		return nil
	}
	return v.fetch(ctx, args...)
}

// A TestCheck is what type-checking says of test files.
type TestCheck struct {
	Info   *types.Info
	Errors []types.Error // in no order; some have other causes than the files, as CheckTests says
}

// CheckTests type-checks test files of a package: its own, and those of its external test package. They were parsed
// into fset. What they import has types if it compiles; else it has none, which is an error only at the import. Methods
// that they add to types of the package are not known. The package itself stays as it is.
func (v *Version) CheckTests(
	ctx context.Context, path string, fset *token.FileSet, inside, external []*ast.File,
) (*TestCheck, error) {
	p := v.Tested(path)
	if p == nil {
		return nil, fmt.Errorf("%s is not type-checked", path)
	}
	if err := v.importTests(ctx, path, append(slices.Clone(inside), external...)); err != nil {
		return nil, err
	}
	found := &TestCheck{Info: &types.Info{
		Types: map[ast.Expr]types.TypeAndValue{},
		Uses:  map[*ast.Ident]types.Object{}, Defs: map[*ast.Ident]types.Object{},
		Instances: map[*ast.Ident]types.Instance{},
	}}
	own := types.NewPackage(path, p.Types.Name())
	for _, name := range p.Types.Scope().Names() {
		own.Scope().Insert(p.Types.Scope().Lookup(name))
	}
	own.MarkComplete()
	cfg := types.Config{
		Importer: testImporter{v, own}, Error: found.add, GoVersion: p.Types.GoVersion(), FakeImportC: true,
	}
	if len(inside) > 0 {
		_ = types.NewChecker(&cfg, fset, own, found.Info).Files(withoutMethods(inside))
	}
	if len(external) > 0 {
		of := types.NewPackage(path+"_test", external[0].Name.Name)
		_ = types.NewChecker(&cfg, fset, of, found.Info).Files(external)
	}
	return found, nil
}

func (c *TestCheck) add(err error) {
	if e := (types.Error{}); errors.As(err, &e) {
		c.Errors = append(c.Errors, e)
	}
}

// withoutMethods returns files without the methods of types that they don't declare: of those a checker needs the
// declaration.
func withoutMethods(files []*ast.File) (list []*ast.File) {
	declared := map[string]bool{}
	for _, f := range files {
		for _, d := range f.Decls {
			if d, ok := d.(*ast.GenDecl); ok {
				for _, spec := range d.Specs {
					if t, ok := spec.(*ast.TypeSpec); ok {
						declared[t.Name.Name] = true
					}
				}
			}
		}
	}
	for _, f := range files {
		own := *f
		own.Decls = slices.DeleteFunc(slices.Clone(f.Decls), func(d ast.Decl) bool {
			of, ok := d.(*ast.FuncDecl)
			return ok && of.Recv.NumFields() > 0 && !declared[receiver(of.Recv.List[0].Type)]
		})
		list = append(list, &own)
	}
	return list
}

// receiver returns the name of a receiver's type.
func receiver(e ast.Expr) string {
	for {
		switch x := e.(type) {
		case *ast.StarExpr:
			e = x.X
		case *ast.ParenExpr:
			e = x.X
		case *ast.IndexExpr:
			e = x.X
		case *ast.IndexListExpr:
			e = x.X
		case *ast.Ident:
			return x.Name
		default:
			return ""
		}
	}
}

// A testImporter imports what the tests of a package import.
type testImporter struct {
	v   *Version
	own *types.Package // the tested package, with what its own tests declare
}

// Import returns the types of a package.
func (i testImporter) Import(path string) (*types.Package, error) {
	if path == i.own.Path() {
		return i.own, nil
	}
	if path == "unsafe" {
		return types.Unsafe, nil
	}
	if known := i.v.universe[path]; known != nil && known.Complete() {
		return known, nil
	}
	return nil, fmt.Errorf("the types of %s are not known", path)
}
