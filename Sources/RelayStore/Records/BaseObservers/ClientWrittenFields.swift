/// The client-written fields: fields with arguments, in the base, that were last written by an
/// updater or a restored dump. The collector retains them, because no server could return them
/// again.
package struct ClientWrittenFields: BaseObserver {
  package internal(set) var fields: [RecordIndex: Set<FieldKey>] = [:]

  func contains(_ key: FieldKey, of index: RecordIndex) -> Bool {
    fields[index]?.contains(key) ?? false
  }

  package mutating func insert(_ keys: [FieldKey], of index: RecordIndex) {
    if !keys.isEmpty { fields[index, default: []].formUnion(keys) }
  }

  /// Removes fields that a response has written.
  @inline(__always)
  mutating func subtract(_ keys: ContiguousArray<FieldKey>, of index: RecordIndex) {
    if !fields.isEmpty { subtractFromAny(keys, of: index) }
  }

  /// The slow path of ``subtract(_:of:)``.
  private mutating func subtractFromAny(_ keys: ContiguousArray<FieldKey>, of index: RecordIndex) {
    guard var written = fields[index] else { return }
    written.subtract(keys)
    fields[index] = written.isEmpty ? nil : written
  }

  mutating func recordWillBeCollected(_ record: RecordBox, at index: RecordIndex) {
    if !fields.isEmpty { fields[index] = nil }
  }

  mutating func recordsWereCollected(except kept: [RecordIndex], from base: RecordTable) {
    if fields.isEmpty { return }
    let kept = RecordSet(kept)
    fields = fields.filter { kept.contains($0.key) }
  }

  mutating func baseWasCleared() { fields = [:] }
}
