package command

import (
	"io/fs"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/spectradiff/spectradiff/internal/replay/repository"
)

// Limits of what is read, and of what is found.
const (
	mostFiles    = 2000      // documents, scripts and tests that are looked at
	mostRead     = 256 << 10 // bytes of one of them
	mostLines    = 48        // of one command
	mostArgs     = 24        // of one line
	mostContent  = 8 << 10   // bytes of a file that a command finds
	mostSamples  = 4
	leastSamples = 2 // files with an extension, if it is that of a sample
)

// Lines finds uses of commands in the documents, scripts and tests below a folder, and files of it that may be their
// input: for each command by its name, whose main package lies in a folder.
func Lines(root string, commands map[string]string) (map[string][]Line, []File) {
	m := miner{root: root, commands: commands, lines: map[string][]Line{}, content: map[string]string{}}
	m.walk()
	samples := m.samples()
	for name, list := range m.lines {
		chosen := varied(list)
		for i := range chosen {
			chosen[i].Files = m.filesOf(chosen[i], commands[name], samples)
		}
		m.lines[name] = chosen
	}
	return m.lines, samples
}

// A miner collects lines and small files.
type miner struct {
	root     string
	commands map[string]string // name → folder of the main package
	lines    map[string][]Line
	content  map[string]string // small text files by their names below root
}

// skipped are folders in which nothing of the module lies.
func skipped(name string) bool {
	return slices.Contains([]string{".git", "vendor", "node_modules"}, name)
}

func (m *miner) walk() {
	read, readers := 0, readers()
	_ = filepath.WalkDir(m.root, func(name string, entry fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return nil //nolint:nilerr // what can't be read gives no lines
		case entry.IsDir() && skipped(entry.Name()):
			return filepath.SkipDir
		case !entry.Type().IsRegular():
			return nil
		}
		reads := readers[strings.ToLower(filepath.Ext(name))]
		if entry.Name() == "Makefile" {
			reads = (*miner).script
		}
		info, err := entry.Info()
		if err != nil || reads == nil && info.Size() > mostContent || info.Size() > mostRead {
			return nil //nolint:nilerr // likewise
		}
		if read++; read > mostFiles {
			return filepath.SkipAll
		}
		relative, err := filepath.Rel(m.root, name)
		if err != nil {
			return nil //nolint:nilerr // likewise
		}
		data, err := repository.ReadFile(m.root, relative)
		if err != nil || !utf8.Valid(data) || strings.ContainsRune(string(data), 0) {
			return nil //nolint:nilerr // likewise
		}
		if reads != nil {
			reads(m, relative, string(data))
		}
		if len(data) <= mostContent && len(data) > 0 {
			m.content[filepath.ToSlash(relative)] = string(data)
		}
		return nil
	})
}

// readers says how files are read, by their extensions.
func readers() map[string]func(m *miner, name, text string) {
	return map[string]func(m *miner, name, text string){
		".md": (*miner).document, ".adoc": (*miner).document, ".rst": (*miner).document,
		".txt": (*miner).archive, ".txtar": (*miner).archive,
		".sh": (*miner).script, ".bats": (*miner).script, ".bash": (*miner).script,
		".go": (*miner).goFile,
	}
}

func (m *miner) add(name string, l Line) {
	if len(l.Args) <= mostArgs {
		m.lines[name] = append(m.lines[name], l)
	}
}

// varied chooses lines: first those with a flag or a first word that none before them has.
func varied(list []Line) (chosen []Line) {
	seen, lines := map[string]bool{}, map[string]bool{}
	var others []Line
	for _, l := range list {
		key := l.Of("")
		if lines[key] {
			continue
		}
		lines[key] = true
		fresh := false
		for i, arg := range l.Args {
			flag, _, _ := strings.Cut(arg, "=")
			if (i == 0 || strings.HasPrefix(arg, "-")) && !seen[flag] {
				seen[flag], fresh = true, true
			}
		}
		if fresh {
			chosen = append(chosen, l)
		} else {
			others = append(others, l)
		}
	}
	chosen = append(chosen, others...)
	return chosen[:min(len(chosen), mostLines)]
}

// samples returns a small file for each of the usual extensions, the most frequent first.
func (m *miner) samples() (list []File) {
	count, least := map[string]int{}, map[string]string{}
	for name, text := range m.content {
		ext := path.Ext(name)
		if ext == "" || strings.HasPrefix(path.Base(name), ".") || slices.Contains(sources(), ext) {
			continue
		}
		count[ext]++
		if before, ok := least[ext]; !ok || len(text) < len(m.content[before]) ||
			len(text) == len(m.content[before]) && name < before {
			least[ext] = name
		}
	}
	var exts []string
	for ext, n := range count {
		if n >= leastSamples {
			exts = append(exts, ext)
		}
	}
	slices.SortFunc(exts, func(x, y string) int {
		if count[x] != count[y] {
			return count[y] - count[x]
		}
		return strings.Compare(x, y)
	})
	for _, ext := range exts[:min(len(exts), mostSamples)] {
		list = append(list, File{"sample" + ext, m.content[least[ext]]})
	}
	return list
}

// sources are extensions of files that commands seldom read.
func sources() []string { return []string{".go", ".mod", ".sum", ".work", ".md"} }

// filesOf returns the files that a line names: those of the module, or samples under the names that it says.
func (m *miner) filesOf(l Line, folder string, samples []File) []File {
	files := slices.Clone(l.Files)
	within, _ := filepath.Rel(m.root, folder)
	for _, arg := range l.Args {
		if _, value, ok := strings.Cut(arg, "="); ok && strings.HasPrefix(arg, "-") {
			arg = value
		}
		name := path.Clean(arg)
		if arg == "" || !filepath.IsLocal(name) || len(files) == mostSamples ||
			slices.ContainsFunc(files, func(f File) bool { return f.Name == name }) {
			continue
		}
		text, known := m.content[path.Join(filepath.ToSlash(within), name)]
		if !known {
			text, known = m.content[name]
		}
		for _, s := range samples {
			if !known && path.Ext(s.Name) == path.Ext(name) {
				text, known = s.Content, true
			}
		}
		if known {
			files = append(files, File{name, text})
		}
	}
	return files
}
