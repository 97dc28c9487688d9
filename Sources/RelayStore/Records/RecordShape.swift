/// The type and the field keys that records share. Keys are sorted by raw value.
package final class RecordShape: Sendable {
  /// The object's type; `nil` until a response includes it.
  package let typeName: String?
  /// The id of the type's type schema record; `nil` without a type, and for the types of the
  /// store's own records.
  package let typeSchemaID: DataID?
  package let keys: ContiguousArray<FieldKey>
  /// Whether the fields are in a ``FieldTree`` and ``keys`` is empty.
  package let isLarge: Bool

  /// The contents of a shape, as the key for interning it.
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

  package func hasSameType(as other: RecordShape) -> Bool {
    self === other || isOfType(other.typeName)
  }

  func isOfType(_ typeName: String?) -> Bool {
    switch (self.typeName, typeName) {
    case (nil, nil): true
    case (let a?, let b?): a.hasSameBytes(as: b)
    default: false
    }
  }
}

/// The interned shapes of a store.
package struct ShapeTable {
  private var shapes: [RecordShape.Key: RecordShape] = [:]
  /// The maximum number of fields in an interned shape. A record with more fields has a shape of
  /// its own.
  private static let internedFieldLimit = 48
  /// The number of shapes at which the table is cleared, since a server can invent types.
  private static let countLimit = 1 << 14

  package init() {}

  /// Returns the shape for a type and keys.
  ///
  /// - Parameter keys: The keys, sorted and without duplicates.
  package mutating func intern(_ typeName: String?, _ keys: ContiguousArray<FieldKey>)
    -> RecordShape
  {
    if keys.count > Self.internedFieldLimit { return RecordShape(typeName: typeName, keys: keys) }
    return intern(typeName, keys, isLarge: false)
  }

  /// Returns the shape for records of a type that have a field tree. The fields are not part of the
  /// shape.
  package mutating func large(_ typeName: String?) -> RecordShape {
    intern(typeName, [], isLarge: true)
  }

  private mutating func intern(
    _ typeName: String?, _ keys: ContiguousArray<FieldKey>, isLarge: Bool
  ) -> RecordShape {
    let key = RecordShape.Key(
      typeName: typeName.map(ByteString.init), keys: keys, isLarge: isLarge)
    if let shape = shapes[key] { return shape }
    if shapes.count >= Self.countLimit { shapes.removeAll() }
    let shape = RecordShape(typeName: typeName, keys: keys, isLarge: isLarge)
    shapes[key] = shape
    return shape
  }
}
