/// The tables of a persisted store.
package enum PersistenceTable: UInt8, CaseIterable, Sendable {
  /// One row: the version, the revision, and the checksum of all rows.
  case header
  /// The strings that records refer to by number: storage keys and type names.
  case names
  /// The types and fields that records share.
  case shapes
  /// The ids of the records, in pages.
  case ids
  /// The fields of the records, in pages.
  case pages
  /// The records of a batch that have changed since their pages were written.
  case log
  /// The pieces of records with many fields.
  case parts
  /// The epochs of invalidated records, in pages.
  case epochs
  /// The plans of operations.
  case documents
  /// The operations whose data is retained.
  case roots
  /// The mutations of an outbox.
  case entries
  /// The server's ids of objects that an outbox has created.
  case aliases
}

/// The key of a persisted row.
package struct RowKey: Hashable, Sendable {
  package let table: PersistenceTable
  package let key: Int64

  package init(_ table: PersistenceTable, _ key: Int64) {
    self.table = table
    self.key = key
  }
}

/// The rows that one transaction writes.
package struct PersistenceBatch: Sendable {
  /// Whether all existing rows are removed first.
  package var isReplacement = false
  /// Whether removed data must also be erased from the files.
  package var isSecure = false
  /// The new bytes of rows; `nil` removes the row.
  package var rows: [(key: RowKey, bytes: [UInt8]?)] = []

  package init() {}

  /// The total number of bytes of the rows.
  package var byteCount: Int { rows.reduce(0) { $0 + ($1.bytes?.count ?? 0) } }
}

/// The database that persists a store: tables of rows by integer key.
///
/// One thread at a time makes all calls but ``markWiped()``, and calls may block. If ``write(_:)``
/// throws, the rows are unchanged.
package protocol PersistenceEngine: AnyObject, Sendable {
  /// Opens the database, creating it if it does not exist; a no-op if it is open. A database marked
  /// as wiped is removed first.
  ///
  /// - Throws: ``PersistenceFailure``.
  func open() throws
  /// Calls `body` with every row, in the order of the tables and then of the keys.
  ///
  /// - Throws: ``PersistenceFailure``, or the error of `body`.
  func read(_ body: (RowKey, UnsafeRawBufferPointer) throws -> Void) throws
  /// Returns the bytes of a row; `nil` if there is none.
  ///
  /// - Throws: ``PersistenceFailure``.
  func row(at key: RowKey) throws -> [UInt8]?
  /// Writes a batch in one transaction.
  ///
  /// - Throws: ``PersistenceFailure``.
  func write(_ batch: PersistenceBatch) throws
  /// Removes the database and its wiped mark from the disk. The engine is closed afterwards.
  ///
  /// - Throws: ``PersistenceFailure``.
  func wipe() throws
  /// Durably marks the database so that it is never read again. Any thread may call this at any
  /// time.
  ///
  /// - Throws: ``PersistenceFailure``; whatever can be removed is removed nevertheless.
  func markWiped() throws
  /// Renames the files of the database, without deleting them, and opens a new database with the
  /// rows of `batch`. If the process ends during the call, either the old or the new database
  /// remains.
  ///
  /// - Returns: The new path of the old files.
  /// - Throws: ``PersistenceFailure``. The next call of ``open()`` opens the old database, or
  ///   finishes the exchange.
  func replace(by batch: PersistenceBatch) throws -> String
  /// The new path of a damaged database that ``open()`` renamed to finish an exchange from an
  /// earlier process; `nil` if there was none.
  var rejectedFile: String? { get }
  /// Closes the database and releases its lock.
  func close()
  /// The size on disk in bytes.
  var byteCount: Int { get }
}

extension PersistenceEngine {
  package var rejectedFile: String? { nil }
}

/// An error of a storage engine.
package struct PersistenceFailure: Error, Sendable, CustomStringConvertible {
  package enum Kind: Sendable {
    /// The database cannot be used: no library, or no access.
    case unavailable
    /// Another process, or another store, has the database open.
    case inUse
    /// The database is damaged, or has another version.
    case corrupt
    /// A read or write failed: the disk is full or has an error.
    case io
    /// A row violates a constraint of its table.
    case rejected
    /// The database was wiped during a read.
    case wiped
  }

  package var kind: Kind
  package var description: String

  package init(_ kind: Kind, _ description: String) {
    self.kind = kind
    self.description = description
  }
}

extension PersistenceFailure {
  package init(wrapping error: any Error) {
    self = error as? PersistenceFailure ?? PersistenceFailure(.io, "\(error)")
  }
}
