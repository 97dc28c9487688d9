/// An event in a store, for logs; see ``RecordStore/Configuration/log``.
///
/// Events name types, definitions and paths, never values or ids. Future versions may add cases: a
/// `switch` needs a default.
public enum StoreEvent: Sendable, Hashable {
  /// Changes were published: responses, updates, or the start or end of optimistic updates.
  case publish(changedRecords: Int)
  /// A payload of an incremental response was written: the distinct parts in it, and the number of
  /// parts that the operation still waits for.
  case parts(operation: String, received: [PendingPart], pendingCount: Int)
  /// New snapshots were delivered to observers, or are about to be.
  case notify(observers: Int)
  /// Garbage was collected.
  case garbageCollection(collected: Int, retained: Int)
  /// The records persisted by an earlier run of the program were loaded.
  case loaded(records: Int)
  /// All changes up to a revision were persisted.
  case persisted(revision: UInt64)
  /// The persisted data was damaged or had another version, and was replaced with an empty
  /// database.
  case persistenceReplaced(reason: String)
  /// Persisted records could not be decoded although their checksum is right. They are missing.
  case persistedRecordsDamaged
  /// The database of the outbox is damaged and was renamed. Entries that could be recovered remain
  /// in the outbox.
  case outboxRejected(path: String)
  /// The storage of the records failed. Records are not persisted from now on.
  case persistenceFailed(String)
  /// The database of the outbox could not be read, written or removed. A write is retried at the
  /// next attempt.
  case outboxFailed(String)
  /// A file of the inbox was unusable and was moved.
  case inboxFileRejected(path: String, reason: String)
  /// The inbox could not be read, or a file in it could not be removed. The next import of the
  /// inbox tries again.
  case inboxFailed(String)
  /// A snapshot of some queries was written to a file: the number of records.
  case snapshotExported(records: Int)
  /// A snapshot file could not be written. The next change tries again.
  case snapshotFailed(String)
  /// An operation was checked.
  case check(OperationAvailability)
  /// A definition was read: its name, and whether data was missing.
  case read(owner: String, isMissingData: Bool)
  /// A snapshot that was read or delivered has fields that are not in the store, or null although
  /// the schema forbids it.
  case missingData(owner: String, paths: [ResponsePath])
  /// A write left out fields that an observer reads, and the observer had all its data before: the
  /// paths that are missing now. Their rows have disappeared, or still show the previous data.
  case becameIncomplete(owner: String, paths: [ResponsePath])
  /// The optimistic response of an operation created or linked records without fields that observers
  /// read. The fields are sorted and have the form `Todo.isComplete`.
  ///
  /// Logged once for each optimistic response, instead of ``becameIncomplete(owner:paths:)``. The
  /// function `complete` of the `RawResponse` takes every field.
  case incompleteOptimisticResponse(operation: String, fields: [String])
  /// A field with `@required(action: LOG)` or `THROW` is null.
  case missingRequiredField(owner: String, path: ResponsePath)
  /// A field has an error of another kind.
  case fieldError(owner: String, path: ResponsePath, kind: FieldError.Kind)
  /// A response and the store have different types for one id; the record now has the response's
  /// type and fields.
  case typeCollision(TypeCollision)
  /// A page of the connection with this key does not continue the list, so it was discarded.
  case pageNotMerged(key: String)
  /// An updater threw an error of this type, and its writes were rolled back.
  case updaterFailed(errorType: String, isOptimistic: Bool)
  /// An object of an `@updatable` definition was used after its updater had ended. Writes had no
  /// effect, and reads returned `nil`.
  case usedAfterUpdater(typeName: String)
  /// An updater wrote a field that the record did not have and that no definition in use selects,
  /// although they select other fields of its type. The name may be misspelled.
  case unknownField(typeName: String, field: String)
}

extension StoreEvent: LogEntry {
  /// Whether the event reports a failure or a probable mistake: a failed updater or storage, a
  /// discarded page, two types for one id, a field with an error, a required field that is null, or
  /// a write or an optimistic response that left out fields that an observer reads.
  ///
  /// Other missing data does not count, because it is normal while a request is in flight.
  public var isProblem: Bool {
    switch self {
    case .publish, .parts, .notify, .garbageCollection, .loaded, .persisted, .check, .read,
      .missingData, .snapshotExported:
      false
    case .becameIncomplete, .incompleteOptimisticResponse, .missingRequiredField, .fieldError,
      .typeCollision, .pageNotMerged, .updaterFailed,
      .usedAfterUpdater, .unknownField, .persistenceReplaced, .persistenceFailed,
      .persistedRecordsDamaged,
      .outboxRejected, .outboxFailed, .inboxFileRejected, .inboxFailed, .snapshotFailed:
      true
    }
  }

  /// The event on one line.
  public var description: String {
    switch self {
    case .publish(let records): "published changes of \(records.counted("record"))"
    case .parts(let operation, let received, let count):
      "received \(Self.names(of: received)) of \(operation), \(count) pending"
    case .notify(let observers): "delivered snapshots to \(observers.counted("observer"))"
    case .garbageCollection(let collected, let retained):
      "collected \(collected.counted("record")) as garbage, retained \(retained)"
    case .loaded(let records): "loaded \(records.counted("record"))"
    case .persisted(let revision): "persisted all changes up to revision \(revision)"
    case .persistenceReplaced(let reason): "replaced the storage with an empty one: \(reason)"
    case .persistedRecordsDamaged: "persisted records could not be decoded and are missing"
    case .outboxRejected(let path): "the outbox is damaged and was renamed to \(path)"
    case .persistenceFailed(let reason):
      "the storage has failed, and no more records are persisted: \(reason)"
    case .outboxFailed(let reason): "the database of the outbox has failed: \(reason)"
    case .inboxFileRejected(let path, let reason):
      "a file of the inbox was moved to \(path): \(reason)"
    case .inboxFailed(let reason): "the inbox has failed: \(reason)"
    case .snapshotExported(let records): "exported a snapshot of \(records.counted("record"))"
    case .snapshotFailed(let reason): "a snapshot could not be exported: \(reason)"
    case .check(let availability): "checked an operation: \(availability)"
    case .read(let owner, let isMissingData):
      "read \(owner)\(isMissingData ? ", with missing data" : "")"
    case .missingData(let owner, let paths):
      "\(owner) is missing \(paths.map(\.description).joined(separator: ", "))"
    case .becameIncomplete(let owner, let paths):
      "a write left out fields that \(owner) reads: \(paths.map(\.description).joined(separator: ", "))"
    case .incompleteOptimisticResponse(let operation, let fields):
      "the optimistic response of \(operation) left out fields that are observed: \(fields.joined(separator: ", "))"
    case .missingRequiredField(let owner, let path): "\(owner): required field \(path) is null"
    case .fieldError(let owner, let path, let kind): "\(owner): \(path) has an error (\(kind))"
    case .typeCollision(let collision):
      "two types for one id: \(collision.new) replaced \(collision.old)"
    case .pageNotMerged(let key):
      "a page does not continue the list of connection \(key), so it was discarded"
    case .updaterFailed(let errorType, let isOptimistic):
      "\(isOptimistic ? "an optimistic" : "an") updater threw \(errorType); its writes were rolled back"
    case .usedAfterUpdater(let typeName):
      "an object of type \(typeName) was used after its updater had ended"
    case .unknownField(let typeName, let field):
      "an updater wrote \(typeName).\(field), but no definition selects it"
    }
  }
}

extension StoreEvent {
  private static func names(of parts: [PendingPart]) -> String {
    if parts.isEmpty { return "no part" }
    return parts.map { $0.label.isEmpty ? "a part without a label" : $0.description }
      .joined(separator: ", ")
  }

  static func updaterFailed(_ error: any Error, isOptimistic: Bool) -> StoreEvent {
    .updaterFailed(errorType: String(describing: type(of: error)), isOptimistic: isOptimistic)
  }
}
