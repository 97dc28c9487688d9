/// The type and the field keys shared by records. Keys are sorted by raw value.
package final class RecordShape: Sendable {
  /// The object's type; `nil` until a response includes it.
  package let typeName: String?
  /// The id of the type's type schema record; `nil` without a type, and for the types of the
  /// store's own records.
  package let typeSchemaID: DataID?
  package let keys: ContiguousArray<FieldKey>
  /// Whether the fields are in a ``FieldTree`` and ``keys`` is empty.
  package let isLarge: Bool

  /// The contents of a shape, used as the key for interning it.
  struct Key: Hashable, Sendable {
    var typeName: ByteString?
    var keys: ContiguousArray<FieldKey>
    var isLarge = false
  }

  package init(typeName: String?, keys: ContiguousArray<FieldKey>, isLarge: Bool = false) {
    self.typeName = typeName
    typeSchemaID = typeName.flatMap { $0.hasPrefix("__") ? nil : .typeSchema($0) }
    self.isLarge = isLarge
    self.keys = keys
  }

  /// The shape of a record without type and fields.
  package static let empty = RecordShape(typeName: nil, keys: [])

  /// Returns the index of a field's cell; `nil` if the record has no such field.
  ///
  /// - Complexity: O(log *n*) in the fields.
  package func position(of key: FieldKey) -> Int? {
    if keys.count <= 8 { return keys.firstIndex(of: key) }
    var (low, high) = (0, keys.count)
    while low < high {
      let middle = (low + high) / 2
      if keys[middle].rawValue < key.rawValue { low = middle + 1 } else { high = middle }
    }
    return low < keys.count && keys[low] == key ? low : nil
  }

  func hasSameType(as other: RecordShape) -> Bool {
    self === other || isOfType(other.typeName)
  }

  package func isOfType(_ typeName: String?) -> Bool {
    switch (self.typeName, typeName) {
    case (nil, nil): true
    case (let a?, let b?): a.hasSameBytes(as: b)
    default: false
    }
  }
}
