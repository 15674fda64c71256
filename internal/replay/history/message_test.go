package history

import (
	"strings"
	"testing"

	"github.com/spectradiff/spectradiff/internal/spectra"
)

func TestPullRequest(t *testing.T) {
	for _, c := range []struct {
		reason, message string
		want            int
	}{
		{"a merge", "Merge pull request #123 from o/branch\n\nfix things (#7)\n", 123},
		{"a squashed branch", "tls: expand placeholders (#7609)\n\n* more (#1)\n", 7609},
		{"a backport has two numbers", "[release-3.5] auth: check (#123) (#456)", 456},
		{"a merge request", "Merge branch 'x' into 'main'\n\nTitle\n\nSee merge request group/sub/x!77", 77},
		{"line ends of another system", "Title (#12)\r\n\r\nText", 12},
		{"an issue in the text", "Title\n\nFixes #12, see (#13)\n", 0},
		{"an issue inside of the subject", "Fix #1858: add params", 0},
		{"a number in front", "(#12) title", 0},
		{"a merge request is named inside of a line", "Title\n\nI think: See merge request a/b!3 for more", 0},
		{"a number that is too long", "Title (#12345678901)", 0},
		{"nothing", "", 0},
	} {
		if got := PullRequest(c.message); got != c.want {
			t.Errorf("%s: %d, want %d", c.reason, got, c.want)
		}
	}
}

// TestPurposeOf reads subjects as authors write them.
func TestPurposeOf(t *testing.T) {
	for purpose, subjects := range map[spectra.Purpose][]string{
		refactoring: {
			"refactor: Make the `version` command use views architecture for human and JSON output. (#38925)",
			"refactor(init,state_migrate): use new methods for logging",
			"Refactor how the `init` human view prepares messages (#38973)",
			"refactor to use reflect.TypeFor (#2812)",
			"repository: rename Lock function to LockRepo",
			"restic: move Printer interface from internal/ui/progress",
			"backup: move options finalization to BackupOptions.Finalize",
			"bloblru: unexport get and put",
			"[release-1.2] core: renamed node to vertex",
		},
		cleanup: {
			"repository: comment cleanups", "xds/resolver: minor cleanup in the config selector implementation (#8609)",
			"Cleanup delay calculation for readability (#8758)", "all: gofmt", "Apply go fix -mapsloop ./...",
			"all: Run go fix ./...", "clusterimpl: remove unused code in tests (#8634)",
			"transport: delete unused field \"wq\" in \"serverHeaders\"", "style: shorter lines", "Fix lint errors",
			"Simplify the loop over routes", "clean up imports",
		},
		typo: {
			"Fix typo in ServeMux", "caddyhttp: fix typos", "docs/typo: typo in a name", "spelling",
			"grpc: Fixing spelling typo (#8756)", "chore: fix spelling mistakes in names",
		},
		docs: {
			"docs: Update godoc comments for the `ProviderInstaller` interface",
			"doc: clarify forget --prune --json output",
			"docs: add comments to util.go `randomString` (#2494)", "CHANGELOG(3.7): Set 3.7.0 release date",
			"Update README.md", "[docs] Document route.Get* methods consistently (#338)",
			"[docs]: add CORS example", "chore: fix some comments to improve readability (#7395)",
			"Documentation: remove trailing whitespace in features.md", "removed unnecessary comments",
		},
		bump: {
			"Bump the github-actions-breaking group with 3 updates (#170)",
			"chore(deps): bump the security group across 1 directory with 2 updates",
			"build(deps): bump golang.org/x/image from 0.43.0 to 0.44.0", "Bump Go to 1.26.6",
			"go.mod: Upgrade CertMagic",
			"chore(deps): update module x to v2", "dependency: bump google.golang.org/grpc from 1.82.1 to 1.83.0",
			"chore: update quic-go to v0.56.0", "Update deps to latest versions",
			"deps: update all dependencies (#8673)",
			"update golang.org/x deps to latest versions",
		},
		performance: {
			"perf(replacer): optimize memory allocation for file placeholders (#7773)",
			"tpl/collections: Speed up where and sort performance",
			"transport: avoid slice reallocation and allocations during header creation",
			"restic: speed up repository initialization", "mem: reduce allocations", "optimise the parser",
		},
		tests: {
			"test: Add `WrappedMockUi` to the command/ui package", "tests/robustness: adapt helpers to API changes",
			"vars: Add tests for placeholders", "update tests (#2275)", "add unit-test",
			"xds: extend tests of the client",
			"Add more tests for realm quoting",
			"metrics: fix flaky tests", "server: add benchmark for fast keys",
		},
		"": {
			"fix: clean up after the last test",
			"fix(lint): resolve staticcheck issues and improve code quality (#2941)",
			"refactor: add support for views", "cleanup and fix a race", "feat(middleware): simplify limits",
			"perf: fix panic", "refactor!: simplify the API", "Merge pull request #1 from o/refactor-docs",
			"tests: fix data race on client watch operations", "Revert \"refactor: use views\"",
			"add test command", "mem: add `Buffer.Slice()`", "Split XFF header only by comma", "comment out the check",
			"clean up temporary files on exit", "Move to parson.c in https://github.com/kgabis/parson",
			"rename the flag --old to --new", "security: bump x", "Documents are sorted", "testing one's patience",
			"Remove items deprecated <= v0.136.0", "update the limit to 10", "Redact headers", "typography of headings",
			"[FIX] Simplify fetching (#1062)", "caddyfile: Fix formatting for backquote wrapped braces (#6903)",
			"Move to using paths from environment variables",
			"remove unnecessary write from deferral check", "performance of the new option",
			"docs server listens on ::1",
			"Cleanup after 1.16.0-alpha20260603 release", "", "style", "caddyhttp: Default max_header_bytes to 16 KiB",
		},
	} {
		for _, subject := range subjects {
			if got := PurposeOf(subject); got != purpose {
				t.Errorf("%q is %q, want %q", subject, got, purpose)
			}
		}
	}
}

// FuzzMessage: any message is read without trouble, and what is around a subject does not matter to its
// purpose.
func FuzzMessage(f *testing.F) {
	for _, seed := range []string{
		"Merge pull request #12 from a/b", "fix typo (#1)", "refactor(x): y", "a: b: c: d", ": ", "(#1)",
		"\n\nx", "\xff: gofmt",
		"See merge request a!1", "test: add",
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, message string) {
		if n := PullRequest(message); n < 0 || n > 999_999_999 {
			t.Errorf("%q has the number %d", message, n)
		}
		subject := strings.TrimSpace(message)
		if one, other := PurposeOf(subject), PurposeOf("  "+subject+" "); one != other {
			t.Errorf("%q is %q, with spaces around %q", subject, one, other)
		}
		if purpose := PurposeOf("fix: " + subject); purpose != "" {
			t.Errorf("a fix of %q is %q", subject, purpose)
		}
	})
}
