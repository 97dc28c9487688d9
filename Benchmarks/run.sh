#!/bin/bash
# Builds the benchmarks, and measures the store against Node's JSON.parse, on a flat list and on the
# screen of a realistic application, its storage and outbox on the disk, local queries, responses in
# parts against whole ones, subscriptions over a WebSocket, and the GraphQL language and the compiler
# against graphql-core, and draws the plots; `make bench` runs it.
# Argument: the number of runs.
set -euo pipefail
cd "$(dirname "$0")/.."
python=.venv-bench/bin/python
Benchmarks/environment.sh
# The tables are drawn also when a part of them could not be measured.
trap '"$python" -B Benchmarks/plots.py' EXIT
swift build --quiet -c release --package-path Benchmarks/Store
store=$(swift build -c release --package-path Benchmarks/Store --show-bin-path)/store-benchmark
python3 -B Benchmarks/store.py "$store"
python3 -B Benchmarks/storage.py "${store%/*}/storage-benchmark"
python3 -B Benchmarks/local.py "${store%/*}/local-benchmark"
python3 -B Benchmarks/live.py "${store%/*}/live-benchmark"
python3 -B Benchmarks/screen.py "${store%/*}/screen-benchmark"
schema=../shared/schemas/github.graphql
if [ ! -f "$schema" ]; then
  echo "Skipped: there is no $schema to measure with."
  exit 0
fi
swift build --quiet -c release --package-path Benchmarks/Language
binary=$(swift build -c release --package-path Benchmarks/Language --show-bin-path)/language-benchmark
"$python" -B Benchmarks/run.py "$binary" "$schema" "${1:-15}"
swift build --quiet -c release --product relay-compiler
swift build --quiet --product relay-compiler
"$python" -B Benchmarks/compiler.py "$(swift build -c release --show-bin-path)/relay-compiler" "$schema" "${1:-9}" \
  "$(swift build --show-bin-path)/relay-compiler"
"$python" -B Benchmarks/editing.py "$(swift build -c release --show-bin-path)/relay-compiler" "$schema"
if [ -d ../shared/apps ]; then
  swift build --quiet -c release --target RelayStore
  python3 -B Benchmarks/Generated/measure.py "$(swift build -c release --show-bin-path)/relay-compiler" \
    "$(swift build -c release --show-bin-path)/Modules" ../shared/apps 3
fi
