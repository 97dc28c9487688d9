import RelayCompiler

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// Writes the whole text to a file descriptor, or as much of it as the descriptor accepts.
func write(_ text: String, to descriptor: Int32) {
  var rest = ArraySlice(Array(text.utf8))
  while !rest.isEmpty {
    let count = rest.withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
    guard count > 0 else { return }
    rest = rest.dropFirst(count)
  }
}

let result = runRelayCompiler(Array(CommandLine.arguments.dropFirst()))
write(result.output, to: STDOUT_FILENO)
write(result.errors, to: STDERR_FILENO)
exit(result.exitCode.rawValue)
