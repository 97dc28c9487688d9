import Dispatch
public import Foundation
public import RelayStore

/// A writer of fragments to a table in the app's own database.
///
///     let writer = SQLiteWriter(file: database, people) { print("\($0)") }
///     let mirror = environment.mirror(PersonFragment.self, into: writer)
///
/// The changes of a commit are written in one transaction, on the writer's own queue. Each row
/// includes the stamp of its value, so that the next run's mirror writes only changed rows. Changes
/// that could not be written are not lost: they are written with the next commit or by ``flush()``.
/// Only a row that violates a constraint of the table is reported and omitted.
///
/// The file must not be the file of the store's storage. Other connections and processes may use it
/// at the same time; the writer waits two seconds for their locks.
public final class SQLiteWriter<Fragment: GraphQLFragment & Identifiable>: PersistentFragmentWriter
where Fragment.ID: CustomScalar {
  private let queue = DispatchQueue(label: "RelayStore.SQLiteWriter", qos: .utility)
  private let pending = Locked(PendingFragments<Fragment>(), rank: .leaf)
  private let table: SQLiteTable<Fragment>
  private let path: String
  private let library: String?
  /// The connection, used only on the queue.
  private let connection = Locked<SQLiteConnection?>(nil, rank: .leaf)
  private let onError: @Sendable (RelayError) -> Void

  /// Creates a writer; the file is opened in the background on first use.
  ///
  /// - Parameters:
  ///   - file: The database, created if it does not exist, in an existing directory.
  ///   - table: The table to write.
  ///   - onError: Called on the writer's queue with an error of code `persistence` when changes
  ///     could not be written or the stamps could not be read. In the latter case all objects are written
  ///     again.
  public convenience init(
    file: URL, _ table: SQLiteTable<Fragment>,
    onError: @escaping @Sendable (RelayError) -> Void = { _ in }
  ) {
    self.init(path: file.path, table, onError: onError)
  }

  /// Creates a writer with a different build of SQLite, for tests.
  package init(
    path: String, _ table: SQLiteTable<Fragment>, library: String? = nil,
    onError: @escaping @Sendable (RelayError) -> Void = { _ in }
  ) {
    (self.table, self.path, self.library) = (table, path, library)
    self.onError = onError
  }

  public func write(_ changes: FragmentChanges<Fragment>) {
    pending.withLock { $0.add(changes) }
    queue.async { try? self.writePending() }
  }

  public func readStamps(_ completion: @escaping @Sendable ([DataID: FragmentStamp]) -> Void) {
    queue.async { [self] in
      do {
        try writePending()
        completion(try reporting { try withConnection { try table.stamps(in: $0) } })
      } catch {
        completion([:])
      }
    }
  }

  /// Waits until all changes that the writer has received are written.
  ///
  /// - Throws: `RelayError` with code `persistence` if they could not be written. They are retained
  ///   and written with the next changes.
  public func flush() async throws {
    try await queue.run { try self.writePending() }
  }

  /// Writes the pending changes. Rows that violate a constraint of the table are reported and
  /// omitted. Call this on the queue.
  private func writePending() throws {
    let rows = pending.withLock { $0.take() }
    if rows.isEmpty { return }
    do {
      try reporting {
        for rejection in try write(rows) { try? reporting { throw rejection } }
      }
    } catch {
      pending.withLock { $0.restore(rows) }
      throw error
    }
  }

  private func reporting<Result>(_ body: () throws -> Result) throws -> Result {
    do { return try body() } catch {
      let error = RelayError(.persistence, "\(error)", underlying: error)
      onError(error)
      throw error
    }
  }
}

extension SQLiteWriter {
  /// Writes rows in one transaction: first deletions, then updates, each sorted by id. If a row is
  /// rejected, each row is written in a separate transaction.
  ///
  /// - Returns: The failures of the rows that violate a constraint.
  private func write(_ pending: PendingFragments<Fragment>) throws -> [PersistenceFailure] {
    let rows = pending.ids.map { (key: $0, value: pending.changes[$0] ?? nil) }
    return try withConnection { connection in
      do {
        try connection.transaction { for row in rows { try write(row, in: connection) } }
        return []
      } catch let failure as PersistenceFailure where failure.kind == .rejected {
        var failures: [PersistenceFailure] = []
        for row in rows {
          do { try connection.transaction { try write(row, in: connection) } } catch let failure
            as PersistenceFailure where failure.kind == .rejected
          {
            failures.append(
              PersistenceFailure(.rejected, "\"\(row.key.rawValue)\": \(failure.description)"))
          }
        }
        return failures
      }
    }
  }

  private func write(
    _ row: (key: DataID, value: PendingFragments<Fragment>.Change),
    in connection: SQLiteConnection
  ) throws {
    if let (fragment, stamp) = row.value {
      try table.write(fragment, stamp, in: connection)
    } else {
      try table.delete(row.key, in: connection)
    }
  }

  /// Calls the closure with the connection, opening it if necessary. The connection is closed when
  /// the closure throws, because the file or the table may have been replaced.
  private func withConnection<Result>(_ body: (SQLiteConnection) throws -> Result) throws -> Result
  {
    do {
      let current = try connection.withLock { $0 } ?? opened()
      connection.withLock { $0 = current }
      return try body(current)
    } catch {
      connection.withLock { $0 = nil }
      throw error
    }
  }

  private func opened() throws -> SQLiteConnection {
    let connection = try SQLiteConnection(path, SQLiteLibrary(path: library))
    try connection.execute("PRAGMA busy_timeout = 2000")
    try connection.transaction { try table.create(in: connection) }
    return connection
  }
}
