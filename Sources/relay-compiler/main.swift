import RelayCompiler
import RelayTools

reserveStandardDescriptors()
let result = runRelayCompiler(Array(CommandLine.arguments.dropFirst()))
result.printAndExit(highlightedErrors)
