/// A payload with an index of its objects.
struct ReceivedPayload {
  /// The payload. While a normalizer extends it, only the normalizer holds it: a second reference
  /// would cause a copy on the next write.
  private(set) var payload: RecordPayload
  /// The entry of each record; -1 without one.
  private var entries: ContiguousArray<Int32> = []
  private var indexedCount = 0
  /// The number of each record in the ``PartRecords``; `.none` without one.
  private var numbers: ContiguousArray<RecordIndex> = []
  /// The entries by the hash of their ids, if an object may occur several times; otherwise `nil`.
  private var occurrences: [UInt32: [Int32]]?

  /// Creates an index of a payload.
  ///
  /// - Parameter sharesLinks: See ``ExpectedParts/sharesLinks``.
  init(_ payload: RecordPayload, sharesLinks: Bool) {
    self.payload = payload
    if sharesLinks { occurrences = [:] }
    index()
  }

  /// Lets a normalizer extend the payload.
  mutating func extend<Result>(
    by normalizer: inout Normalizer, _ body: (inout Normalizer) throws -> Result
  ) rethrows -> Result {
    swap(&payload, &normalizer.payload)
    defer {
      swap(&payload, &normalizer.payload)
      index()
    }
    return try body(&normalizer)
  }

  /// Appends fields of an object of which the payload has only a part.
  mutating func append(_ fields: [RecordPayload.Field], ofPartOf id: DataID) {
    let record = payload.appendOccurrence(of: id)
    payload.markPart(record)
    payload.append(record, typeName: nil, fields: fields)
    index()
  }

  /// Appends a record without fields.
  mutating func appendOccurrence(of id: DataID) -> RecordIndex {
    defer { index() }
    return payload.appendOccurrence(of: id)
  }

  /// Appends elements of a list.
  mutating func append(_ patch: ListPatch) { payload.append(patch) }

  /// Appends the handle of a field of which the payload has only a part.
  mutating func appendForPart(_ handle: FieldHandle, of id: DataID) {
    payload.append(handle, of: payload.appendOccurrence(of: id), isPart: true)
  }

  private mutating func index() {
    let missing = payload.ids.count - entries.count
    if missing > 0 { entries.append(contentsOf: repeatElement(-1, count: missing)) }
    for entry in indexedCount..<payload.entries.count {
      let record = payload.entries[entry].record
      entries[record.position] = Int32(entry)
      occurrences?[payload.ids[record.position].hash, default: []].append(Int32(entry))
    }
    indexedCount = payload.entries.count
  }

  /// Returns the number of a record in the ``PartRecords``.
  mutating func number(of record: RecordIndex, in records: inout PartRecords) -> RecordIndex {
    let missing = payload.ids.count - numbers.count
    if missing > 0 { numbers.append(contentsOf: repeatElement(.none, count: missing)) }
    if numbers[record.position] == .none {
      numbers[record.position] = records.number(of: payload.id(of: record))
    }
    return numbers[record.position]
  }

  /// Returns a field of an object; `nil` if the payload does not have it.
  func cell(_ key: FieldKey, of record: RecordIndex) -> FieldCell? {
    entryIndex(of: record, with: key).flatMap { cell(key, in: $0) }
  }

  private func cell(_ key: FieldKey, in entry: Int) -> FieldCell? {
    let entry = payload.entries[entry]
    return payload.shapes[entry.shape].position(of: key).map { payload.cells[entry.firstCell + $0] }
  }

  /// Returns the entry of an object that has a field, preferably the entry of `record` itself.
  private func entryIndex(of record: RecordIndex, with key: FieldKey) -> Int? {
    if let own = entryIndex(of: record), cell(key, in: own) != nil { return own }
    guard let others = occurrences?[payload.ids[record.position].hash] else { return nil }
    let id = payload.id(of: record)
    return others.lazy.map { Int($0) }.first {
      cell(key, in: $0) != nil && payload.id(of: payload.entries[$0].record) == id
    }
  }

  /// Returns the type of an object; `nil` for the root, and if the payload does not name the type.
  func typeName(of record: RecordIndex) -> String? {
    if payload.isRoot(record) { return nil }
    return entry(of: record).flatMap { payload.shapes[$0.shape].typeName }
  }

  /// Returns the errors of a field.
  func errors(of key: FieldKey, _ record: RecordIndex) -> [StoredError] {
    entryIndex(of: record, with: key).flatMap { payload.errors[$0]?[key] } ?? []
  }

  private func entry(of record: RecordIndex) -> RecordPayload.Entry? {
    entryIndex(of: record).map { payload.entries[$0] }
  }

  private func entryIndex(of record: RecordIndex) -> Int? {
    guard entries.indices.contains(record.position), entries[record.position] >= 0 else {
      return nil
    }
    return Int(entries[record.position])
  }
}
