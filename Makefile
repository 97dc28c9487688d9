# make demo       run the example, a task tracker in the terminal; ARGS=--offline runs it without a
#                 network, kills it and starts it again
# make demo-http  run it against the integration tests' GraphQL server; ARGS=--websocket subscribes
#                 over a WebSocket instead of server-sent events
# make test       run every test, including those against the integration tests' GraphQL server
# make editor     random sessions of an editor with the language server, against validate; SESSIONS=n
#                 for another number, SEED=n for other choices. Then Neovim, Emacs and the extension
#                 for VS Code, with the files of init --editor
# make soak       compare the store with its model and its published versions with each other, a
#                 million operations each, generated code with random
#                 schemas, responses in parts with plain ones, a thousand operations, and 50,000
#                 schedules of operations in flight; let graphql-core validate the texts of 10,000 random
#                 documents and judge 300 changes of schemas; receive events over a WebSocket for a minute
#                 each with 1 and 100 subscriptions; ask the language server about every position
#                 of real documents, and rename 1,000 names. SEED=n for other random choices. The
#                 storage: see soak-storage
# make soak-storage  kill 2,200 processes, lose power 1,000 times, let each call of SQLite to the disk
#                 fail, let an app and two extensions exchange 10,000 mutations, cut off 10,000 answers, compare 100,000 operations with a dictionary; then the
#                 storage's tests with another version of SQLite, and under the thread sanitizer
# make apple      type-check every module for all of Apple's platforms, on Linux; CI does it for macOS and iOS
#                 without test files
# make sanitize-thread, make sanitize-address
#                 run the store under eight threads and a sanitizer, a million operations; STRESS=n
#                 for another number. The store's invariants are checked after every 1,000
#                 operations of a thread; INVARIANTS=n for another interval
# make narrow     compile what an app links for a watch whose Int has 32 bits, on Linux
# make faults     mutation testing: plant small faults in a copy of the sources and report which of
#                 them the tests catch. Takes hours; SEED=n for another sample, FAULTS=n for another
#                 number of faults; see Tests/Faults/README.md
# make format     format the sources in place
# make lint       check the format
# make readability  count what makes the sources hard to read; fails on a function over 40 lines, and
#                 on more of a phrase that native writers avoid than accent-limits.txt allows
# make documentation  build the reference documentation of the public modules and the guides with
#                 DocC, in .build-documentation; a declaration without a comment is an error
# make site       the same as a web site for a static host, in .build-documentation/site; with
#                 SITE_PATH=/path if it is not at the root of its host, and with an article about the
#                 changes of the API with BASE=revision
# make api-diff BASE=revision  compare the public API with that of a revision: print what breaks code
#                 that uses it. Builds the package and the revision, which takes minutes
# make api-names BASE=revision  check that the table of names in CHANGELOG.md covers every difference
#                 between the public API and that of a revision
# make pictures   draw the demo and the inspector in README.md
# make bench      measure the store against JSON.parse, its storage and outbox, live data, and the
#                 GraphQL language and the compiler against graphql-core; writes Docs/Reference/Performance.md
#                 and draws its tables in Docs/Plots
# make bench-readers  measure reads on the main thread during commits of 1.2 and 12 MB, and threads that
#                 read at the same time
# make bench-build  measure the first build of the README's program in a new clone of HEAD with both build
#                 systems, in debug and in release, the size of the apps in Benchmarks/Apps, and the
#                 compilation of a generated enum of 1,000 values. Takes minutes; fails if an app has
#                 symbols of a module that it does not link
# make distribution  build relay-compiler for this machine's platform, and pack it into an artifact bundle
#                 in Distribution/.build-bundle; URL=https://… also makes the package to publish. Takes
#                 minutes; see Docs/ContinuousIntegration.md
# make distribution-test  build the README's program with that bundle, served by this machine, and check
#                 the errors for mistakes and for versions that do not fit. Takes minutes
# make schema     write the test server's schema to the file that the scenarios and the demo read

SWIFT_FLAGS ?=
SOURCES = $(shell find $(wildcard Package.swift Sources Plugins Distribution Tests Examples Benchmarks Fuzz) \
  -name '*.swift' -not -path '*/.build*/*')
EXAMPLE = Examples/TaskTracker
SCHEMA = $(EXAMPLE)/Sources/TaskTrackerServer/schema.graphql

OPERATIONS ?= 1000000
ROUND_TRIPS ?= 20
INCREMENTAL_CASES ?= 1000
DOCUMENTS ?= 10000
SCHEMA_CHANGES ?= 300
SESSIONS ?= 5
EVENT_SECONDS ?= 60
STRESS ?= 1000000
INVARIANTS ?= 1000
KILLS ?= 2200
POWER_LOSSES ?= 1000
PROCESS_ROUNDS ?= 5000
PROCESS_KILLS ?= 500
CUT_ANSWERS ?= 10000
SCHEDULES ?= 50000
STORAGE_OPERATIONS ?= 100000
FAULTS ?= 60
SEED ?= 1
# A build of the package with the long-running tests only, optimized for their long forms.
DEBUG = -Xswiftc -DRELAYSTORE_CHECK_INVARIANTS --package-path Tests/Stress
OPTIMIZED = -c release -Xswiftc -enable-testing $(DEBUG)
STRESS_BUILD ?= $(OPTIMIZED)

.PHONY: demo demo-http test editor soak soak-storage sanitize-thread sanitize-address apple narrow faults format lint readability documentation site api-diff api-names pictures bench bench-readers bench-build distribution distribution-test schema setup

demo:
	@Tests/Integration/setup.sh --system
	@echo "Building the task tracker; the first build takes some minutes …" >&2
	@swift run --quiet --package-path $(EXAMPLE) $(EXAMPLE_FLAGS) $(SWIFT_FLAGS) TaskTracker $(ARGS)

demo-http: setup
	@.venv/bin/python Tests/Integration/with_server.py \
	  swift run --quiet --package-path $(EXAMPLE) $(EXAMPLE_FLAGS) $(SWIFT_FLAGS) TaskTracker --endpoint {endpoint} $(ARGS)

# Tests that run at once. Without a limit the runner starts all of them, and a test that awaits
# a response waits for its turn behind all that compute: longer than the timeout of its request.
TESTS_AT_ONCE ?= 2

test: setup
	@echo "Building the tests; the first build takes some minutes …" >&2
	RELAYSTORE_REQUIRE_SERVER=1 swift test $(SWIFT_FLAGS) \
	  --experimental-maximum-parallelization-width $(TESTS_AT_ONCE)

apple: setup
	@swift build --build-tests --quiet $(SWIFT_FLAGS)
	@.venv/bin/python -B Tests/AppleFrameworks --all

narrow: setup
	@.venv/bin/python -B Tests/NarrowInt

editor:
	@Tests/Integration/setup.sh --editor
	@swift build --quiet $(SWIFT_FLAGS) --product relay-compiler
	@binary="$$(swift build $(SWIFT_FLAGS) --show-bin-path)/relay-compiler"; \
	  .venv/bin/python -B Tests/Integration/LanguageServer "$$binary" --seed $(SEED) --sessions $(SESSIONS) \
	  && for editor in neovim emacs vscode settings; do \
	    .venv/bin/python -B Tests/Integration/Editors/$$editor.py "$$binary" || exit 1; \
	  done

soak: setup soak-storage
	$(MAKE) --no-print-directory editor SESSIONS=500
	RELAYSTORE_SESSIONS=40 RELAYSTORE_POSITION_STEP=1 RELAYSTORE_SEED=$(SEED) \
	  swift test $(SWIFT_FLAGS) --filter 'LanguagePropertyTests|RealLanguageTests|SessionTests'
	RELAYSTORE_REQUIRE_SERVER=1 RELAYSTORE_DOCUMENTS=$(DOCUMENTS) RELAYSTORE_SEED=$(SEED) \
	  swift test $(SWIFT_FLAGS) --filter SentTextPropertyTests
	RELAYSTORE_REQUIRE_SERVER=1 RELAYSTORE_CHANGES=$(SCHEMA_CHANGES) RELAYSTORE_SEED=$(SEED) \
	  swift test $(SWIFT_FLAGS) --filter SchemaChangeTests
	RELAYSTORE_MODEL_OPERATIONS=$(OPERATIONS) RELAYSTORE_SEED=$(SEED) \
	  swift test $(OPTIMIZED) --scratch-path .build-soak --filter StoreModelTests
	RELAYSTORE_MODEL_OPERATIONS=$(OPERATIONS) RELAYSTORE_SEED=$(SEED) swift test $(SWIFT_FLAGS) --filter VersionModelTests
	RELAYSTORE_ROUND_TRIPS=$(ROUND_TRIPS) RELAYSTORE_SEED=$(SEED) swift test $(SWIFT_FLAGS) --filter RoundTripTests
	RELAYSTORE_REQUIRE_SERVER=1 RELAYSTORE_INCREMENTAL_CASES=$(INCREMENTAL_CASES) RELAYSTORE_INCREMENTAL_ORDERS=720 RELAYSTORE_SEED=$(SEED) \
	  swift test $(SWIFT_FLAGS) --filter OracleTests
	RELAYSTORE_REQUIRE_SERVER=1 RELAYSTORE_SCHEDULES=$(SCHEDULES) RELAYSTORE_SEED=$(SEED) \
	  swift test $(SWIFT_FLAGS) --filter ScheduleTests
	swift build --quiet -c release --package-path Benchmarks/Store --product live-benchmark
	python3 -B Benchmarks/live.py \
	  "$$(swift build -c release --package-path Benchmarks/Store --show-bin-path)/live-benchmark" --soak $(EVENT_SECONDS)

soak-storage: setup
	RELAYSTORE_KILLS=$(KILLS) RELAYSTORE_POWER_LOSSES=$(POWER_LOSSES) RELAYSTORE_DISK_FAULT_STEP=1 \
	  RELAYSTORE_STORAGE_OPERATIONS=$(STORAGE_OPERATIONS) RELAYSTORE_BIT_FLIPS=2000 RELAYSTORE_SEED=$(SEED) \
	  RELAYSTORE_PROCESS_ROUNDS=$(PROCESS_ROUNDS) RELAYSTORE_PROCESS_KILLS=$(PROCESS_KILLS) \
	  swift test $(SWIFT_FLAGS) --experimental-maximum-parallelization-width $(TESTS_AT_ONCE) --filter RelayPersistenceTests
	RELAYSTORE_REQUIRE_SERVER=1 RELAYSTORE_CUT_ANSWERS=$(CUT_ANSWERS) RELAYSTORE_SEED=$(SEED) \
	  swift test $(SWIFT_FLAGS) --filter OutboxScenarios
	RELAYSTORE_SQLITE_LIBRARY=$$(.venv/bin/python -B Tests/Integration/sqlite_library.py .build) \
	  swift test $(SWIFT_FLAGS) --experimental-maximum-parallelization-width $(TESTS_AT_ONCE) --filter RelayPersistenceTests
	TSAN_OPTIONS=halt_on_error=1 swift test $(SWIFT_FLAGS) --scratch-path .build-thread-storage --sanitize=thread \
	  --experimental-maximum-parallelization-width $(TESTS_AT_ONCE) --filter RelayPersistenceTests

sanitize-thread sanitize-address: sanitize-%:
	RELAYSTORE_STRESS_OPERATIONS=$(STRESS) RELAYSTORE_SEED=$(SEED) RELAYSTORE_STRESS_INVARIANTS=$(INVARIANTS) ASAN_OPTIONS=detect_leaks=0 TSAN_OPTIONS=halt_on_error=1 \
	  swift test $(STRESS_BUILD) --scratch-path .build-$* --sanitize=$* --filter StressTests

faults:
	@python3 -B Tests/Faults/plant.py --seed $(SEED) --faults $(FAULTS)

format:
	@swift format -i $(SOURCES)

lint:
	@swift format lint --strict $(SOURCES)

readability:
	@python3 -B Tests/Readability/report.py $(wildcard Sources/*) Plugins Tests Benchmarks
	@python3 -B Tests/Readability/accent.py

documentation:
	@swift build --quiet $(SWIFT_FLAGS) --target RelayStoreTesting
	@swift build --quiet $(SWIFT_FLAGS) --target RelayLive
	@swift build --quiet $(SWIFT_FLAGS) --target RelayURLSession
	@swift build --quiet $(SWIFT_FLAGS) --target RelayPersistence
	@swift build --quiet $(SWIFT_FLAGS) --target RelayInspector
	@SWIFT_FLAGS="$(SWIFT_FLAGS)" Tests/DocC/build.sh $(CHANGES)

site:
	@Tests/DocC/site.sh "$(SITE_PATH)" "$(BASE)"

api-diff:
	@Tests/DocC/api_diff.sh "$(BASE)"

api-names:
	@python3 -B Tests/DocC/api_names.py "$(BASE)"

pictures:
	@Tests/DocC/pictures.sh

bench:
	@Benchmarks/run.sh $(RUNS)

bench-readers:
	@Benchmarks/readers.sh

bench-build:
	@python3 -B Benchmarks/first_build.py
	@swift build --quiet $(SWIFT_FLAGS) --product relay-compiler
	@python3 -B Benchmarks/large_enum.py "$$(swift build --show-bin-path)"

distribution:
	@python3 -B Distribution/prepare.py build
	@python3 -B Distribution/prepare.py bundle $(if $(URL),--url $(URL))

distribution-test:
	@python3 -B Distribution/check.py

schema: setup
	.venv/bin/python Tests/Integration/Server --schema > $(SCHEMA)

setup:
	@Tests/Integration/setup.sh
