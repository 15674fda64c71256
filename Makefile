GO ?= go
BENCHTIME ?= 1s
FUZZTIME ?= 30s

# Tools of the checks, as tools/go.mod pins them. The first run builds them, which takes minutes.
TOOL = $(GO) tool -modfile=tools/go.mod

# Everything of this module that compiles by itself: its packages, and what stands for generated programs.
ALL = ./... ./testdata/generated

# Packages whose tests run in the test's own process, without builds and drivers: the race detector sees all of them.
PURE = ./internal/spectra ./internal/spectra/archive ./internal/spectra/symbol ./internal/diff/... ./internal/report \
	./internal/report/json ./internal/report/text ./internal/report/summary ./internal/replay/sequence \
	./internal/replay/generate ./internal/replay/gocommand

.PHONY: build install demo test test-all test-long fuzz bench evaluate siemens sweep commits origins check help
.PHONY: format vet tidy lint gates systems race benchmarks

build: ## builds bin/spectradiff
	$(GO) build -o bin/spectradiff ./cmd/spectradiff

install: ## puts the command where go install does
	$(GO) install ./cmd/spectradiff

# Makes a small repository, compares its two versions and checks that the report shows what is in there.
demo: build ## compares the two versions of an embedded example
	./bin/spectradiff demo

# Units, properties, and a script or a few for each feature. What go vet has to say of tests, make check says. Compilers
# take most of the time where nothing is compiled yet, and a tenth less if they may leave more garbage.
test: ## runs the quick tests, minutes in all, for every change
	GOGC=200 $(GO) test -short -vet=off -timeout 30m ./...

test-all: ## runs all tests but those on released modules
	$(GO) test -vet=off -timeout 82m ./...

# Real modules, fetched through the go command: every version against itself (with a table of what was masked),
# also built by older Go releases and by one whose runtime is unknown; known pairs; everything instrumented.
test-long: ## runs the tests on released modules as well, for hours
	SPECTRADIFF_LONG=1 $(GO) test -timeout 4h -skip '^TestSelf' ./...
	SPECTRADIFF_LONG=1 $(GO) test -timeout 8h -run '^TestSelf' -v ./cmd/spectradiff
	$(MAKE) fuzz

# What it finds lies in testdata/fuzz of the package, as a case that every later test run repeats.
fuzz: ## runs every fuzz test for FUZZTIME
	@git grep -n '^func Fuzz' -- '*_test.go' | sed 's|^\(.*\)/[^/]*:[0-9]*:func \(Fuzz[A-Za-z]*\).*|\1 \2|' | \
	while read -r folder name; do \
		echo "$$folder $$name"; $(GO) test -run '^$$' -fuzz "^$$name$$" -fuzztime $(FUZZTIME) "./$$folder" || exit 1; \
	done

# What recording costs: a call, a node, a step, whole test suites, by turns with what they are compared to.
bench: ## measures what recording costs and what generating brings; all parts take hours, -only takes one
	$(GO) run ./cmd/internal/lab bench
	$(GO) test -run '^$$' -bench . -benchtime $(BENCHTIME) ./...

# Mutants of released modules, made by a mutation tool that the go command fetches: half an hour and more.
evaluate: build ## measures what comparisons find of mutants
	$(GO) run ./cmd/internal/lab evaluate

# Fifty faults in five small programs, twice: half an hour and more.
siemens: build ## measures what spectra show of seeded faults, as Xie's experiment did
	$(GO) run ./cmd/internal/lab siemens

# Two hours and more, and some gigabytes of modules.
sweep: build ## compares the last two releases of many modules, to find those that can't be compared
	$(GO) run ./cmd/internal/lab sweep

# For each commit two or three comparisons. REPOSITORIES are folders of clones.
commits: build ## measures single commits of large repositories: make commits REPOSITORIES='DIR DIR'
	$(GO) run ./cmd/internal/lab commits $(REPOSITORIES)

# Up to an hour for each repository.
origins: build ## measures whether commits of faults are found: make origins REPOSITORIES='DIR DIR'
	$(GO) run ./cmd/internal/lab origins $(REPOSITORIES)

check: format vet tidy lint gates systems race benchmarks ## runs all checks that are not tests of behaviour

# The files below testdata are formatted too.
format:
	@files=$$(gofmt -l .); if [ -n "$$files" ]; then echo "not formatted:"; echo "$$files"; exit 1; fi

vet:
	$(GO) vet $(ALL)

tidy:
	$(GO) mod tidy -diff
	$(GO) -C tools mod tidy -diff

# Mistakes, sizes, comments, names: see .golangci.yml, of which a key that does not exist fails too.
lint: ## runs the linter alone
	$(TOOL) golangci-lint config verify
	$(TOOL) golangci-lint run $(ALL)

# Imports, functions that only tests reach: see deps_test.go.
gates:
	$(GO) test -count=1 .

# Saved reports are read everywhere; where nothing can be compared, the command says so.
systems:
	for system in darwin windows; do GOOS=$$system $(GO) build -o /dev/null ./cmd/spectradiff || exit 1; done

race:
	$(GO) test -race $(PURE)

# Every benchmark runs once, so that none rots. What it prints says nothing.
benchmarks:
	$(GO) test -run '^$$' -bench . -benchtime 1x ./...
	$(GO) run ./cmd/internal/lab bench -only executor -runs 1

help: ## lists what make does
	@sed -n 's/^\([a-z-]*\):[^#]*## /\1\t/p' $(MAKEFILE_LIST) | while IFS="$$(printf '\t')" read -r name text; do \
		printf '    make %-10s %s\n' "$$name" "$$text"; \
	done
