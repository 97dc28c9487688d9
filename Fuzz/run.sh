#!/bin/bash
# Runs a fuzzer until it finds a failing input or the time is up:
#     Fuzz/run.sh syntax|response|streaming|websocket [SECONDS] [libFuzzer options]
# fuzzes the GraphQL language, the normalization of responses, the parts of streamed responses, or
# the WebSocket codec.
# SANITIZERS=fuzzer disables the address sanitizer, which makes it several times faster.
#     Fuzz/run.sh syntax-mutator [SECONDS] [SEED]
# mutates the seeds, the corpus and the findings, without coverage guidance but much faster.
# Failing inputs are kept in Fuzz/*/Findings; swift test replays them. The corpus is in .build/fuzz.
set -euo pipefail
cd "$(dirname "$0")/.."
name=${1:-syntax}
seconds=${2:-60}
shift $(($# < 2 ? $# : 2))

case $name in
  syntax | syntax-mutator)
    folder=Fuzz/Syntax
    mapfile -t sources < <(find Sources/GraphQL{Language,Formatting} -name '*.swift' | sort)
    sources+=(Tests/GraphQLLanguageTests/Syntax/SyntaxCheck{,+Schema}.swift)
    module=GraphQLLanguage
    dictionary=graphql.dict
    ;;
  response)
    folder=Fuzz/Response
    mapfile -t sources < <(find Sources/RelayStore -name '*.swift' | sort)
    sources+=(Tests/RelayStoreTests/Normalization/ResponseCheck.swift)
    module=RelayStore
    dictionary=response.dict
    ;;
  streaming)
    folder=Fuzz/Streaming
    mapfile -t sources < <(find Sources/RelayNetwork/Streaming -name '*.swift' | sort)
    sources+=(Sources/RelayStore/Values/BinaryInteger+Counted.swift Sources/RelayStore/Transport/MediaType.swift)
    sources+=(Tests/RelayStoreTests/Network/Streaming/{StreamingCheck,WholeResponse}.swift)
    module=RelayStore
    dictionary=streaming.dict
    ;;
  websocket)
    folder=Fuzz/WebSocket
    mapfile -t sources < <(find Sources/RelayLive/WebSocket -maxdepth 1 -name '*.swift' | sort)
    sources+=(Sources/RelayNetwork/HTTP/UInt8+Token.swift)
    sources+=(Tests/RelayStoreTests/Network/WebSocket/{WebSocketCheck,ReferenceWebSocketDecoder}.swift)
    module=RelayStore
    dictionary=websocket.dict
    ;;
  *)
    echo "usage: Fuzz/run.sh syntax|syntax-mutator|response|streaming|websocket [SECONDS] [libFuzzer options]" >&2
    exit 2
    ;;
esac

build=.build/fuzz/${name%-mutator}
mkdir -p "$build/corpus" "$folder/Findings"
# The sources of several modules become one, so they do not import one another.
rm -rf "$build/sources"
mkdir "$build/sources"
for source in "${!sources[@]}"; do
  sed '/^ *import \(Relay\|GraphQL\)/d' "${sources[$source]}" > "$build/sources/$source-$(basename "${sources[$source]}")"
done
sources=("$build"/sources/*)
options=(-O -wmo -enforce-exclusivity=checked -swift-version 6 -parse-as-library -D FUZZING
  -module-name "$module" -package-name relaystore)

if [ "$name" = syntax-mutator ]; then
  swiftc "${options[@]}" "${sources[@]}" "$folder/Mutator.swift" -o "$build/mutator"
  exec env SWIFT_BACKTRACE=enable=no "$build/mutator" "$seconds" "${1:-1}" "$build/corpus" "$folder/Seeds" \
    "$folder/Findings"
fi

swiftc "${options[@]}" -sanitize="${SANITIZERS:-fuzzer,address}" "${sources[@]}" \
  "$folder/Fuzzer.swift" -o "$build/fuzzer"

# A crash must end the process at once; the interactive backtracer would keep it alive.
export SWIFT_BACKTRACE=enable=no
export ASAN_OPTIONS=detect_leaks=0:malloc_context_size=0
"$build/fuzzer" -max_total_time="$seconds" -dict="$folder/$dictionary" \
  -artifact_prefix="$folder/Findings/" -max_len="${MAX_LENGTH:-250}" -entropic=0 -timeout=20 -rss_limit_mb=4096 -print_final_stats=1 \
  "$@" "$build/corpus" "$folder/Seeds" "$folder/Findings"
