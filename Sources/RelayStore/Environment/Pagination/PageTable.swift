/// One end of a connection's list.
enum PageDirection: Hashable, Sendable {
  case next, previous
}

/// The pages on their way: of each end of a connection one at most, whoever asks for it.
final class PageTable: Sendable {
  private struct Key: Hashable {
    let connection: DataID
    let direction: PageDirection
  }

  private struct Entry {
    let number: UInt64
    let work: SharedWork<Void>
    /// Whether its response is being written: the next that is heard of it is its end.
    var isLanding = false
  }

  private struct Watcher {
    let connection: @Sendable () -> DataID?
    let call: @Sendable (RelayError?) -> Void
  }

  private struct State {
    var entries: [Key: Entry] = [:]
    var watchers: [UInt64: Watcher] = [:]
    var plans: [PlanKey: SelectionPlan] = [:]
    var last: UInt64 = 0
  }

  private struct PlanKey: Hashable {
    let fragment: ObjectIdentifier
    let path: [String]
  }

  private let state = Locked(State())

  /// How many pages are on their way.
  var count: Int { state.withLock { $0.entries.count } }

  /// Whether a page of a connection is on its way.
  func isLoading(_ direction: PageDirection, of connection: DataID) -> Bool {
    state.withLock { $0.entries[Key(connection: connection, direction: direction)] != nil }
  }

  /// Whether a page of a connection is being written.
  func isLanding(_ connection: DataID) -> Bool {
    state.withLock { state in
      [PageDirection.next, .previous].contains {
        state.entries[Key(connection: connection, direction: $0)]?.isLanding ?? false
      }
    }
  }

  /// The page that is on its way, or a new one, which is asked for once someone waits for it.
  ///
  /// - Parameters:
  ///   - left: One that nobody waits for any more, not to be given again.
  ///   - send: Asks for it; calls what it is given when the response is about to be written.
  func page(
    _ direction: PageDirection, of connection: DataID, leaving left: SharedWork<Void>?,
    send: @escaping @Sendable (_ onLanding: @escaping @Sendable () -> Void) async throws -> Void
  ) -> SharedWork<Void> {
    let key = Key(connection: connection, direction: direction)
    let (work, isNew) = state.withLock { state in
      if let known = state.entries[key], known.work !== left { return (known.work, false) }
      state.last += 1
      let number = state.last
      let work = SharedWork(onAbandon: { [self] in remove(key, number) }) { [self] in
        do {
          try await send { self.land(key, number) }
          remove(key, number)
        } catch {
          remove(key, number, error as? RelayError)
          throw error
        }
      }
      state.entries[key] = Entry(number: number, work: work)
      return (work, true)
    }
    if isNew { tell(of: connection) }
    return work
  }

  private func land(_ key: Key, _ number: UInt64) {
    state.withLock { state in
      if state.entries[key]?.number == number { state.entries[key]?.isLanding = true }
    }
  }

  private func remove(_ key: Key, _ number: UInt64, _ error: RelayError? = nil) {
    let wasThere = state.withLock { state in
      guard state.entries[key]?.number == number else { return false }
      state.entries[key] = nil
      return true
    }
    if wasThere { tell(of: key.connection, error?.code == .cancelled ? nil : error) }
  }

  // MARK: Watching

  /// Calls a closure when the loading of a connection's pages begins or ends, with why it failed, until it is
  /// removed.
  ///
  /// - Parameter connection: Which one, at that time.
  func watch(
    _ connection: @escaping @Sendable () -> DataID?,
    _ call: @escaping @Sendable (RelayError?) -> Void
  ) -> UInt64 {
    state.withLock { state in
      state.last += 1
      state.watchers[state.last] = Watcher(connection: connection, call: call)
      return state.last
    }
  }

  func unwatch(_ number: UInt64) { _ = state.withLock { $0.watchers.removeValue(forKey: number) } }

  private func tell(of connection: DataID, _ error: RelayError? = nil) {
    let watchers = state.withLock { $0.watchers.sorted { $0.key < $1.key }.map(\.value) }
    for watcher in watchers where watcher.connection() == connection {
      watcher.call(error)
    }
  }

  /// The plan of the ends of a fragment's connection, made once.
  func plan(_ fragment: SelectionPlan, path: [String]) -> SelectionPlan {
    state.withLock { state in
      let key = PlanKey(fragment: ObjectIdentifier(fragment), path: path)
      let plan = state.plans[key] ?? ConnectionEnds.plan(fragment, path: path[...])
      state.plans[key] = plan
      return plan
    }
  }
}

extension RecordStore {
  /// Sees to it that a response had the page that it was asked for.
  ///
  /// - Throws: ``RelayError`` with code `graphQL` and the server's errors, where the page is null.
  func requirePage(
    of connection: DataID, in response: NormalizedResponse, for request: OperationRequest
  ) throws {
    let edges = withState { $0.source.keys.intern("edges") }
    guard let payload = response.payload, !payload.hasPage(of: connection, edges: edges) else {
      return
    }
    throw request.failed(
      response, orElse: "The server sent null for the page, and no error.")
  }
}
