import RelayStore

/// A repeated export of queries whenever their data changes; see
/// ``RelayStore/RelayEnvironment/exportSnapshots(of:to:delay:layer:onExport:)``. Releasing it ends
/// the export.
public final class SnapshotExporter: Sendable {
  private let task: Task<Void, Never>
  private let work: SnapshotExport

  init(
    _ operations: [WrittenOperation], of environment: RelayEnvironment, to path: String,
    delay: Duration, layer: RecordStore.Layer, onExport: @escaping @Sendable () -> Void
  ) {
    let (changes, continuation) = AsyncStream<Void>.makeStream(bufferingPolicy: .bufferingNewest(1))
    let work = SnapshotExport(
      operations: operations, environment: environment, path: path, layer: layer,
      onExport: onExport, receiver: InvalidationReceiver { continuation.yield() })
    work.retain()
    self.work = work
    let clock = environment.clock
    task = Task.detached {
      await work.exportReporting()
      for await _ in changes {
        guard (try? await clock.wait(for: delay)) != nil else { break }
        await work.exportReporting()
      }
    }
  }

  deinit { cancel() }

  /// Writes the file at once unless its data is unchanged, for example before the system suspends
  /// the app.
  ///
  /// - Throws: ``/RelayStore/RelayError`` with code `persistence`, as
  ///   ``RelayStore/RelayEnvironment/exportSnapshot(of:to:layer:)``.
  public func export() async throws { try await work.export() }

  /// Ends the export and releases the queries. The file is preserved.
  public func cancel() {
    task.cancel()
    work.cancel()
  }
}

/// The work of a ``SnapshotExporter``, separate so that its task does not retain the exporter.
struct SnapshotExport: Sendable {
  private struct State {
    /// The digest of the records in the file; `nil` when unknown.
    var digest: UInt64?
    var watch: UInt64?
    var retentions: [Retention] = []
    var isCancelled = false
  }

  let operations: [WrittenOperation]
  let environment: RelayEnvironment
  let path: String
  let layer: RecordStore.Layer
  let onExport: @Sendable () -> Void
  /// Called when the exported data may have changed.
  let receiver: InvalidationReceiver
  private let state = Locked(State(), rank: .leaf)

  /// Writes the file unless its data is unchanged.
  func export() async throws {
    let store = environment.store
    await store.loaded()
    // A reset has released the queries.
    retain()
    let known = state.withLock { $0.digest }
    do {
      let (digest, count) = try await environment.exports.write(
        to: path, cipher: store.configuration.persistence?.cipher, unless: known
      ) { takeRecords() }
      if digest == known { return }
      state.withLock { $0.digest = digest }
      store.log(.snapshotExported(records: count))
      onExport()
    } catch {
      // The contents of the file are uncertain.
      state.withLock { $0.digest = nil }
      throw error
    }
  }

  func exportReporting() async {
    do { try await export() } catch {
      environment.store.log(
        .snapshotFailed((error as? RelayError)?.message ?? "\(error)"))
    }
  }

  /// Takes the records and watches them instead of the previous ones.
  private func takeRecords() -> ExportedRecords {
    let (records, watch) = environment.store.exportedRecords(
      of: operations, layer: layer, onChange: receiver)
    let (old, isCancelled) = state.withLock { state in
      defer { state.watch = watch }
      return (state.watch, state.isCancelled)
    }
    if let old { environment.store.stopWatching(old) }
    if isCancelled { environment.store.stopWatching(watch) }
    return records
  }

  /// Retains the queries, releasing earlier retentions.
  func retain() {
    let new = operations.map {
      environment.store.retain($0.identity, $0.plan, root: $0.root)
    }
    // Retentions are released outside the lock.
    let old = state.withLock { state in
      if state.isCancelled { return new }
      defer { state.retentions = new }
      return state.retentions
    }
    for retention in old { retention.release() }
  }

  func cancel() {
    _ = receiver.cancel()
    let (watch, retentions) = state.withLock { state in
      defer { (state.watch, state.retentions, state.isCancelled) = (nil, [], true) }
      return (state.watch, state.retentions)
    }
    if let watch { environment.store.stopWatching(watch) }
    for retention in retentions { retention.release() }
  }
}
