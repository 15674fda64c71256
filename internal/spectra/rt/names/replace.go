package names

import "strings"

// Replace replaces the qualified names in a text that the map has. What follows a replaced name after a
// dot is kept: a method, a field or a function literal.
func Replace(text string, names map[string]string) string {
	if len(names) == 0 {
		return text
	}
	var out strings.Builder
	for i := 0; i < len(text); {
		end := i
		for end < len(text) && NameByte(text[end]) {
			end++
		}
		if end == i {
			out.WriteByte(text[i])
			i++
			continue
		}
		run := strings.TrimLeft(text[i:end], ".-~") // of "...T", "<-chan T", "~T"
		out.WriteString(text[i : end-len(run)])
		i = end
		if strings.HasSuffix(run, ".") && strings.HasPrefix(text[end:], "(*") {
			replaced, used := replaceMethod(run, text[end:], names)
			out.WriteString(replaced)
			i += used
			continue
		}
		out.WriteString(replacePrefix(run, names))
	}
	return out.String()
}

// replaceMethod replaces the names at the beginning of "m/p.(*T).M", given in two parts: "m/p." and the rest.
// used is the length of the beginning of rest that replaced stands for.
func replaceMethod(pkg, rest string, names map[string]string) (replaced string, used int) {
	end := len("(*")
	for end < len(rest) && NameByte(rest[end]) {
		end++
	}
	receiver := rest[len("(*"):end]
	if method, ok := strings.CutPrefix(rest[end:], ")."); ok {
		stop := 0
		for stop < len(method) && NameByte(method[stop]) {
			stop++
		}
		whole := pkg + rest[:end] + ")." + method[:stop]
		for name := whole; len(name) > len(pkg)+end+len(")."); {
			if to, ok := names[name]; ok {
				return to + whole[len(name):], len(whole) - len(pkg)
			}
			name = name[:max(strings.LastIndexByte(name, '.'), 0)]
		}
	}
	if to, ok := names[pkg+receiver]; ok {
		dot := strings.LastIndexByte(to, '.') + 1
		return to[:dot] + "(*" + to[dot:], end
	}
	if to, ok := names[strings.TrimSuffix(pkg, ".")]; ok {
		return to + ".", 0
	}
	return pkg, 0
}

// replacePrefix replaces the longest part of a name, up to a dot, that the map has.
func replacePrefix(name string, names map[string]string) string {
	for part := name; part != ""; {
		if to, ok := names[part]; ok {
			return to + name[len(part):]
		}
		dot := strings.LastIndexByte(part, '.')
		if dot < strings.LastIndexByte(part, '/') {
			break
		}
		part = part[:max(dot, 0)]
	}
	return name
}

// NameByte reports whether an import path or identifier can have the byte.
func NameByte(b byte) bool { return PathByte(b) || b == '+' || b >= 0x80 }

// PathByte reports whether an import path can have the byte before a module path's first one.
func PathByte(b byte) bool {
	return b == '/' || b == '.' || b == '-' || b == '_' || b == '~' ||
		'0' <= b && b <= '9' || 'a' <= b && b <= 'z' || 'A' <= b && b <= 'Z'
}
