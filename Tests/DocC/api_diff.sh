#!/bin/bash
# Compares the API of the libraries with that of a revision, by SwiftPM's diagnose-api-breaking-changes,
# and prints what breaks code that uses it. Builds both. Argument: the revision. Its status is 1 if
# something breaks, and 2 if nothing was compared.
set -euo pipefail
cd "$(dirname "$0")/../.."
[ -n "${1:-}" ] || { echo "usage: make api-diff BASE=revision" >&2; exit 2; }
products=(RelayStore RelayNetwork RelayLive RelayURLSession RelayPersistence RelayLocalQueries RelayRecording RelayStoreTesting RelayInspector GraphQLLanguage RelayCompiler RelayTools)
log=$(mktemp)
trap 'rm -f "$log"' EXIT
echo "Comparing with $1; both are built, which takes minutes …" >&2
status=0
swift package diagnose-api-breaking-changes "$1" --products "${products[@]}" > "$log" 2>&1 || status=$?
breakages=$(grep -c 'API breakage:' "$log" || true)
# SwiftPM fails when something breaks, too: a failure without a breakage is one of the comparison.
if ! grep -qE 'breaking changes? detected in' "$log" || { [ "$status" != 0 ] && [ "$breakages" = 0 ]; }; then
  cat "$log" >&2
  exit 2
fi
sed -nE '/breaking changes? detected in/,$p' "$log"
for product in "${products[@]}"; do
  grep -qE "breaking changes? detected in $product\b" "$log" || echo "Not compared: $product"
done
[ "$breakages" = 0 ]
