#!/bin/bash
# Type-checks RelaySwiftUI and the example of Docs/Views.md against SwiftUI.swift, where SwiftUI itself is missing.
# Needs a build of the package.
set -euo pipefail
cd "$(dirname "$0")/../.."
build=$(swift build --show-bin-path)
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
flags=(-swift-version 6 -warnings-as-errors -parse-as-library -I "$folder" -I "$build/Modules" -module-cache-path "$folder/cache")

module() {
  local name=$1
  shift
  swiftc "${flags[@]}" -emit-module -module-name "$name" -o "$folder/$name.swiftmodule" "$@"
}

module SwiftUI Tests/SwiftUI/SwiftUI.swift
module RelaySwiftUI Sources/RelaySwiftUI/*.swift
"$build/relay-compiler" compile --config Tests/Guides/relay.config.json --output "$folder/generated" >/dev/null
swiftc "${flags[@]}" -typecheck -module-name Guides "$folder"/generated/*.swift Tests/SwiftUI/Example.swift
echo "RelaySwiftUI and its example are type-correct; they were not run."
