@testable import RelayStore

extension RecordStore {
  /// The first invariant of the store that does not hold; `nil` if all do.
  var violatedInvariant: String? { checkInvariants() }
}

extension RelayEnvironment {
  /// The number of those that want to know of requests, such as models that load.
  var listenerCount: Int { executions.listeners.count }
}
