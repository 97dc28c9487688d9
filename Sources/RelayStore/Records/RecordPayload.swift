/// Records on their way into a store: what a response, an optimistic response or client code
/// writes, with ids of its own numbering so that it can be made without holding the store.
package struct RecordPayload: Sendable {
  /// The fields of one object, as one occurrence in a response gives them.
  package struct Entry: Sendable {
    package var record: RecordIndex
    package var typeName: String?
    package var fields: Range<Int>
  }

  /// One field of an entry; links are numbered as ``ids`` is.
  package struct Field: Sendable {
    package var key: FieldKey
    package var value: FieldValue
    package var errors: [StoredError] = []
  }

  /// The records concerned, by this payload's numbers.
  package private(set) var ids: [DataID] = []
  package private(set) var entries: [Entry] = []
  package private(set) var fields: [Field] = []
  /// What is to be done with fields once all are written, in order.
  package private(set) var handles: [(record: RecordIndex, handle: FieldHandle)] = []
  private var indexes: [DataID: RecordIndex] = [:]

  package init() {}

  /// This payload's number for an id.
  package mutating func index(of id: DataID) -> RecordIndex {
    if let index = indexes[id] { return index }
    let index = RecordIndex(rawValue: UInt32(ids.count))
    indexes[id] = index
    ids.append(id)
    return index
  }

  /// Adds something to be done with a field.
  package mutating func append(_ handle: FieldHandle, of record: RecordIndex) {
    handles.append((record, handle))
  }

  /// Adds one occurrence of an object.
  package mutating func append(
    _ record: RecordIndex, typeName: String?, fields new: some Sequence<Field>
  ) {
    let start = fields.count
    fields.append(contentsOf: new)
    entries.append(Entry(record: record, typeName: typeName, fields: start..<fields.count))
  }
}
