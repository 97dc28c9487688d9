#!/bin/bash
# Builds the reference documentation of the public modules, and the guides as articles, with the
# toolchain's docc, into .build-documentation. Fails on a warning, such as a link without a target, on
# a public declaration without a comment, and on one that is not in exactly one group of its module's
# page. Runs on Linux, and needs a build of the package, which `make documentation` makes first.
# Argument: a file with the changes of the API, which becomes an article, or nothing.
set -euo pipefail
cd "$(dirname "$0")/../.."
# shellcheck disable=SC2086
modules=$(swift build ${SWIFT_FLAGS:-} --show-bin-path)/Modules
output=.build-documentation
rm -rf "$output"/{stubs,graphs,archives,RelayStore.doccarchive}
mkdir -p "$output/stubs" "$output/archives"
target=$(swiftc -print-target-info | python3 -c 'import json, sys; print(json.load(sys.stdin)["target"]["triple"])')
search=(-I "$output/stubs" -I "$modules" -I Sources/CLibCurl/include -module-cache-path "$output/cache")

# RelaySwiftUI is empty where there is no SwiftUI: its declarations are those of a module that is
# compiled against a stub of that framework, without the bodies of functions.
stub() {
  local name=$1
  shift
  swiftc -swift-version 6 -parse-as-library -package-name relaystore "${search[@]}" \
    -Xfrontend -experimental-skip-all-function-bodies \
    -emit-module -module-name "$name" -o "$output/stubs/$name.swiftmodule" "$@"
}
stub SwiftUI Tests/AppleFrameworks/Stubs/SwiftUI.swift
stub RelaySwiftUI Sources/RelaySwiftUI/*.swift

dependencies=()
for module in RelayStore RelayNetwork RelayLive RelayURLSession RelaySwiftUI RelayStoreTesting RelayPersistence RelayLocalQueries RelayRecording RelayInspector; do
  graphs=$output/graphs/$module
  mkdir -p "$graphs"
  swift symbolgraph-extract -module-name "$module" -target "$target" "${search[@]}" \
    -minimum-access-level public -skip-synthesized-members -emit-extension-block-symbols \
    -output-dir "$graphs"
  # Links of one module to another's symbols need the archive of the other.
  docc convert "Sources/$module/$module.docc" --additional-symbol-graph-dir "$graphs" \
    --output-dir "$output/archives/$module.doccarchive" "${dependencies[@]}" \
    --fallback-display-name "$module" --fallback-bundle-identifier "$module" \
    --fallback-default-module-kind Module --enable-experimental-external-link-support \
    --warnings-as-errors --ide-console-output
  dependencies+=(--dependency "$output/archives/$module.doccarchive")
done
python3 -B Tests/DocC/coverage.py "$output"/graphs/*
python3 -B Tests/DocC/articles.py "$output/Guides.docc" "$@"
docc convert "$output/Guides.docc" --output-dir "$output/archives/Guides.doccarchive" \
  --fallback-display-name Guides --fallback-bundle-identifier Guides \
  --warnings-as-errors --ide-console-output
docc merge "$output"/archives/*.doccarchive --synthesized-landing-page-name RelayStore \
  --output-path "$output/RelayStore.doccarchive"
