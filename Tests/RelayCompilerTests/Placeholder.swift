import Testing

@testable import RelayCompiler
