/// Which of the records that remember types' abstract types a garbage collection keeps: those of types
/// that a record has. A server can invent as many types as it likes.
struct TypeRecordSweep {
  private var names: Set<ByteString> = []
  private var lastShape: ObjectIdentifier?
  /// The records that are kept only where their type is.
  private var open: [RecordIndex] = []

  /// Notes a record that stays.
  mutating func keep(_ record: RecordStorage) {
    let shapeID = record.shapeID
    if shapeID == lastShape { return }
    lastShape = shapeID
    if let typeName = record.shape.typeName { names.insert(ByteString(typeName)) }
  }

  /// Notes a record that remembers a type.
  mutating func add(_ index: RecordIndex) { open.append(index) }

  /// Decides about some of the records noted, once all others are swept.
  ///
  /// - Returns: What became of them: whether there was a record, and whether it is kept; `nil` where none are left.
  mutating func step(_ limit: Int, on source: inout LayeredSource) -> [Bool]? {
    if open.isEmpty { return nil }
    let some = open.suffix(limit)
    open.removeLast(some.count)
    return some.compactMap { index in
      guard let typeName = source.id(of: index)?.schemaTypeName else { return nil }
      let name = ByteString(typeName)
      let isKept = names.contains(name) || source.recentTypes?.contains(name) == true
      if !isKept { source.forgetType(name) }
      return source.sweep(index, isKept: isKept)
    }
  }
}
