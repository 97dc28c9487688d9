public import Foundation
import RelayStore

extension RelayEnvironment {
  /// Writes the data of queries to a file that another process, such as a widget, can read.
  ///
  ///     try await environment.exportSnapshot(
  ///       of: [FeedQuery(first: 10)], to: group.appending(path: "feed.snapshot"))
  ///
  /// The file contains only the data that the queries and their fragments select, with the dates of
  /// the responses. Elements with `@noPersist` are omitted. The file atomically and durably
  /// replaces an older one, so a reader finds either the old or the new file. If the store's
  /// storage has a cipher, it also encrypts the file. If the storage is still loading, the call
  /// waits for it.
  ///
  /// - Parameters:
  ///   - queries: The queries with their variables. Data that was not fetched is missing from the
  ///     file.
  ///   - url: The file, in a container that the processes share. Its directory is created.
  ///   - layer: Whether to export optimistic updates, as seen by the app's user.
  /// - Throws: ``/RelayStore/RelayError`` with code `persistence` if the file cannot be written.
  ///   The old file is then unchanged, unless only the final synchronization failed.
  /// - Complexity: O(*n*) in the exported fields; the store is locked while the links are followed.
  public func exportSnapshot(
    of queries: [any GraphQLQuery], to url: URL, layer: RecordStore.Layer = .visible
  ) async throws {
    await store.loaded()
    let operations = queries.map { operation(of: $0) }
    let (_, count) = try await exports.write(
      to: url.path, cipher: store.configuration.persistence?.cipher
    ) { [store] in store.exportedRecords(of: operations, layer: layer) }
    store.log(.snapshotExported(records: count))
  }

  /// Writes the data of queries to a file now and after each change, until the result is released.
  ///
  ///     let exporter = environment.exportSnapshots(
  ///       of: [FeedQuery(first: 10)], to: group.appending(path: "feed.snapshot"))
  ///
  /// The queries are retained in the meantime. Changes of other data, and responses without
  /// changes, do not rewrite the file. An error is logged as
  /// ``/RelayStore/StoreEvent/snapshotFailed(_:)``; the next change tries again.
  ///
  /// - Parameters:
  ///   - queries: The queries with their variables.
  ///   - url: The file, as in ``exportSnapshot(of:to:layer:)``.
  ///   - delay: The time between a change and the export, by the store's clock. Further changes in
  ///     that time join the same export.
  ///   - layer: Whether to export optimistic updates.
  ///   - onExport: Called after each file is written, for example to reload the timelines of
  ///     widgets.
  public func exportSnapshots(
    of queries: [any GraphQLQuery], to url: URL, delay: Duration = .seconds(1),
    layer: RecordStore.Layer = .visible, onExport: @escaping @Sendable () -> Void = {}
  ) -> SnapshotExporter {
    SnapshotExporter(
      queries.map { operation(of: $0) }, of: self, to: url.path, delay: delay, layer: layer,
      onExport: onExport)
  }

  /// Removes an exported file and its unfinished temporary files, for example when the user signs
  /// out. A no-op without a file.
  ///
  /// Cancel the ``SnapshotExporter`` first; otherwise it writes the file again.
  ///
  /// - Throws: ``/RelayStore/RelayError`` with code `persistence` if a file cannot be removed.
  public func removeSnapshot(at url: URL) async throws { try await exports.remove(url.path) }

  /// The queue that exports snapshots, one after the other.
  var exports: SnapshotWriter { attachments.value { SnapshotWriter() } }

  private func operation(of query: some GraphQLQuery) -> WrittenOperation {
    let request = OperationRequest(query, store: store, root: .root)
    return WrittenOperation(request.identity, request.plan, root: .root)
  }
}
