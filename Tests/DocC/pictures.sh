#!/bin/bash
# Draws the pictures of README.md that are not plots: the demo in a terminal, and the inspector
# with its timeline. Needs Chromium from Debian.
set -euo pipefail
cd "$(dirname "$0")/../.."
Benchmarks/environment.sh
demo=Examples/TaskTracker
# shellcheck disable=SC2086
swift build --quiet --package-path "$demo" ${EXAMPLE_FLAGS:-} ${SWIFT_FLAGS:-} --product TaskTracker
# shellcheck disable=SC2086
program=$(swift build --package-path "$demo" ${EXAMPLE_FLAGS:-} ${SWIFT_FLAGS:-} --show-bin-path)/TaskTracker
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
.venv-bench/bin/python -B Tests/DocC/terminal.py Docs/Demo.svg "make demo" 84 52 "$program" >/dev/null
"$program" --inspect "$folder/timeline.html" >/dev/null
.venv-bench/bin/python -B Tests/Integration/inspector.py "$folder/timeline.html" --events 1000 --rounds 1 \
  --screenshot Docs/Inspector.png
