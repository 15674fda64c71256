// Spectradiff compares two versions of a Go module from the inside.
//
// It runs both versions with generated call sequences, the tests of the old version and its
// commands, records the state at every function entry and exit, and reports where the two runs
// deviate and which change is the root, even where every final output is the same.
//
// A report names few roots, ranked. Each says where the cause lies, whether an output shows it
// (visible) or not (masked), which values differ, the call tree on which the deviation spreads,
// and the shortest sequence that shows it. A root is confirmed if old with its change alone shows
// the same, and new without it does not. Else it is likely: the recorded values point to it.
//
// Flags may stand before or behind the arguments, with one dash or with two. The report is on
// standard output and nothing else is; progress and log are on standard error. Unless --color
// says otherwise, colours are used on a terminal only, and not where NO_COLOR is set. Two runs
// with the same --seed and --sequences print the same report, but for durations and memory in JSON
// (docs/contract.md names the exception).
//
// The user's checkout, its index and its references are never written to, but for what is asked
// for by name (--out, --emit and the like) and .spectradiff/accepted.json, which accept writes.
// The driven code runs confined to a scratch folder; where the system can't confine it, the run
// stops and names what is missing, unless --no-sandbox is given.
//
// # Commands
//
//	spectradiff compares two versions of a Go module from the inside: it runs both with
//	the same generated calls, tests of the old version and commands, records the values
//	at every function entry and exit, and names the functions in which they begin to
//	deviate, and the change that is the cause.
//
//	examples:
//	  spectradiff compare main...HEAD          a branch, from where it left main
//	  spectradiff compare HEAD                 what is not committed yet
//	  spectradiff compare v1.2.0 v1.3.0        two releases
//	  spectradiff compare --run ^TestX$ main   why a test fails now
//
//	commands:
//	  compare OLD [NEW] [PACKAGE...]  compare two versions of a module from the inside
//	  bisect OLD..NEW [PACKAGE...]    find the commits that brought in what differs
//	  series FIRST..LAST|REV REV...   what changed between each two of several versions
//	  merge FILE...                   make one report of the shards of a run
//	  show REPORT.json|FILE.spectra   print a saved report or kept spectra
//	  accept REPORT.json [RANK...]    accept findings, so that they fail no more
//	  explain REPORT.json [RANK]      step through a finding, from its cause to its effect
//	  worker --nats URL               do work of comparisons on other machines
//	  serve                           run a NATS server for comparisons and workers
//	  cache [clear]                   what the cache holds; clear empties it
//	  demo                            the main job on an embedded repository
//	  completion bash|zsh|fish        complete commands, flags and revisions in a shell
//	  version                         print the versions of spectradiff and of Go
//	  help [COMMAND]                  print this, or a command's flags
//	  help opaque [DIR]               print which types are not compared, and why
//	  help formats                    print what --format and --out can write
//	  help schema                     print the JSON Schema of --format json
//	  help man                        print all as a page for man -l -
//
//	A root has a tier, its degree of harm. The tiers, the worst first:
//
//	  crash      a panic, exit, hang or deadlock where there was none, or the reverse
//	  error      an error where there was none, or the reverse
//	  value      a result, an argument, an output or a file
//	  latent     a value that outlives the driven call, and that no output shows
//	  internal   every driven call begins and ends alike; inside, values differ
//	  text       only the wording of an error, of a panic or of a log line
//	  calls      no value of any matched execution differs, other functions are called
//	  potential  seen only by calling an unexported function directly
//
//	The tier nondeterminism says that new varies from run to run where old does not;
//	it ranks with value where an output shows it, else with latent.
//
//	exit status:
//	  0  nothing deviates that --fail-on names and that nobody accepted; also if little
//	     of the change ran, unless --fail-on is not-reached
//	  1  something does
//	  2  trouble, with an error; or a report that is not complete, because the run was
//	     interrupted, or shards are missing, or, unless something deviates, because too
//	     much of it was lost
//	--fail-on takes a tier (that and worse ones); any: all but calls and potential;
//	visible: those of any that a caller of the module sees; not-reached: any, and that
//	less than half of the change ran; none. demo ends with 0 when it has shown what it
//	should.
//
// # Comparing
//
//	usage: spectradiff compare [flags] OLD [NEW] [PACKAGE...]
//
//	compare two versions of a module from the inside
//
//	OLD and NEW are revisions as git understands them: a branch, a tag, HEAD~3, a
//	short hash. OLD..NEW and OLD...NEW (from the merge base) work as in git diff.
//	NEW left out means the working tree, uncommitted changes included. PACKAGE is
//	a pattern as the go command takes it (default ./...). Of those packages, the
//	ones that the change touches are run, and the nearest of those that it can reach
//	or that can see it; --all runs all.
//
//	At the root of a repository, and without PACKAGE, all modules whose code the change
//	touches are compared, with one report that names files from there. In a folder of
//	a module it is that module.
//
//	Defaults of flags may stand in .spectradiff/config.toml at the root of the repository,
//	a flag a line, as in seed = 2, drive = ["api", "tests"], fail-on = "visible": all,
//	budget, color, deps, details, drive, explore, fail-on, format, jobs, no-proof,
//	redundancy, rename, secret, seed, sequences and timeout. Flags on the command line win.
//
//	With --format jsonl each root is printed as a line of JSON as soon as it is proven,
//	and the report in the last line.
//
//	Calls are generated for the time of --budget, or until --sequences are kept; the budget
//	does not count then. --timeout is for the whole run. Without it a run whose standard error
//	is a terminal has 5m, unless --budget or --sequences is given; others have no limit, but
//	without any of the three, tests and commands end some 4½ minutes after the begin.
//	When the time is over, or at Ctrl-C, the report says what is known by then, marked as
//	partial. A second Ctrl-C ends the run at once.
//
//	Renamed declarations are recognised by their types and bodies. Where that fails,
//	--rename OLD=NEW says it of a function, a method (p.T.M), a type, a field (p.T.field),
//	a variable or a package; a name may be shortened as long as it is unique.
//
//	With --deps, dependencies whose version changed are recorded too, so that a root can
//	lie in their code. Their files are named as in a vendor folder.
//
//	A path that leads out of the repository (a folder that go.mod replaces a module
//	by, or go.work uses; a symbolic link that the build follows) is refused. With
//	--allow-outside DIR it may lead into DIR. Relative paths lead where they do in the
//	working tree, and both versions are built with what DIR holds at the start.
//
//	With --explore N each type that the change can reach is explored first: every call,
//	with N numbers and N texts as arguments, on every value that up to N calls make; equal
//	values count once. N above 5 takes very long; 20 is the most.
//
//	Sequences that show nothing new are dropped; new is a result or a state that was not
//	seen before. --redundancy R drops a sequence if all its calls were made before on equal
//	receivers and arguments in place of that. R says what equal means: made by the same
//	calls (whole-seq), or by the same of those that changed something (modifying-seq),
//	reaching equal values (whole-state), equal in what their method Equal reads
//	(monitor-equals), or as Equal says (pairwise-equals).
//
//	With --commits each root says which commit between OLD and NEW brought it in, as
//	spectradiff bisect finds it, and the commits are listed: first those whose subject
//	says that behaviour stays (refactoring, cleanup, typo, docs, bump, performance, tests).
//	Without --timeout the search for commits has no limit.
//
//	With --shards N the run is divided: each shard has a seed of its own, an Nth of
//	--sequences, and some of the tests and commands. With --shard K/N only shard K is
//	done, and --out part=FILE writes what spectradiff merge needs of it. So several
//	machines can each do a shard, and merge makes one report of their files. --budget is
//	for each shard. --emit, --corpus, --keep and --commits need a run that is not divided.
//
//	Types that the repository lists in .spectradiff/opaque are not compared;
//	spectradiff help opaque prints how to write it, and all the types of that kind.
//
//	flags:
//	  -C DIR              the repository, or a folder in it (default .)
//	  --all               run all packages, not only those near the change
//	  --allow-outside DIR a build may read DIR, outside of the repository; may be repeated
//	  --budget DURATION   time for generating calls, such as 2m; auto ends by itself, within 60s (default auto)
//	  --color WHEN        auto, always or never: colours in text (default auto)
//	  --commits           say which commit brought in each root, see help bisect
//	  --corpus DIR        play the sequences in DIR first, and keep telling ones there
//	  --deps              record what differs in dependencies too
//	  --details           say all about the run in text: noise, exposure, what was generated
//	  --drive LIST        what is run, of api (calls), tests, command (default api,tests,command)
//	  --emit DIR          write a Go test for each root below DIR
//	  --explore N         first every call on every value that up to N calls lead to
//	  --fail-on WHAT      any, visible, not-reached, none or a tier: what gives exit status 1 (default any)
//	  --first-parent      do not look into branches that were merged
//	  --format F          format of the report on standard output; help formats lists them (default text)
//	  --jobs N            drivers and builds at the same time (default number of CPUs)
//	  --keep DIR          leave sources, builds and raw spectra in DIR
//	  --nats URL          have workers at a NATS server do their part, see help worker
//	  --nats-ca FILE      who may sign the server's certificate (default whom the system trusts)
//	  --nats-cert FILE    certificate of this client, with --nats-key
//	  --nats-creds FILE   NATS credentials of the user
//	  --nats-key FILE     key of --nats-cert
//	  --no-progress       no progress on standard error, and no notes without -v
//	  --no-proof          leave out the experiments that confirm roots
//	  --no-sandbox        go on where confinement is not available
//	  --not-secret REGEXP such names and values are no secrets; may be repeated
//	  --out F=FILE        also write format F to FILE; may be repeated
//	  --redundancy R      what makes a call a repetition, such as whole-state; see help compare
//	  --rename OLD=NEW    what old calls OLD is NEW in new, as in p.T.a=p.T.b; may be repeated
//	  --run REGEXP        only tests that match, unchanged; benchmarks too, if REGEXP has the word Benchmark
//	  --secret REGEXP     values with such a name are secrets, too; may be repeated
//	  --seed N            the only source of randomness (default 1)
//	  --sequences N       keep N sequences, whatever time that takes (default by budget)
//	  --shard K/N         do the Kth of N shards, which merge puts together; see --out part
//	  --shards N          do N shards, one after the other, and make one report
//	  --show-secrets      print passwords, tokens and the like as they are
//	  --timeout DURATION  time for the whole run, 0 = no limit (default 5m on a terminal, see help compare)
//	  --trace FILE        write timings to FILE, as spans of OpenTelemetry, in lines of JSON
//	  -v                  say more on standard error, such as what was left out
//
// # Finding commits
//
//	usage: spectradiff bisect [flags] OLD..NEW [PACKAGE...]
//
//	find the commits that brought in what differs
//
//	Compares OLD with NEW, as compare does, and then finds for each root the commit at
//	which its shortest sequence first gives another value. The sequence serves as the
//	test: nobody has to write one.
//
//	A commit that is built answers for all roots at once. The next one to build is the
//	one that is expected to tell most, by what each commit touches: the lines of a
//	root, its function, its package. Commits that change nothing that the sequences
//	can reach are never built. Those that do not build, or on which the sequence does
//	not compile, are skipped; the answer then names a range. A value that changes
//	several times on the way has several commits: both sides of each commit that
//	touches the root's function are asked.
//
//	The commits are those of the first parents; if a merge is the cause, the branch that
//	it took in is searched next, unless --first-parent is given. If OLD is no ancestor of
//	NEW, the search goes over their merge base, and the report marks commits that only
//	OLD has.
//
//	With --timeout half of the time is for comparing OLD with NEW. Without it the search
//	has no limit; that comparison has 5m on a terminal, without --budget and --sequences.
//
//	Answers are kept in the cache. After Ctrl-C the report says between which commits
//	each root lies, and the same command continues from there.
//
//	With --run only tests that match are played, as they are.
//
//	With --exec nothing is compared: COMMAND, which sh runs in a copy of a commit's
//	files, tells commits apart, as with git bisect run. Status 0 passes; 125, SIGKILL
//	and more than ten minutes skip the commit; any other status fails. A commit where
//	COMMAND fails is skipped if it does not compile, unless the one of OLD and NEW that
//	fails does not either, or if a module is missing that can't be fetched; so is one
//	that lacks the folder -C. COMMAND has to pass on one of OLD and NEW and fail on the
//	other. Flags that say how versions are compared can't be given: --all,
//	--allow-outside, --budget, --deps, --drive, --jobs, --keep, --rename, --run, --seed,
//	--sequences. COMMAND is confined, without a network (modules that are missing are
//	fetched before), sees $TMPDIR and not /tmp, and can change the copy alone. Then the
//	change within the commit is found: the command runs on the commit before with some
//	of what changed, declaration by declaration (delta debugging, 40 runs at most), until
//	few are left that make it end so, and on the commit without these. With -v what the
//	command prints is shown.
//
//	flags:
//	  -C DIR              the repository, or a folder in it (default .)
//	  --all               run all packages, not only those near the change
//	  --allow-outside DIR a build may read DIR, outside of the repository; may be repeated
//	  --budget DURATION   time for generating calls, such as 2m; auto ends by itself, within 60s (default auto)
//	  --color WHEN        auto, always or never: colours in text (default auto)
//	  --deps              record what differs in dependencies too
//	  --details           say all about the run in text: noise, exposure, what was generated
//	  --drive LIST        what is run, of api (calls), tests, command (default api,tests,command)
//	  --exec COMMAND      tell commits apart by a command for sh, such as 'go test ./...'
//	  --fail-on WHAT      any, visible, not-reached, none or a tier: what gives exit status 1 (default any)
//	  --first-parent      do not look into branches that were merged
//	  --format F          format of the report on standard output; help formats lists them (default text)
//	  --jobs N            drivers and builds at the same time (default number of CPUs)
//	  --keep DIR          leave sources, builds and raw spectra in DIR
//	  --nats URL          have workers at a NATS server do their part, see help worker
//	  --nats-ca FILE      who may sign the server's certificate (default whom the system trusts)
//	  --nats-cert FILE    certificate of this client, with --nats-key
//	  --nats-creds FILE   NATS credentials of the user
//	  --nats-key FILE     key of --nats-cert
//	  --no-progress       no progress on standard error, and no notes without -v
//	  --no-proof          leave out the experiments that confirm roots
//	  --no-sandbox        go on where confinement is not available
//	  --not-secret REGEXP such names and values are no secrets; may be repeated
//	  --out F=FILE        also write format F to FILE; may be repeated
//	  --rename OLD=NEW    what old calls OLD is NEW in new, as in p.T.a=p.T.b; may be repeated
//	  --run REGEXP        only tests that match, unchanged; benchmarks too, if REGEXP has the word Benchmark
//	  --secret REGEXP     values with such a name are secrets, too; may be repeated
//	  --seed N            the only source of randomness (default 1)
//	  --sequences N       keep N sequences, whatever time that takes (default by budget)
//	  --show-secrets      print passwords, tokens and the like as they are
//	  --timeout DURATION  time for the whole run, 0 = no limit (default 0, see above)
//	  --trace FILE        write timings to FILE, as spans of OpenTelemetry, in lines of JSON
//	  -v                  say more on standard error, such as what was left out
//
// # Comparing several versions
//
//	usage: spectradiff series [flags] FIRST..LAST|REV REV...
//
//	what changed between each two of several versions
//
//	FIRST..LAST stands for the tags of all releases from one to the other, such as
//	v1.0.0..v1.9.0, in the order of their versions; those of a module in a folder have
//	the folder in front, as in lib/v1.2.0, which may be left out inside the folder.
//	Releases of other branches are included in that order, even if LAST does not contain them.
//	Versions before a release (v1.2.0-rc.1) are left out, unless --pre is given. Other
//	revisions are listed one by one, and both may be mixed, as in v1.0.0..v1.9.0 HEAD.
//
//	Each version is compared with the next one, as compare does without PACKAGE, and
//	all are shown in one table with the first roots of each pair. The time of --timeout
//	is for each pair. A pair that can't be compared is listed with the reason. The exit
//	status is 1 if that of a pair is, and 2 if none could be compared.
//
//	A root is marked where a later version takes it back: the same function with the
//	same tier and reach, and either the edit of one is the reverse of the other's, line
//	by line, or the same calls show both, with the same values exchanged.
//
//	The report of a pair is kept in the cache as long as both versions hold the same,
//	and taken from there by a later run with the same settings and the same tool: a new
//	tag costs one comparison. Reports of runs that ended early are not kept, nor any
//	with --allow-outside. At Ctrl-C what is known is printed, marked as partial.
//
//	Formats are text, json, markdown (a change-log) and html. With --reports DIR the
//	report of each pair is written to DIR, as OLD..NEW.json, which show reads.
//
//	flags:
//	  -C DIR              the repository, or a folder in it (default .)
//	  --all               run all packages, not only those near the change
//	  --allow-outside DIR a build may read DIR, outside of the repository; may be repeated
//	  --budget DURATION   time for generating calls, such as 2m; auto ends by itself, within 60s (default auto)
//	  --color WHEN        auto, always or never: colours in text (default auto)
//	  --deps              record what differs in dependencies too
//	  --details           say all about the run in text: noise, exposure, what was generated
//	  --drive LIST        what is run, of api (calls), tests, command (default api,tests,command)
//	  --explore N         first every call on every value that up to N calls lead to
//	  --fail-on WHAT      any, visible, not-reached, none or a tier: what gives exit status 1 (default any)
//	  --format F          format of the report on standard output; help formats lists them (default text)
//	  --jobs N            drivers and builds at the same time (default number of CPUs)
//	  --nats URL          have workers at a NATS server do their part, see help worker
//	  --nats-ca FILE      who may sign the server's certificate (default whom the system trusts)
//	  --nats-cert FILE    certificate of this client, with --nats-key
//	  --nats-creds FILE   NATS credentials of the user
//	  --nats-key FILE     key of --nats-cert
//	  --no-progress       no progress on standard error, and no notes without -v
//	  --no-proof          leave out the experiments that confirm roots
//	  --no-sandbox        go on where confinement is not available
//	  --not-secret REGEXP such names and values are no secrets; may be repeated
//	  --out F=FILE        also write format F to FILE; may be repeated
//	  --pre               also versions before a release, such as v1.2.0-rc.1
//	  --redundancy R      what makes a call a repetition, such as whole-state; see help compare
//	  --reports DIR       write the report of each pair to DIR
//	  --run REGEXP        only tests that match, unchanged; benchmarks too, if REGEXP has the word Benchmark
//	  --secret REGEXP     values with such a name are secrets, too; may be repeated
//	  --seed N            the only source of randomness (default 1)
//	  --sequences N       keep N sequences, whatever time that takes (default by budget)
//	  --show-secrets      print passwords, tokens and the like as they are
//	  --timeout DURATION  time for each pair, 0 for no limit (default 0)
//	  --trace FILE        write timings to FILE, as spans of OpenTelemetry, in lines of JSON
//	  -v                  say more on standard error, such as what was left out
//
// # Merging
//
//	usage: spectradiff merge [flags] FILE...
//
//	make one report of the shards of a run
//
//	FILEs are what compare --shard K/N --out part=FILE wrote, one for each shard, in
//	any order. The report is the one that compare --shards N makes of the same versions
//	with the same flags, but for durations. The exit status is that of the comparison,
//	decided anew by --fail-on where it is given.
//
//	A file of another run is refused, and so is a shard that is there twice. Where a
//	shard is missing the report says so, is partial, and the exit status is 2.
//
//	flags:
//	  --color WHEN        auto, always or never: colours in text (default auto)
//	  --details           say all about the run in text: noise, exposure, what was generated
//	  --fail-on WHAT      any, visible, not-reached, none or a tier: what gives exit status 1
//	  --format F          format of the report on standard output; help formats lists them (default text)
//	  --not-secret REGEXP such names and values are no secrets; may be repeated
//	  --out F=FILE        also write format F to FILE; may be repeated
//	  --secret REGEXP     values with such a name are secrets, too; may be repeated
//	  --show-secrets      print passwords, tokens and the like as they are
//
// # Showing
//
//	usage: spectradiff show [flags] REPORT.json|FILE.spectra
//
//	print a saved report or kept spectra
//
//	REPORT.json is what --format json or --out json=FILE wrote; - reads standard
//	input. The exit status is that of the comparison, decided anew by --fail-on
//	where it is given.
//
//	FILE.spectra is one of the files that compare --keep DIR leaves in DIR/old/spectra
//	and DIR/new/spectra. Its sequences are printed with what was recorded of them:
//	statements, executions with the values or digests of their states, outcome. Only
//	--sequence applies to it. The exit status is 0, or 2 if the file is damaged: then
//	what stands before that is printed.
//
//	flags:
//	  --color WHEN        auto, always or never: colours in text (default auto)
//	  --details           say all about the run in text: noise, exposure, what was generated
//	  --fail-on WHAT      any, visible, not-reached, none or a tier: what gives exit status 1
//	  --format F          format of the report on standard output; help formats lists them (default text)
//	  --not-secret REGEXP such names and values are no secrets; may be repeated
//	  --out F=FILE        also write format F to FILE; may be repeated
//	  --secret REGEXP     values with such a name are secrets, too; may be repeated
//	  --sequence N        of FILE.spectra print only sequence N
//	  --show-secrets      print passwords, tokens and the like as they are
//
// # Accepting
//
//	usage: spectradiff accept [flags] REPORT.json [RANK...]
//
//	accept findings, so that they fail no more
//
//	Findings are named by their ranks in REPORT.json, which --format json or
//	--out json=FILE wrote, or by their fingerprints. They are written into
//	.spectradiff/accepted.json at the root of the repository, one a line; nothing
//	else is touched. Commit that file with the change: compare reads it in NEW.
//
//	An accepted finding is listed in a line, and does not count for the exit status.
//	It stays accepted with other seeds, when its code moves, and when a local variable
//	gets another name. Another edit of the function is another finding. Findings of
//	bisect --exec can't be accepted: they count, whatever the file says.
//
//	An entry is stale if a comparison ran its function and did not show the finding.
//	Reports name such entries, and --prune removes those that are stale by REPORT.json.
//	Entries of functions that did not run, or did not change, are never stale, so one file
//	can serve several comparisons.
//
//	With --interactive each finding that is not accepted yet is printed, and a line is
//	read from standard input: a accepts, r accepts for another reason, s skips, q ends.
//	What was decided is written at the end, also after q or when the input ends.
//
//	flags:
//	  -C DIR              the repository, or a folder in it (default .)
//	  --all               accept all findings that are not accepted yet
//	  --author NAME       who accepts (default user.name and user.email of git, else $USER)
//	  --date DATE         the day, as in 2026-11-26 (default today)
//	  --interactive       ask for each finding
//	  --list              print what is accepted, with REPORT.json also what is stale
//	  --prune             remove what is stale by REPORT.json
//	  --reason TEXT       why, in one line
//
// # Explaining
//
//	usage: spectradiff explain [flags] REPORT.json [RANK]
//
//	step through a finding, from its cause to its effect
//
//	REPORT.json is what --format json or --out json=FILE wrote; - reads standard
//	input. RANK names a finding of it, as its fingerprint does, and is left out for the
//	first one that is not accepted.
//
//	What is shown: what deviates, the changed lines, the call tree of both versions,
//	and for each execution the values at its begin and its end in both versions, with
//	the source beside them. The source is that of the report's commits, read from the
//	repository at -C; nothing is checked out. Where the repository or a commit is not
//	there, a line says so. Reports keep the first 200 characters of a value. With
//	--replay both versions are built and the sequence is played again: then values
//	are shown whole.
//
//	On a terminal the arrow keys step through it, and ? lists the keys. With --plain,
//	and where the output is no terminal, the same is printed in order, for each step
//	on the way from the cause to its effect.
//
//	The exit status is 0, or 2 in trouble, as where the report has no such finding.
//
//	flags:
//	  -C DIR              the repository, or a folder in it (default .)
//	  --color WHEN        auto, always or never: colours on a terminal (default auto)
//	  --no-sandbox        with --replay, go on where confinement is not available
//	  --not-secret REGEXP such names and values are no secrets; may be repeated
//	  --plain             print it, also on a terminal
//	  --replay            play the sequence again, to show whole values
//	  --secret REGEXP     values with such a name are secrets, too; may be repeated
//	  --show-secrets      print passwords, tokens and the like as they are
//
// # Several machines
//
//	usage: spectradiff worker [flags] --nats URL
//
//	do work of comparisons on other machines
//
//	A worker serves comparisons with the same --nats that are run by the same build of
//	spectradiff, on the same system, with the same sandbox. It ignores others, and they
//	say why. A task is to play sequences on a driver, which the worker fetches, in
//	its own sandbox. Or it is a whole piece of a run: a question of bisect to a commit, a
//	shard of compare --shards N, a pair of series. For those it fetches the commits, and
//	loads, builds and compares as anybody does, with the modules that its go command finds
//	and a cache of its own. It takes pieces of those whose go command has the same version
//	and settings; with --plays-only it takes none. All that it fetches is checked against
//	its address, and removed at the end.
//
//	A comparison with workers has the same report as one without, whatever becomes of
//	them: what a worker does not manage is done by another, or by the comparison.
//	Workers may come and go while comparisons run. At SIGTERM or Ctrl-C a worker hands
//	back what it holds, and ends. One on which five tasks in a row fail ends, and says why.
//
//	The server is any NATS server with JetStream, or spectradiff serve. Who is let in is
//	said by NATS's own means: a user or token in the address, --nats-creds, --nats-cert.
//	Whoever is let in can have workers run programs, in their sandbox, and compile others,
//	and can read what comparisons hand out: drivers, commits, and the files of versions
//	that tests read.
//
//	flags:
//	  --jobs N            tasks at the same time (default by CPUs and memory)
//	  --nats URL          the NATS server
//	  --nats-ca FILE      who may sign the server's certificate (default whom the system trusts)
//	  --nats-cert FILE    certificate of this client, with --nats-key
//	  --nats-creds FILE   NATS credentials of the user
//	  --nats-key FILE     key of --nats-cert
//	  --no-sandbox        go on where confinement is not available
//	  --plays-only        play, and do no whole pieces of runs, which load and build
//	  -v                  say more on standard error
//
// # A server
//
//	usage: spectradiff serve [flags]
//
//	run a NATS server for comparisons and workers
//
//	A NATS server with JetStream, over which comparisons and workers on several machines
//	work together: start it on one of them, then workers with spectradiff worker --nats URL,
//	and add --nats URL to a comparison. It prints its address, and ends at SIGTERM or
//	Ctrl-C. Whoever reaches the address is let in, unless --config says otherwise: it is
//	a configuration file of nats-server, as with users and TLS. It also says where the
//	server listens and in which folder it keeps what it has, unless --listen and --store do.
//
//	What is handed over is kept in --store until it is a day old; without a folder it is
//	removed at the end.
//
//	flags:
//	  --config FILE       a configuration file of nats-server
//	  --listen HOST:PORT  where the server listens; port 0 is any free one (default 127.0.0.1:4222)
//	  --store DIR         keep what is handed over in DIR
//
// # The cache
//
//	usage: spectradiff cache [flags] [clear]
//
//	what the cache holds; clear empties it
//
//	The cache holds versions, drivers and module files, which later comparisons take
//	again, and the reports of series: spectradiff in the user's folder for caches, or the
//	folder that SPECTRADIFF_CACHE names, with an absolute path. After a comparison, but
//	once an hour at most unless the limit is exceeded, entries that were unused for 30
//	days are removed, then the least recently used, down to 2G, or to what
//	SPECTRADIFF_CACHE_SIZE says, as in 500M; 0 is no limit. What a running comparison uses
//	stays. clear removes all the rest. What is damaged there is made again. A folder that
//	others can write is not used.
//
//	flags:
//	  -v                  list the entries
//
// # Demonstrating
//
//	usage: spectradiff demo [flags]
//
//	the main job on an embedded repository
//
//	The repository holds two versions of a job queue: a refactoring whose outputs
//	all match while an internal value deviates, a visible regression, and a
//	harmless rename. It is made in a temporary folder, which is removed again.
//
//	flags:
//	  --color WHEN        auto, always or never: colours in text (default auto)
//	  --details           say all about the run in text: noise, exposure, what was generated
//	  --format F          format of the report on standard output; help formats lists them (default text)
//	  --jobs N            drivers and builds at the same time (default number of CPUs)
//	  --keep DIR          leave sources, builds and raw spectra in DIR
//	  --nats URL          have workers at a NATS server do their part, see help worker
//	  --nats-ca FILE      who may sign the server's certificate (default whom the system trusts)
//	  --nats-cert FILE    certificate of this client, with --nats-key
//	  --nats-creds FILE   NATS credentials of the user
//	  --nats-key FILE     key of --nats-cert
//	  --no-progress       no progress on standard error, and no notes without -v
//	  --no-proof          leave out the experiments that confirm roots
//	  --no-sandbox        go on where confinement is not available
//	  --trace FILE        write timings to FILE, as spans of OpenTelemetry, in lines of JSON
//	  -v                  say more on standard error, such as what was left out
//
// # Completing
//
//	usage: spectradiff completion bash|zsh|fish
//
//	complete commands, flags and revisions in a shell
//
//	Put one of these where the shell starts:
//
//	  bash  source <(spectradiff completion bash)
//	  zsh   source <(spectradiff completion zsh)
//	  fish  spectradiff completion fish | source
//
// # Version
//
//	usage: spectradiff version
//
//	print the versions of spectradiff and of Go
package main
