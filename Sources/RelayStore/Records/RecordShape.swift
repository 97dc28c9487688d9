/// What records with the same fields share: their type and the keys of their fields, sorted by number.
package final class RecordShape: Sendable {
  /// The object's type, once a response has told it.
  package let typeName: String?
  package let keys: ContiguousArray<FieldKey>
  /// Whether the fields are in a ``FieldTree``, and no keys are here.
  package let isLarge: Bool

  /// What tells one shape from another.
  struct Key: Hashable, Sendable {
    var typeName: ByteString?
    var keys: ContiguousArray<FieldKey>
    var isLarge = false
  }

  package init(typeName: String?, keys: ContiguousArray<FieldKey>, isLarge: Bool = false) {
    self.typeName = typeName
    self.isLarge = isLarge
    self.keys = keys
  }

  /// The shape of a record of which nothing is known.
  package static let empty = RecordShape(typeName: nil, keys: [])

  /// Where a field stands; `nil` when the record has none.
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

/// The shapes of a store, each once.
package struct ShapeTable {
  private var shapes: [RecordShape.Key: RecordShape] = [:]
  /// A record with more fields than this has a shape for itself, which nobody shares.
  private static let sharedLimit = 48
  /// With so many, none is known any more: a server can invent types.
  private static let countLimit = 1 << 14

  package init() {}

  /// - Parameter keys: Sorted, each once.
  package mutating func intern(_ typeName: String?, _ keys: ContiguousArray<FieldKey>)
    -> RecordShape
  {
    if keys.count > Self.sharedLimit { return RecordShape(typeName: typeName, keys: keys) }
    return intern(typeName, keys, isLarge: false)
  }

  /// The shape of records of a type that have many fields, which are no part of it.
  package mutating func large(_ typeName: String?) -> RecordShape {
    intern(typeName, [], isLarge: true)
  }

  private mutating func intern(
    _ typeName: String?, _ keys: ContiguousArray<FieldKey>, isLarge: Bool
  ) -> RecordShape {
    let key = RecordShape.Key(
      typeName: typeName.map(ByteString.init), keys: keys, isLarge: isLarge)
    if let known = shapes[key] { return known }
    if shapes.count >= Self.countLimit { shapes.removeAll() }
    let made = RecordShape(typeName: typeName, keys: keys, isLarge: isLarge)
    shapes[key] = made
    return made
  }
}
