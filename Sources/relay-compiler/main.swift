import RelayCompiler
import RelayTools

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

reserveStandardDescriptors()
let result = runRelayCompiler(Array(CommandLine.arguments.dropFirst()))
exit(result.print().rawValue)
