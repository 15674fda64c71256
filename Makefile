GO ?= go
STATICCHECK = honnef.co/go/tools/cmd/staticcheck@v0.8.2
BENCHTIME ?= 1s

.PHONY: build install demo test test-long bench check

build:
	$(GO) build -o bin/spectradiff ./cmd/spectradiff

install:
	$(GO) install ./cmd/spectradiff

# Makes a small repository, compares its two versions and checks that the report shows what is in there.
demo: build
	./bin/spectradiff demo

test:
	$(GO) test -timeout 15m ./...

# Real modules, fetched through the go command: every version against itself (with a table of what was masked),
# also built by older Go releases and by one whose runtime is unknown; known pairs; everything instrumented.
test-long:
	SPECTRADIFF_LONG=1 $(GO) test -timeout 4h -skip '^TestSelf' ./...
	SPECTRADIFF_LONG=1 $(GO) test -timeout 8h -run '^TestSelf' -v ./cmd/spectradiff

# What recording costs: a call, a node, a step, whole test suites, by turns with what they are compared to.
bench:
	$(GO) run ./cmd/internal/bench
	$(GO) test -run '^$$' -bench . -benchtime $(BENCHTIME) ./...

check:
	@files=$$(gofmt -l $$(git ls-files '*.go' | grep -v /testdata/)); if [ -n "$$files" ]; then echo "not formatted:"; echo "$$files"; exit 1; fi
	$(GO) vet ./...
	$(GO) test -run 'ImportGraph|Acyclic|Nobody|Runtime|Standard|OnlyCommands|Sizes|Names|LeftOver' .
	@if $(GO) run $(STATICCHECK) -version >/dev/null 2>&1; then echo "$(GO) run $(STATICCHECK) ./..."; $(GO) run $(STATICCHECK) ./...; else echo "SKIPPED: staticcheck can't be fetched or built on this machine"; fi
