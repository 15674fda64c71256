package cache

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestCheckOwner checks who may have written to a folder. Cases with another owner need root.
func TestCheckOwner(t *testing.T) {
	const other = 12345
	for _, test := range []struct {
		reason string
		make   func(t *testing.T, folder string)
		root   bool // only root can make it
		sticky bool // as folders for temporary files
		want   string
	}{
		{"not there yet", func(t *testing.T, folder string) { must(t, os.Remove(folder)) }, false, false, ""},
		{"one's own", func(*testing.T, string) {}, false, false, ""},
		{"others may read", func(t *testing.T, folder string) { must(t, os.Chmod(folder, 0o755)) }, false, false, ""},
		{"one's own group may write", func(t *testing.T, folder string) {
			must(t, os.Chown(folder, -1, os.Getegid()))
			must(t, os.Chmod(folder, 0o775))
		}, false, false, ""},
		{"another group may write", func(t *testing.T, folder string) {
			must(t, os.Chown(folder, -1, other))
			must(t, os.Chmod(folder, 0o775))
		}, true, false, "others can write there (mode 775)"},
		{"all may write", func(t *testing.T, folder string) {
			must(t, os.Chmod(folder, 0o777))
		}, false, false, "others can write there (mode 777)"},
		{"all may write, also for temporary files", func(t *testing.T, folder string) {
			must(t, os.Chmod(folder, 0o777))
		}, false, true, "others can write there (mode 777)"},
		{"all may make files and touch only their own", func(t *testing.T, folder string) {
			must(t, os.Chmod(folder, 0o777|os.ModeSticky))
		}, false, true, ""},
		{"as before, in a folder that is searched for entries", func(t *testing.T, folder string) {
			must(t, os.Chmod(folder, 0o777|os.ModeSticky))
		}, false, false, "others can write there (mode 777)"},
		{"another user's", func(t *testing.T, folder string) {
			must(t, os.Chown(folder, other, -1))
		}, true, false, "it belongs to user 12345, and this is run by user 0"},
		{"another user's, for temporary files", func(t *testing.T, folder string) {
			must(t, os.Chmod(folder, 0o777|os.ModeSticky))
			must(t, os.Chown(folder, other, -1))
		}, true, true, "it belongs to user 12345"},
		{"one's own link to one's own folder", func(t *testing.T, folder string) {
			must(t, os.Rename(folder, folder+".moved"))
			must(t, os.Symlink(folder+".moved", folder))
		}, false, false, ""},
		{"one's own link to another user's folder", func(t *testing.T, folder string) {
			must(t, os.Rename(folder, folder+".moved"))
			must(t, os.Symlink(folder+".moved", folder))
			must(t, os.Chown(folder, other, -1))
		}, true, false, "it belongs to user 12345"},
		{"another user's link", func(t *testing.T, folder string) {
			must(t, os.Rename(folder, folder+".moved"))
			must(t, os.Symlink(folder+".moved", folder))
			must(t, os.Lchown(folder, other, -1))
		}, true, false, "the link belongs to user 12345"},
		{"a file", func(t *testing.T, folder string) {
			must(t, os.Remove(folder))
			write(t, folder, "")
		}, false, false, "it is no folder"},
	} {
		t.Run(test.reason, func(t *testing.T) {
			if test.root && os.Geteuid() != 0 {
				t.Skip("only root can give a folder to another user")
			}
			folder := filepath.Join(t.TempDir(), "folder")
			must(t, os.Mkdir(folder, 0o700))
			test.make(t, folder)
			err := CheckOwner(folder, test.sticky)
			if (err == nil) != (test.want == "") || err != nil && !strings.Contains(err.Error(), test.want) {
				t.Errorf("got %v, want %q", err, test.want)
			}
		})
	}
}

// TestFoldersAreOnesOwn checks that no other user can write to folders with entries, and that a folder where another
// user can is not used.
func TestFoldersAreOnesOwn(t *testing.T) {
	c := open(t, filepath.Join(t.TempDir(), "new", "cache"), 0, 0)
	for _, kind := range Kinds() {
		c.Hold(kind, "entry")
	}
	c.Finish(t.Context())
	folders := []string{"", "use"}
	for _, kind := range Kinds() {
		folders = append(folders, string(kind))
	}
	for _, name := range folders {
		folder := filepath.Join(c.folder, name)
		info, err := os.Stat(folder)
		must(t, err)
		if info.Mode().Perm() != 0o700 {
			t.Errorf("%s has mode %o, want 700", folder, info.Mode().Perm())
		}
		must(t, os.Chmod(folder, 0o777))
		_, err = Open(Settings{Folder: c.folder}, nil)
		if err == nil || !strings.Contains(err.Error(), folder+": others can write there") {
			t.Errorf("%q can be written by others, and is used: %v", name, err)
		}
		must(t, os.Chmod(folder, 0o700))
	}
}
