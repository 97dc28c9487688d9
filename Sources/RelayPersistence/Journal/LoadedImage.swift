import RelayStore

/// The contents of a loaded storage, ready to merge into a store.
package struct LoadedImage: Sendable {
  let image: PersistedImage
  let contents: PersistedImage.Contents
  /// The names in the storage, with their storage keys in the store.
  private(set) var names: [RecordDecoder.Name] = []
  let schema: String
  let roots: [PersistedRoot]
  private let documents: [UInt64: SelectionPlan]
  let epochs: [(number: UInt32, invalidated: UInt64?, written: UInt64?)]

  /// Decodes just enough to find records by id.
  ///
  /// - Throws: ``PersistenceFailure`` of kind `corrupt`.
  package init(_ image: PersistedImage, schema: String) throws {
    self.image = image
    self.schema = schema
    contents = try image.contents()
    roots = image.roots.map(\.root).sorted { $0.use < $1.use }
    documents = image.documents
    epochs = image.epochs
  }

  /// Returns the plan of an operation; `nil` if it was not persisted.
  func plan(of root: PersistedRoot) -> SelectionPlan? { documents[root.identity.documentHash] }

  /// The number of persisted records.
  package var recordCount: Int { contents.records.count }

  /// Interns the next storage keys.
  ///
  /// - Parameter limit: The maximum number of names per call, so that the store is not locked for
  ///   long.
  /// - Returns: Whether all are interned.
  mutating func internNames(in keys: KeyTable, limit: Int) -> Bool {
    for name in image.names[names.count...].prefix(limit) {
      switch name {
      case .key(let text) where isUsed(names.count): names.append(.key(keys.intern(text)))
      case .typeName(let text) where isUsed(names.count): names.append(.typeName(text))
      case .free, .key, .typeName: names.append(.free)
      }
    }
    return names.count == image.names.count
  }

  private func isUsed(_ name: Int) -> Bool { contents.names.contains(UInt32(name)) }

  /// Returns the shapes of the storage, interned in the store.
  ///
  /// - Returns: `nil` if a shape is damaged.
  func shapes(in shapes: inout ShapeTable) -> [RecordDecoder.Shape?]? {
    var result: [RecordDecoder.Shape?] = []
    for (number, shape) in image.shapes.enumerated() {
      guard contents.shapes.contains(number), let shape else {
        result.append(nil)
        continue
      }
      let stored = shape.keys.compactMap { key($0) }
      let sorted = ContiguousArray(stored.sorted { $0.rawValue < $1.rawValue })
      guard stored.count == shape.keys.count, Set(stored).count == stored.count,
        shape.typeName.map({ typeName($0) != nil }) ?? true
      else { return nil }
      let isSame = stored.elementsEqual(sorted)
      result.append(
        RecordDecoder.Shape(
          shape: shapes.intern(shape.typeName.flatMap { typeName($0) }, sorted),
          positions: isSame ? nil : stored.map { sorted.firstIndex(of: $0) ?? 0 }))
    }
    return result
  }

  private func key(_ name: UInt32) -> FieldKey? {
    guard name < names.count, case .key(let key) = names[Int(name)] else { return nil }
    return key
  }

  private func typeName(_ name: UInt32) -> String? {
    guard name < names.count, case .typeName(let text) = names[Int(name)] else { return nil }
    return text
  }

  /// The names of the types of all records.
  var typeNames: [String] {
    names.compactMap { if case .typeName(let text) = $0 { text } else { nil } }
  }

  /// The client-written fields of each record, by number.
  var clientWritten: [(number: UInt32, keys: [FieldKey])] {
    contents.clientWritten.map { ($0.number, $0.names.compactMap { key($0) }) }
  }

  /// Returns the writer that continues the storage.
  ///
  /// - Parameter shapes: The storage's shapes, interned in the store.
  func writer(
    numbering: RecordNumbering, shapes: [RecordDecoder.Shape?], format: PersistenceFormat
  ) -> JournalEncoder {
    let keys = names.map { name -> FieldKey? in
      if case .key(let key) = name { key } else { nil }
    }
    let unused = image.names.indices.filter { image.names[$0].text != nil && !isUsed($0) }
    let encoder = RecordEncoder(
      numbering: numbering,
      names: PersistedNames(
        texts: image.names.map(\.text), keys: keys, unused: unused.map { UInt32($0) }),
      shapes: PersistedShapes(image.shapes, shapes: shapes))
    return JournalEncoder(image, encoder: encoder, format: format, schema: schema)
  }

  /// Returns the records not yet in the store's table.
  func records(
    numbering: RecordNumbering, shapes: [RecordDecoder.Shape?]
  ) -> PersistedRecords {
    let decoder = RecordDecoder(
      numbering: numbering, numbers: image.ids.numbers, names: names, shapes: shapes,
      parts: image.parts.mapValues { $0.map(\.bytes) })
    return PersistedRecords(image.pages, decoder: decoder)
  }
}
