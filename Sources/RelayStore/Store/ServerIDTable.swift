/// The server's ids of objects that were created on the client, for requests that are sent later.
package final class ServerIDTable: Sendable {
  private struct State {
    var ids = ServerIDs()
    /// Whether an outbox will add ids.
    var isExpecting = false
    var waiting: [Waiting] = []

    func knows(_ ids: Set<String>) -> Bool { ids.allSatisfy { self.ids[DataID($0)] != nil } }
  }

  private struct Waiting {
    let ids: Set<String>
    weak var owner: (any AnyObject & Sendable)?
    let resume: @Sendable () -> Void
  }

  private let state = Locked(State(), rank: .leaf)

  /// The error of a request for objects that the server does not know yet.
  struct UnknownIDs: Error {
    let ids: Set<String>
  }

  package subscript(id: DataID) -> DataID? { state.withLock { $0.ids[id] } }

  /// Notes that an outbox will add ids.
  package func expect() { state.withLock { $0.isExpecting = true } }

  /// Adds ids, and resumes those who wait for them.
  package func insert(_ new: ServerIDs) {
    if new.isEmpty { return }
    let resumed = state.withLock { state in
      state.ids.formUnion(new)
      defer { state.waiting.removeAll { [state] in state.knows($0.ids) } }
      return state.waiting.filter { state.knows($0.ids) }
    }
    for waiting in resumed { waiting.resume() }
  }

  package func removeAll() { state.withLock { ($0.ids, $0.waiting) = (ServerIDs(), []) } }

  func replacing(in variables: JSONObject) -> JSONObject {
    let ids = state.withLock { $0.ids }
    return ids.isEmpty ? variables : ids.replacing(in: variables)
  }

  /// Throws if an outbox has yet to add an id of the variables.
  func check(_ variables: @autoclosure () -> JSONObject, of operation: String) throws {
    guard let known = state.withLock({ $0.isExpecting ? $0.ids : nil }) else { return }
    let unknown = JSONValue.object(variables()).strings.filter {
      ServerIDs.isClientMade($0) && known[DataID($0)] == nil
    }
    guard let first = unknown.min() else { return }
    throw RelayError(
      .request,
      "\"\(operation)\" was not sent: the server does not know the object \"\(first)\" yet.",
      operationName: operation, underlying: UnknownIDs(ids: unknown))
  }

  /// Calls a closure once all ids are known, unless its owner has been released.
  func whenKnown(
    _ unknown: UnknownIDs, for owner: any AnyObject & Sendable,
    _ resume: @escaping @Sendable () -> Void
  ) {
    let isKnown = state.withLock { state in
      if state.knows(unknown.ids) { return true }
      state.waiting.removeAll { $0.owner == nil }
      state.waiting.append(Waiting(ids: unknown.ids, owner: owner, resume: resume))
      return false
    }
    if isKnown { resume() }
  }
}
