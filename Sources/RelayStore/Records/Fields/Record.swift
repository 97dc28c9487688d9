/// An immutable object of the store.
///
/// `@unchecked Sendable`: safe because a ``RecordBox`` is not mutated after
/// ``RecordBox/make(_:_:id:stringCount:extras:fill:)`` returns it. Only `make` writes to a
/// record, before the reference is shared.
package struct Record: @unchecked Sendable {
  /// The state of a record: `unknown` if the store has only its id, `deleted` if the object does
  /// not exist, or `present`.
  package enum State: UInt8, Sendable { case unknown, deleted, present }

  package let box: RecordBox

  package init(_ box: RecordBox) { self.box = box }

  package var state: State { box.state }
  /// The object's type; `nil` until a response includes it.
  package var typeName: String? { box.shape.typeName }
  /// The keys of all fields, sorted by raw value.
  package var keys: ContiguousArray<FieldKey> {
    guard let fields = box.fields else { return box.shape.keys }
    var keys: ContiguousArray<FieldKey> = []
    fields.forEach { keys.append($0.key) }
    return keys
  }
  /// The values of all fields, in the order of ``keys``.
  package var values: [FieldValue] {
    guard let fields = box.fields else {
      return box.shape.keys.indices.map { box.value(at: $0) }
    }
    var values: [FieldValue] = []
    fields.forEach { values.append($0.value) }
    return values
  }
  /// The errors of the fields that the server could not resolve.
  package var errors: [FieldKey: [StoredError]] { box.errors }

  /// The value for a storage key; `nil` if the field was never written.
  ///
  /// - Complexity: O(log *n*) in the record's fields.
  package subscript(key: FieldKey) -> FieldValue? { box.value(of: key) }

  /// Returns the errors of a field that the server could not resolve.
  package func errors(of key: FieldKey) -> [StoredError] { box.errors(of: key) }
}

extension Record: Equatable {
  /// Whether both have the same state, type, fields and errors.
  package static func == (left: Record, right: Record) -> Bool {
    let (a, b) = (left.box, right.box)
    if a === b { return true }
    guard a.state == b.state, a.shape.hasSameType(as: b.shape) else { return false }
    if let fields = a.fields, let otherFields = b.fields { return fields == otherFields }
    if a.shape.isLarge || b.shape.isLarge {
      return left.keys == right.keys && left.values == right.values && a.errors == b.errors
    }
    guard a.shape.keys == b.shape.keys else { return false }
    let isSame = a.withCells { cells, texts in
      b.withCells { otherCells, otherTexts in
        a.shape.keys.indices.allSatisfy {
          hasSameValue(
            cells[$0], texts: texts, owner: a,
            as: otherCells[$0], otherTexts: otherTexts, otherOwner: b)
        }
      }
    }
    return isSame && a.errors == b.errors
  }

  private static func hasSameValue(
    _ cell: FieldCell, texts: StringBytes, owner: RecordBox,
    as other: FieldCell, otherTexts: StringBytes, otherOwner: RecordBox
  ) -> Bool {
    guard cell.kind == other.kind else { return false }
    if cell.isText { return texts[cell].hasSameBytes(as: otherTexts[other]) }
    if cell.kind != .boxed { return cell == other }
    return owner.extras?.boxedValues[cell.boxedIndex]
      == otherOwner.extras?.boxedValues[other.boxedIndex]
  }
}

/// An error that the server reported for a field, stored with the record.
package struct StoredError: Hashable, Sendable {
  package var message: String
  /// The path from the field that became null to the field that failed.
  package var path: ResponsePath

  package init(message: String, path: ResponsePath) {
    (self.message, self.path) = (message, path)
  }
}
