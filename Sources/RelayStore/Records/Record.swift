/// An object as the store knows it.
package struct Record: Equatable {
  /// What is known of the object itself.
  package enum State: Equatable { case unknown, deleted, present }

  package var state = State.unknown
  /// The object's type, once a response has told it.
  package var typeName: String?
  package private(set) var keys: [FieldKey] = []
  package private(set) var values: [FieldValue] = []
  /// Errors of fields that the server could not answer, by field.
  package private(set) var errors: [FieldKey: [StoredError]] = [:]

  package init() {}

  /// A record that is known not to exist.
  package static let deleted: Record = {
    var record = Record()
    record.state = .deleted
    return record
  }()

  /// What stands for a storage key; `nil` when it was never written.
  ///
  /// - Complexity: O(*n*) in the record's fields, which are few.
  package subscript(key: FieldKey) -> FieldValue? {
    guard let position = keys.firstIndex(of: key) else { return nil }
    return values[position]
  }

  /// Writes a field; an error that it had is gone.
  ///
  /// - Returns: Whether anything changed.
  package mutating func set(_ key: FieldKey, to value: FieldValue, errors new: [StoredError] = [])
    -> Bool
  {
    let old = errors[key] ?? []
    if old != new { errors[key] = new.isEmpty ? nil : new }
    guard let position = keys.firstIndex(of: key) else {
      keys.append(key)
      values.append(value)
      return true
    }
    if values[position] == value { return old != new }
    values[position] = value
    return true
  }

  /// Writes every field that another record has, with its errors.
  ///
  /// - Returns: Whether anything changed.
  package mutating func copyFields(from other: Record) -> Bool {
    var isChanged = false
    for (key, value) in zip(other.keys, other.values)
    where set(key, to: value, errors: other.errors[key] ?? []) {
      isChanged = true
    }
    return isChanged
  }

  /// Whether both hold the same, in whatever order it was written.
  package static func == (left: Record, right: Record) -> Bool {
    guard
      left.state == right.state, left.typeName == right.typeName,
      left.keys.count == right.keys.count, left.errors == right.errors
    else { return false }
    if left.keys == right.keys { return left.values == right.values }
    return zip(left.keys, left.values).allSatisfy { right[$0] == $1 }
  }
}

/// An error that the server reported for a field, as it is kept with the record.
package struct StoredError: Hashable, Sendable {
  package var message: String
  /// From the field that became null to the one that failed.
  package var path: ResponsePath
}
