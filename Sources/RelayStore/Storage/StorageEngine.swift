/// The tables that a store is stored in.
package enum StorageTable: UInt8, CaseIterable, Sendable {
  /// One row: the version, the revision, and the checksum of all rows.
  case header
  /// The texts that records refer to by number: storage keys and type names.
  case names
  /// The types and fields that records share.
  case shapes
  /// The ids of the records, in pages.
  case ids
  /// The fields of the records, in pages.
  case pages
  /// The records of a batch that have changed since their pages were written.
  case log
  /// The parts of records with many fields.
  case parts
  /// The epochs of records that were invalidated, in pages.
  case epochs
  /// The plans of operations.
  case documents
  /// The operations whose data is kept.
  case roots
  /// The mutations of an outbox.
  case entries
}

/// The place of a stored row.
package struct RowKey: Hashable, Sendable {
  package let table: StorageTable
  package let key: Int64

  package init(_ table: StorageTable, _ key: Int64) {
    self.table = table
    self.key = key
  }
}

/// The rows that one transaction writes.
package struct StorageBatch: Sendable {
  /// Whether all existing rows are removed first.
  package var isReplacement = false
  /// Whether nothing of what is removed may be left in the files.
  package var isSecure = false
  /// The new bytes of rows; `nil` removes the row.
  package var rows: [(key: RowKey, bytes: [UInt8]?)] = []

  package init() {}

  /// The number of bytes in rows.
  package var byteCount: Int { rows.reduce(0) { $0 + ($1.bytes?.count ?? 0) } }
}

/// The database that a store is stored in: tables of rows by integer key.
///
/// All calls but ``markWiped()`` are made by one thread at a time, and may block. An error of
/// ``write(_:)`` leaves the rows as they were before.
package protocol StorageEngine: AnyObject, Sendable {
  /// Opens the database, creating it if there is none; a no-op if it is open. One that is marked as
  /// wiped is removed first.
  ///
  /// - Throws: ``StorageFailure``.
  func open() throws
  /// Calls the closure with every row, in the order of the tables and of the keys.
  ///
  /// - Throws: ``StorageFailure``, or the error of the closure.
  func read(_ body: (RowKey, UnsafeRawBufferPointer) throws -> Void) throws
  /// Returns the bytes of a row; `nil` if there is none.
  ///
  /// - Throws: ``StorageFailure``.
  func row(at key: RowKey) throws -> [UInt8]?
  /// Writes a batch in one transaction.
  ///
  /// - Throws: ``StorageFailure``.
  func write(_ batch: StorageBatch) throws
  /// Removes the database and its mark from the disk. The engine is closed afterwards.
  ///
  /// - Throws: ``StorageFailure``.
  func wipe() throws
  /// Marks the database durably as one that must not be read any more. Any thread may call this at any
  /// time.
  ///
  /// - Throws: ``StorageFailure``; what can be removed is removed nevertheless.
  func markWiped() throws
  /// Renames the files of the database, which are kept, and opens a new one with the rows of a batch. A
  /// process that ends meanwhile leaves the one or the other.
  ///
  /// - Returns: The new path of the old files.
  /// - Throws: ``StorageFailure``. The next call of ``open()`` opens the old database, or finishes the
  ///   exchange.
  func replace(by batch: StorageBatch) throws -> String
  /// The new path of a damaged database that ``open()`` has renamed, to finish the exchange that an
  /// earlier process has begun; `nil` if it has not.
  var setAside: String? { get }
  /// Closes the database, and releases its lock.
  func close()
  /// The number of bytes on the disk.
  var byteCount: Int { get }
}

extension StorageEngine {
  package var setAside: String? { nil }
}

/// An error of a storage engine.
package struct StorageFailure: Error, Sendable, CustomStringConvertible {
  package enum Kind: Sendable {
    /// The database cannot be used: no library, or no access.
    case unavailable
    /// Another process, or another store, has the database open.
    case inUse
    /// The database is damaged, or of another version.
    case corrupt
    /// A read or write has failed: the disk is full, or has an error.
    case io
    /// A row violates a constraint of its table.
    case rejected
    /// The database was wiped while it was read.
    case wiped
  }

  package var kind: Kind
  package var description: String

  package init(_ kind: Kind, _ description: String) {
    self.kind = kind
    self.description = description
  }
}

extension StorageFailure {
  package init(wrapping error: any Error) {
    self = error as? StorageFailure ?? StorageFailure(.io, "\(error)")
  }
}
