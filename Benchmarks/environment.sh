#!/bin/bash
# Makes .venv-bench, the Python environment of the benchmarks and the pictures, unless it is current.
set -euo pipefail
cd "$(dirname "$0")/.."
stamp=.venv-bench/requirements.installed.txt
if ! cmp -s Benchmarks/requirements.txt "$stamp"; then
  echo "Making the Python environment of the benchmarks in .venv-bench …"
  rm -rf .venv-bench
  python3 -m venv .venv-bench
  .venv-bench/bin/python -m pip install --quiet --disable-pip-version-check --requirement Benchmarks/requirements.txt
  cp Benchmarks/requirements.txt "$stamp"
fi
