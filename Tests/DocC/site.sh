#!/bin/bash
# Makes the documentation a web site for any static host, in .build-documentation/site.
# Arguments: the path of the site on its host, such as /relaystore, or nothing for its root; a
# revision whose public API is compared, or nothing.
set -euo pipefail
cd "$(dirname "$0")/../.."
output=.build-documentation
changes=$output/changes.txt
mkdir -p "$output"
if [ -n "${2:-}" ]; then
  Tests/DocC/api_diff.sh "$2" > "$changes" || [ $? = 1 ]
  make --no-print-directory documentation CHANGES="$changes"
else
  make --no-print-directory documentation
fi
rm -rf "$output/site"
docc process-archive transform-for-static-hosting "$output/RelayStore.doccarchive" \
  --output-path "$output/site" --hosting-base-path "${1:-/}"
python3 -B Tests/DocC/site_pages.py "$output/site" "${1:-/}"
echo "The site is $output/site; its first page is ${1:-}/."
