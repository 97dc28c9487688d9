import Testing

@testable import RelayStore
