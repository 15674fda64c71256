package build

import (
	"path/filepath"
	"slices"
	"testing"
)

// TestUnlinked: what linkers print says which packages can't be in one program, and why.
func TestUnlinked(t *testing.T) {
	dir := t.TempDir()
	native := func(path, text string, users ...string) Native {
		file := filepath.Join(dir, filepath.Base(path)+".go")
		write(t, file, []byte(text))
		return Native{Package: path, Main: path == "m/one" || path == "m/two", Files: []string{file},
			Users: append(users, path)}
	}
	r := Request{Package: "m/zspectra_driver", Parts: map[string]string{
		"m": "/v", "m/one": "/v/one", "m/two": "/v/two", "m/lib": "/v/lib", "m/uses": "/v/uses", "m/asm": "/v/asm",
	}, Natives: []Native{
		native("m/lib", "#cgo LDFLAGS: -lnosuch\nint far(int);\n//export Set\n", "m/uses", "m/far"),
		native("m/one", "//export Text\n//export Set\n"), native("m/two", "//export Text\n"),
		native("other/d", "#cgo LDFLAGS: -lother", "m/uses"), native("other/e", "#cgo LDFLAGS: -lelse"),
	}}
	const (
		head = "# m/zspectra_driver\n/go/link: running gcc failed: exit status 1\ngcc -o a.out -lnosuch -Wl,x=Text\n"
		why  = " it can't be linked with the others: "
		lib  = "m/uses it needs m/lib, which can't be linked with the others: "
	)
	for _, c := range []struct {
		reason, output string
		want           []string
	}{
		{"one name twice", head + "ld: /t/go-link-1/2.o: in function `far':\n" +
			"/t/x.c:7: multiple definition of `Text'; /t/go-link-1/3.o:/t/x.c:7: first defined here\n", []string{
			"m/one" + why + "/t/x.c:7: multiple definition of `Text'; 3.o:/t/x.c:7: first defined here",
			"m/two" + why + "/t/x.c:7: multiple definition of `Text'; 3.o:/t/x.c:7: first defined here",
		}},
		{"a command goes before others", head + "ld: duplicate symbol '_Set' in:\n",
			[]string{"m/one" + why + "ld: duplicate symbol '_Set' in:"}},
		{"a library, and who uses the package", head + "ld: cannot find -lnosuch: No such file\n", []string{
			lib + "ld: cannot find -lnosuch: No such file", "m/lib" + why + "ld: cannot find -lnosuch: No such file",
		}},
		{"a symbol of another linker", head + "ld.lld: error: undefined symbol: far\n", []string{
			lib + "ld.lld: error: undefined symbol: far", "m/lib" + why + "ld.lld: error: undefined symbol: far",
		}},
		{"the library of another module", head + "ld: cannot find -lother\n",
			[]string{"m/uses it needs other/d, which can't be linked with the others: ld: cannot find -lother"}},
		{"of a package that nothing needs", head + "ld: cannot find -lelse\n", nil},
		{"what nobody mentions may be that of any, of commands first", head + "ld: cannot find -lz\n",
			[]string{"m/one" + why + "ld: cannot find -lz", "m/two" + why + "ld: cannot find -lz"}},
		{"two packages of Go", "# m/zspectra_driver\nm/asm.F: relocation target m/uses.g not defined\n", []string{
			"m/asm" + why + "m/asm.F: relocation target m/uses.g not defined",
			"m/uses" + why + "m/asm.F: relocation target m/uses.g not defined",
		}},
		{"a linker that was killed", head + "collect2: fatal error: ld terminated with signal 9 [Killed]\n", nil},
		{"a full disk", head + "ld: final link failed: No space left on device\n", nil},
		{"a link error of another program", "# other/d\nld: cannot find -lnosuch\n", nil},
		{"nothing is said of linking", "# m/zspectra_driver\nlink: internal error\n", nil},
	} {
		var got []string
		for _, f := range r.faults(c.output) {
			if f.Ours || f.Step != linking {
				t.Errorf("%s: %+v", c.reason, f)
			}
			got = append(got, f.Package+" "+f.Reason)
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("%s: got\n%q, want\n%q", c.reason, got, c.want)
		}
	}
}
