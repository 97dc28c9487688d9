/// The sweep of type schema records. Such a record lists the abstract types that a type satisfies.
/// It is retained only while a record of its type exists, because a server can invent any number of
/// types.
struct TypeSchemaSweep {
  /// The types of the retained records.
  private(set) var names: Set<ByteString> = []
  /// The last record's shape, retained so that its identity is not reused while it is compared.
  private var lastShape: RecordShape?
  /// The unmarked type schema records that were not swept yet.
  private var pending: [RecordIndex] = []

  /// Adds the type of a retained record.
  mutating func keep(_ record: RecordBox) {
    if let lastShape, ObjectIdentifier(lastShape) == record.shapeID { return }
    let shape = record.shape
    lastShape = shape
    if let typeName = shape.typeName { names.insert(ByteString(typeName)) }
  }

  /// Adds an unmarked type schema record for ``step(_:on:)`` to sweep.
  mutating func add(_ index: RecordIndex) { pending.append(index) }

  /// Sweeps some of the type schema records, once all other records are swept.
  ///
  /// - Returns: For each existing record, whether it is retained; `nil` if there are none left.
  mutating func step(_ limit: Int, on source: inout LayeredSource) -> [Bool]? {
    if pending.isEmpty { return nil }
    let batch = pending.suffix(limit)
    pending.removeLast(batch.count)
    return batch.compactMap { index in
      guard let typeName = source.id(of: index)?.schemaTypeName else { return nil }
      let name = ByteString(typeName)
      let isKept = names.contains(name) || source.recentTypes?.contains(name) == true
      return source.sweep(index, isKept: isKept)
    }
  }

  /// Unregisters the types without records.
  ///
  /// - Returns: The indexes of the other types' type schema records. They remain assigned, even to
  ///   tombstones, because readers observe a type schema record before it exists.
  func unregisterTypes(of source: inout LayeredSource) -> [RecordIndex] {
    source.registeredTypes.formIntersection(names.union(source.recentTypes ?? []))
    return source.registeredTypes.compactMap { source.index(of: .typeSchema($0.text)) }
  }
}
