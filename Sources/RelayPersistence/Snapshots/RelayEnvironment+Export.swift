public import Foundation
import RelayStore

extension RelayEnvironment {
  /// Writes the data of queries to a file, from which another process, such as a widget, reads it.
  ///
  ///     try await environment.exportSnapshot(
  ///       of: [FeedQuery(first: 10)], to: group.appending(path: "feed.snapshot"))
  ///
  /// The file has what the queries select, with the fragments that they spread, and the dates of their
  /// responses; it has nothing else, and no elements with `@noPersist`. It replaces an older one at once
  /// and durably: a reader finds the old or the new one, and never a part. It is encrypted by the cipher of the
  /// store's storage, if that has one. A storage is waited for while it is loaded.
  ///
  /// - Parameters:
  ///   - queries: The queries with their variables. What was not fetched of them is missing in the file.
  ///   - url: The file, in a container that the processes share. Its directory is created.
  ///   - layer: Whether optimistic updates are exported, which are what the user of the app sees.
  /// - Throws: ``/RelayStore/RelayError`` with code `storage` if the file cannot be written; the old one stays then,
  ///   unless only its durability has failed.
  /// - Complexity: O(*n*) in the exported fields; the store is locked while the links are followed.
  public func exportSnapshot(
    of queries: [any GraphQLQuery], to url: URL, layer: RecordStore.Layer = .visible
  ) async throws {
    await store.loaded()
    let operations = queries.map { operation(of: $0) }
    let (_, count) = try await exports.write(
      to: url.path, cipher: store.configuration.storage?.cipher
    ) { [store] in store.exportedRecords(of: operations, layer: layer) }
    store.log(.snapshotExported(records: count))
  }

  /// Writes the data of queries to a file now, and again each time that it has changed, until the result is
  /// dropped.
  ///
  ///     let exporter = environment.exportSnapshots(
  ///       of: [FeedQuery(first: 10)], to: group.appending(path: "feed.snapshot"))
  ///
  /// The queries are retained meanwhile. Changes of other data, and responses without a change, write
  /// nothing. An error is reported to the log as ``/RelayStore/StoreEvent/snapshotFailed(_:)``; the next change tries
  /// again.
  ///
  /// - Parameters:
  ///   - queries: The queries with their variables.
  ///   - url: The file, as in ``exportSnapshot(of:to:layer:)``.
  ///   - delay: The time, by the store's clock, between a change and the export, in which further changes join
  ///     it.
  ///   - layer: Whether optimistic updates are exported.
  ///   - onExport: Called after each file that was written, for example to reload the timelines of widgets.
  public func exportSnapshots(
    of queries: [any GraphQLQuery], to url: URL, delay: Duration = .seconds(1),
    layer: RecordStore.Layer = .visible, onExport: @escaping @Sendable () -> Void = {}
  ) -> SnapshotExporter {
    SnapshotExporter(
      queries.map { operation(of: $0) }, of: self, to: url.path, delay: delay, layer: layer,
      onExport: onExport)
  }

  /// Removes a file that was exported, and what a process that has ended has begun to write of it: when the
  /// user signs out, for example. A no-op without a file.
  ///
  /// Cancel the ``SnapshotExporter`` before, which writes the file again otherwise.
  ///
  /// - Throws: ``/RelayStore/RelayError`` with code `storage` if a file cannot be removed.
  public func removeSnapshot(at url: URL) async throws { try await exports.remove(url.path) }

  /// The queue on which snapshots are exported, one after the other.
  var exports: SnapshotWriter { attachments.value { SnapshotWriter() } }

  private func operation(of query: some GraphQLQuery) -> WrittenOperation {
    let request = OperationRequest(query, store: store, root: .root)
    return WrittenOperation(request.identity, request.plan, root: .root)
  }
}
