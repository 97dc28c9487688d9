#!/bin/bash
# Measures reads during commits of 1.2 and 12 MB, and threads that read at the same time;
# `make bench-readers` runs it.
set -euo pipefail
cd "$(dirname "$0")/.."
swift build --quiet -c release --package-path Benchmarks/Store --product readers-benchmark
binary=$(swift build -c release --package-path Benchmarks/Store --show-bin-path)/readers-benchmark
for observers in 0 10000; do
  for kind in same changed new; do
    "$binary" hitch 7700 $kind $((observers / 10)) 200
    "$binary" hitch 77000 $kind $observers 40
  done
done
for threads in 1 2 4 16; do
  for kind in disjoint same; do "$binary" scale $threads $kind 2; done
done
