import RelayCompiler

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

reserveStandardDescriptors()
let result = runCompile(Array(CommandLine.arguments.dropFirst()))
exit(result.print().rawValue)
