/// Something that a store has done, for logs; see ``RecordStore/Configuration/log``.
///
/// Events name types, definitions and paths, never values or ids. More may come: a `switch` needs a
/// default.
public enum StoreEvent: Sendable, Hashable {
  /// Changes were published: responses, updates, optimistic updates and their ends.
  case publish(changedRecords: Int)
  /// Observers were, or are about to be, given new snapshots.
  case notify(observers: Int)
  /// Garbage was collected.
  case garbageCollection(collected: Int, kept: Int)
  /// An operation was checked.
  case check(OperationAvailability)
  /// A definition was read: its name, and whether all of it was there.
  case read(owner: String, isMissingData: Bool)
  /// What was read, or delivered, has fields that are not in the store, or null where they may not be.
  case missingData(owner: String, paths: [ResponsePath])
  /// A field with `@required(action: LOG)` or `THROW` is null.
  case missingRequiredField(owner: String, path: ResponsePath)
  /// A field has an error of another kind.
  case fieldError(owner: String, path: ResponsePath, kind: FieldError.Kind)
  /// A response has another type under an id than the store; the newer type's fields replaced the record.
  case typeCollision(TypeCollision)
  /// A page of the connection with this key does not continue the list, so that it was left out.
  case pageNotMerged(key: String)
  /// An updater threw an error of this type: what it wrote was taken back.
  case updaterFailed(errorType: String, isOptimistic: Bool)
  /// An object of an `@updatable` definition was read or set after its updater had ended: nothing was written,
  /// and what was read is nil.
  case usedAfterUpdater(typeName: String)
  /// An updater wrote a field that the record did not have, and that no definition in use selects, although they select
  /// others from its type: its name may be misspelt.
  case unknownField(typeName: String, field: String)
}

extension StoreEvent {
  static func updaterFailed(_ error: any Error, isOptimistic: Bool) -> StoreEvent {
    .updaterFailed(errorType: String(describing: type(of: error)), isOptimistic: isOptimistic)
  }
}

/// The events of a store since it was locked.
struct EventBuffer {
  /// Whether anyone listens; else nothing is kept.
  let isOn: Bool
  private var events: [StoreEvent] = []

  init(isOn: Bool) { self.isOn = isOn }

  mutating func note(_ event: @autoclosure () -> StoreEvent) {
    if isOn { events.append(event()) }
  }

  /// Notes what was read.
  mutating func note(_ snapshot: RowSnapshot, of plan: SelectionPlan) {
    guard isOn else { return }
    events.append(.read(owner: plan.owner, isMissingData: !snapshot.missing.isEmpty))
    noteProblems(snapshot, owner: plan.owner)
  }

  /// Notes what is wrong with what is delivered.
  mutating func note(_ deliveries: [Delivery]) {
    guard isOn else { return }
    for case let snapshot? in deliveries.lazy.map(\.snapshot) {
      noteProblems(snapshot, owner: snapshot.row?.plan.owner ?? "")
    }
  }

  private mutating func noteProblems(_ snapshot: RowSnapshot, owner: String) {
    if !snapshot.missing.isEmpty {
      events.append(.missingData(owner: owner, paths: snapshot.missing))
    }
    for error in snapshot.errors {
      events.append(
        error.kind == .required
          ? .missingRequiredField(owner: error.owner, path: error.path)
          : .fieldError(owner: error.owner, path: error.path, kind: error.kind))
    }
  }

  /// The events since the last call.
  mutating func take() -> [StoreEvent] {
    defer { events = [] }
    return events
  }
}
