import Foundation
import RelayStore

/// The requests of the entries, and the handling of their responses.
extension Outbox {
  /// Sends the entries that are due. Call this on the queue.
  func send() {
    defer { publishEntries() }
    if work.isSuspended || !work.hasBegun { return }
    do {
      let (ready, next) = try work.schedule()
      schedule((ready.map { send($0) } + [next]).compactMap { $0 }.min())
    } catch {
      report(error)
      schedule(work.date(afterAttempt: 1))
    }
  }

  /// - Returns: The date of the next attempt, if the entry cannot be marked.
  private func send(_ item: OutboxWork.Item) -> Date? {
    let root = DataID("client:local:\(work.store.makeID())")
    guard let request = work.request(item, root: root) else {
      item.record.entry.state = .failed
      item.record.entry.error = RelayError(
        .request, "Its plan comes from another version of RelayStore.",
        operationName: item.record.entry.operationName)
      try? work.write([item])
      return nil
    }
    item.record.entry.state = .sending
    item.record.entry.attempts += 1
    item.record.entry.nextAttempt = nil
    do { try work.write([item]) } catch {
      // Without the mark, a restart could not detect a lost response.
      item.record.entry.state = .queued
      item.record.entry.nextAttempt = work.date(afterAttempt: item.record.entry.attempts)
      report(error)
      return item.record.entry.nextAttempt
    }
    let trace = work.tracing?.trace(request, .mutation)
    let (sent, generation) = (work.graphQLRequest(item, request, trace), work.generation)
    let id = item.record.entry.id
    trace?.sent()
    let (files, uploads) = (work.files, item.record.uploads)
    item.task = Task.detached { [weak self, transport = work.transport, hold = item.hold] in
      let result: Result<GraphQLResponse, any Error>
      do {
        try files?.check(uploads, of: id)
        result = .success(
          try await RequestHold.$current.withValue(hold) { try await transport.execute(sent) })
      } catch {
        result = .failure(error)
      }
      guard let self else { return }
      queue.async { self.receive(result, of: id, request, generation, trace) }
    }
    return nil
  }

  private func receive(
    _ result: Result<GraphQLResponse, any Error>, of id: OutboxEntry.ID,
    _ request: OperationRequest, _ generation: Int, _ trace: RequestTrace?
  ) {
    if case .success(let response) = result { trace?.responded(response.body) }
    guard generation == work.generation, let item = work.item(id) else { return }
    item.task = nil
    if case .failure(let lost as OutboxFiles.LostFile) = result {
      work.store.log(.outboxFailed(lost.description))
    }
    do { try work.receive(result, of: item, request, trace) } catch { report(error) }
    trace?.published(isLast: true)
    trace?.ended(item.record.entry.state == .acknowledged ? nil : work.failure(of: item, result))
    // The response is in the store even if it could not be written to the entry.
    if item.record.entry.state == .acknowledged {
      keepOutcome(of: item)
      removeAcknowledged()
    }
    send()
  }

  func report(_ error: any Error) {
    work.store.log(.outboxFailed(PersistenceFailure(wrapping: error).description))
  }

  /// Removes the entries whose responses are in the store, once these are on disk.
  ///
  /// One transaction removes all of them. If an earlier response were left, the next run would
  /// merge it over a later one.
  func removeAcknowledged() {
    let store = work.store
    let ids = work.acknowledged.map(\.record.entry.id)
    if ids.isEmpty { return }
    Task.detached { [weak self] in
      // If its storage has failed, the store will not have the response after a restart.
      try? await store.flushWhenResumed()
      guard let self else { return }
      queue.async {
        let items = ids.compactMap { self.work.item($0) }
        do { try self.work.remove(items) } catch {
          // The next run finds the entries and merges or requests their responses again.
          self.work.forget(items)
          self.report(error)
        }
        self.send()
      }
    }
  }

  func onQueue<Value: Sendable>(
    _ body: @escaping @Sendable () throws -> Value
  ) async throws -> Value {
    do { return try await queue.run(body) } catch let failure as PersistenceFailure {
      throw RelayError(.persistence, failure.description, underlying: failure)
    }
  }
}
