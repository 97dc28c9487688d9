import Foundation
import RelayStore

extension OutboxWork {
  /// Returns the request to send, with its key.
  ///
  /// - Parameter trace: The trace whose header fields to add; `nil` for none.
  func graphQLRequest(
    _ item: Item, _ request: OperationRequest, _ trace: RequestTrace?
  ) -> GraphQLRequest {
    var sent = request.graphQLRequest(.mutation, context: nil, trace)
    sent.uploads = files?.uploads(item.record.uploads, of: item.record.entry.id) ?? []
    let key = item.record.entry.id.rawValue
    if let header = options.keyHeader { sent.headers[header] = key }
    if let path = options.keyVariable?.split(separator: ".").map(String.init),
      let name = path.first,
      item.record.declaredVariables?.contains(name) ?? true
    {
      sent.variables = sent.variables.setting(path[...], to: .string(key))
    }
    return sent
  }

  /// Handles the response of an entry: the entry is acknowledged, has failed, or is sent again.
  ///
  /// - Parameter trace: The trace of the request; it counts the errors of the response.
  /// - Throws: ``PersistenceFailure`` if the new state could not be persisted.
  func receive(
    _ result: Result<GraphQLResponse, any Error>, of item: Item, _ request: OperationRequest,
    _ trace: RequestTrace?
  ) throws {
    guard item.record.entry.state == .sending else { return }
    let received: GraphQLResponse
    switch result {
    case .success(let response): received = response
    case .failure(let lost as OutboxFiles.LostFile):
      let error = RelayError(
        .persistence, lost.description, operationName: item.record.entry.operationName,
        underlying: lost)
      return try refuse(item, error, merging: nil, of: request)
    case .failure(let error):
      let error = request.operationError(error)
      return try result.isUnauthenticated ? block(item, error) : fail(item, with: error)
    }
    if result.isUnauthenticated, !received.isExecution(of: .mutation) {
      var error = RelayError(
        .graphQL, "The server rejected the credentials.",
        operationName: item.record.entry.operationName, errors: received.errors)
      error.status = received.status
      return try block(item, error)
    }
    let response: NormalizedResponse
    do { response = try request.read(received, trace) } catch {
      return try fail(item, with: request.operationError(error), in: received)
    }
    guard let payload = response.payload else {
      return try fail(item, with: request.noDataError(response, in: received), in: received)
    }
    if let error = request.refusal(response) {
      return try refuse(item, error, merging: payload, of: request)
    }
    try acknowledge(item, received.body)
  }

  /// Lets an entry wait until the user has signed in.
  private func block(_ item: Item, _ error: RelayError) throws {
    item.record.entry.state = .blockedOnAuthentication
    item.record.entry.error = error
    try write([item])
  }

  /// Returns the error of an unacknowledged attempt, for a trace.
  func failure(of item: Item, _ result: Result<GraphQLResponse, any Error>) -> any Error {
    if case .failure(let error) = result { return error }
    return item.record.entry.error ?? RelayError(.graphQL, "The server rejected the mutation.")
  }

  /// Ends an entry that the server has rejected.
  ///
  /// - Parameter payload: The data of the response.
  private func refuse(
    _ item: Item, _ error: RelayError, merging payload: RecordPayload?, of request: OperationRequest
  ) throws {
    item.record.entry.state = .failed
    item.record.entry.error = error
    // The rejection is shown even if the disk has failed.
    defer { publish(revert(item) + [.commit(payload, root: request.written.root)]) }
    try write([item])
  }

  /// Returns the date of the next attempt, according to the back-off.
  func date(afterAttempt attempt: Int) -> Date {
    now + options.backOff.delay(afterAttempt: attempt, random: .random(in: 0...1)) / .seconds(1)
  }

  /// Handles an attempt without data.
  ///
  /// - Parameter response: The response, if the transport has returned one.
  private func fail(
    _ item: Item, with error: RelayError, in response: GraphQLResponse? = nil
  ) throws {
    item.record.entry.error = error
    switch AttemptResult(error, response) {
    case .notExecuted:
      item.record.unexecutedAttempts += 1
      wait(item, error)
    case .unclear where options.serverHonorsIdempotencyKeys: wait(item, error)
    case .unclear, .unreadable: item.record.entry.state = .unknown
    case .refused:
      item.record.entry.state = .failed
      defer { publish(revert(item)) }
      return try write([item])
    }
    try write([item])
  }

  /// Queues an entry again, for its next attempt.
  private func wait(_ item: Item, _ error: RelayError) {
    item.record.entry.state = .queued
    let asked = min(error.retryAfter ?? .zero, OutboxOptions.longestRetryAfter)
    item.record.entry.nextAttempt = max(
      date(afterAttempt: item.record.entry.attempts), now + asked / .seconds(1))
  }

  /// Writes the response to the entry, along with the entries whose placeholders it replaces, then
  /// merges it.
  private func acknowledge(_ item: Item, _ body: [UInt8]) throws {
    item.record.entry.state = .acknowledged
    item.record.entry.error = nil
    item.record.response = body
    acknowledgementCount += 1
    item.record.acknowledgement = acknowledgementCount
    let changed = replaceServerIDs(by: item)
    // The response is shown even if the disk has failed.
    defer { merge(item, reapplying: changed) }
    try write([item] + changed)
  }

  /// Replaces the placeholders in other entries with the ids in a response.
  ///
  /// - Returns: The changed entries.
  private func replaceServerIDs(by item: Item) -> [Item] {
    let replaced = ServerIDs(of: item.record)
    if replaced.isEmpty { return [] }
    aliases.add(replaced, at: now)
    return items.filter { $0 !== item && replaced.replace(in: &$0.record) }
  }

  /// Merges the response of an entry into the store and reapplies the optimistic updates of changed
  /// entries, in one publish. Later entries are also reapplied, so that the updates remain in the
  /// order of the commits.
  func merge(_ item: Item, reapplying changed: [Item] = []) {
    let root = DataID("client:local:\(store.makeID())")
    var changes = revert(item)
    if let body = item.record.response, let request = request(item, root: root),
      let payload = try? request.reader().response(body).payload
    {
      changes.append(.commit(payload, root: root))
    }
    let ids = ServerIDs(of: item.record)
    if !ids.isEmpty { changes.append(.identify(ids)) }
    let first = items.first { item in item.layer != nil && changed.contains { $0 === item } }
    if let first { changes += reapply(from: first) }
    publish(changes)
    store.serverIDs.insert(ids)
  }

  /// Makes the server's ids of earlier runs known to the store. Again once the store has loaded its
  /// records, which may include some under the client's ids.
  func identify() {
    if aliases.serverIDs.isEmpty { return }
    publish([.identify(aliases.serverIDs)])
    store.serverIDs.insert(aliases.serverIDs)
  }

  /// Removes entries and reverts their optimistic updates.
  ///
  /// - Throws: ``PersistenceFailure``.
  func remove(_ removed: [Item]) throws {
    try write([], removing: removed)
    forget(removed)
  }

  /// Removes entries from this run of the program only, and reverts their optimistic updates.
  func forget(_ removed: [Item]) {
    items.removeAll { item in removed.contains { $0 === item } }
    removeFiles(of: removed)
    publish(removed.flatMap { revert($0) })
  }

  /// Returns the client ids of the objects that an entry creates: those in its optimistic response
  /// that no entry before it has.
  func created(by item: Item) -> Set<String> {
    var ids = (item.record.optimisticResponse?.strings ?? []).filter(ServerIDs.isClientMade)
    for earlier in items where !ids.isEmpty {
      if earlier === item { break }
      ids.subtract(earlier.record.optimisticResponse?.strings ?? [])
    }
    return ids
  }

  /// Removes an entry and fails the entries that refer to objects that only it would have created.
  /// Both happen in one transaction: after the first half alone, the dependents would be sent with
  /// placeholders.
  ///
  /// - Throws: ``PersistenceFailure``; the entries are then unchanged.
  func discard(_ discarded: Item) throws {
    if let file = discarded.record.file { try options.inbox?.remove([file]) }
    let created = created(by: discarded)
    let dependents = items.filter { item in
      item !== discarded
        && !JSONValue.object(item.record.variables).strings.isDisjoint(with: created)
    }
    let old = dependents.map(\.record.entry)
    for item in dependents {
      item.record.entry.state = .failed
      item.record.entry.error = RelayError(
        .cancelled, "It refers to an object of a mutation that was discarded.",
        operationName: item.record.entry.operationName)
    }
    do { try write(dependents, removing: [discarded]) } catch {
      for (item, entry) in zip(dependents, old) { item.record.entry = entry }
      throw error
    }
    discarded.task?.cancel()
    forget([discarded])
    publish(dependents.flatMap { revert($0) })
  }
}

extension JSONObject {
  /// Returns the object with a value set at a path; unchanged if the path does not lead to an
  /// object.
  fileprivate func setting(_ path: ArraySlice<String>, to value: JSONValue) -> JSONObject {
    guard let name = path.first else { return self }
    var object = self
    if path.count == 1 {
      object[name] = value
    } else if let inner = self[name]?.object {
      object[name] = .object(inner.setting(path.dropFirst(), to: value))
    }
    return object
  }
}
