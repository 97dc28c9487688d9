import RelayCompiler

reserveStandardDescriptors()
let result = runCompile(Array(CommandLine.arguments.dropFirst()))
result.printAndExit()
