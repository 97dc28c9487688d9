#!/bin/bash
# Type-checks the sources that exist on Apple's platforms or in Xcode only, and their examples in
# Docs, against stubs of the frameworks that they use. Needs a build of the package.
set -euo pipefail
cd "$(dirname "$0")/../.."
build=$(swift build --show-bin-path)
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
flags=(-swift-version 6 -warnings-as-errors -parse-as-library -package-name relaystore -I "$folder" -I Sources/CLibCurl/include -module-cache-path "$folder/cache")

module() {
  local name=$1
  shift
  swiftc "${flags[@]}" -emit-module -module-name "$name" -o "$folder/$name.swiftmodule" "$@"
}

module SwiftUI Tests/AppleFrameworks/SwiftUI.swift
module CoreData Tests/AppleFrameworks/CoreData.swift
module SwiftData Tests/AppleFrameworks/SwiftData.swift
module os Tests/AppleFrameworks/os.swift
mapfile -t store < <(find Sources/RelayStore -name '*.swift')
module RelayStore "${store[@]}"
module RelaySwiftUI Sources/RelaySwiftUI/*.swift

swiftc "${flags[@]}" -typecheck -module-name Logging Tests/AppleFrameworks/LoggingExample.swift

"$build/relay-compiler" compile --config Tests/Guides/relay.config.json --output "$folder/guides" >/dev/null
swiftc "${flags[@]}" -typecheck -module-name Guides "$folder"/guides/*.swift Tests/AppleFrameworks/SwiftUIExample.swift

"$build/relay-compiler" compile --schema Tests/AppleFrameworks/people.graphql --output "$folder/people" \
  --file Tests/AppleFrameworks/CoreDataExample.swift CoreDataExample.swift.graphql.swift >/dev/null
swiftc "${flags[@]}" -typecheck -module-name People "$folder"/people/*.swift Tests/AppleFrameworks/CoreDataExample.swift
"$build/relay-compiler" compile --schema Tests/AppleFrameworks/people.graphql --output "$folder/models" \
  --file Tests/AppleFrameworks/SwiftDataExample.swift SwiftDataExample.swift.graphql.swift >/dev/null
swiftc "${flags[@]}" -typecheck -module-name Models "$folder"/models/*.swift Tests/AppleFrameworks/SwiftDataExample.swift
# The watcher of macOS, as a part of its module.
module CoreServices Tests/AppleFrameworks/CoreServices.swift
watcher=Sources/RelayCompiler/Watching/FSEventsWatcher.swift
mapfile -t compiler < <(find Sources/RelayCompiler -name '*.swift' -not -path "$watcher")
swiftc -frontend -typecheck "${flags[@]}" -I "$build/Modules" -module-name RelayCompiler \
  -primary-file "$watcher" "${compiler[@]}"
# The plugins, with the conformances to Xcode's protocols.
api=$(dirname "$(dirname "$(readlink -f "$(command -v swiftc)")")")/lib/swift/pm/PluginAPI
plugin=(-I "$api" -package-description-version 6.1.0)
module XcodeProjectPlugin "${plugin[@]}" Tests/AppleFrameworks/XcodeProjectPlugin.swift
for name in RelayCompilerPlugin RelayCompilerCommand; do
  swiftc "${flags[@]}" "${plugin[@]}" -typecheck -module-name "$name" Plugins/"$name"/*.swift
done
echo "RelaySwiftUI, the adapters for Core Data and SwiftData, the logs, their examples, the watcher of macOS and the plugins for Xcode projects are type-correct; they were not run."
