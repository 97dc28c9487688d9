@testable import InvariantChecks
@testable import RelayStore

extension RecordStore {
  /// The store's first violated invariant; `nil` if all hold.
  var violatedInvariant: String? { checkInvariants() }
}

extension RelayEnvironment {
  /// The number of request listeners, such as models that load.
  var listenerCount: Int { executions.listeners.count }
}
