/// The interned shapes of a store.
package struct ShapeTable {
  private var shapes: [RecordShape.Key: RecordShape] = [:]
  /// The last union. Consecutive records often have the same two shapes.
  private var lastUnion: ShapeUnion?
  /// The maximum number of fields in an interned shape. A record with more fields has a separate
  /// shape.
  private static let internedFieldLimit = 48
  /// The number of shapes at which the table is cleared, because a server can invent types.
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

  /// Returns the shape for a type's records with a field tree. The fields are not part of the
  /// shape.
  package mutating func large(_ typeName: String?) -> RecordShape {
    intern(typeName, [], isLarge: true)
  }

  /// Returns the union of two shapes whose records have no field trees.
  mutating func union(of old: RecordShape, _ new: RecordShape) -> ShapeUnion {
    if let lastUnion, lastUnion.old === old, lastUnion.new === new { return lastUnion }
    let union = ShapeUnion(old: old, new: new) { intern($0, $1) }
    lastUnion = union
    return union
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

/// The shape with the fields of two others. The second shape's fields take precedence.
final class ShapeUnion: Sendable {
  /// The source of a field.
  struct Source {
    /// The position in the new shape; -1 if that shape does not have the field.
    var new: Int32
    /// The position in the old shape; -1 if that shape does not have the field.
    var old: Int32
  }

  let old: RecordShape
  let new: RecordShape
  let shape: RecordShape
  /// The source of each key of the shape.
  let sources: ContiguousArray<Source>

  /// - Parameter intern: Returns the shape for a type and keys.
  fileprivate init(
    old: RecordShape, new: RecordShape,
    intern: (String?, ContiguousArray<FieldKey>) -> RecordShape
  ) {
    var keys: ContiguousArray<FieldKey> = []
    var sources: ContiguousArray<Source> = []
    var (left, right) = (0, 0)
    while left < old.keys.count || right < new.keys.count {
      let a = left < old.keys.count ? old.keys[left].rawValue : .max
      let b = right < new.keys.count ? new.keys[right].rawValue : .max
      keys.append(b <= a ? new.keys[right] : old.keys[left])
      sources.append(Source(new: b <= a ? Int32(right) : -1, old: a <= b ? Int32(left) : -1))
      if a <= b { left += 1 }
      if b <= a { right += 1 }
    }
    self.old = old
    self.new = new
    self.sources = sources
    shape = intern(new.typeName ?? old.typeName, keys)
  }
}
