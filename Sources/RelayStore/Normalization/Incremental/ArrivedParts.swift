/// The parts in one payload.
struct ArrivedParts {
  private struct Part: Hashable {
    var label: Int
    var record: RecordIndex
  }

  private var parts: [Part] = []
  /// The first ``indexedCount`` parts; empty until the first lookup.
  private var set: Set<Part> = []
  private var indexedCount = 0

  mutating func insert(_ label: Int, of record: RecordIndex) {
    parts.append(Part(label: label, record: record))
  }

  mutating func contains(_ label: Int, of record: RecordIndex) -> Bool {
    if parts.isEmpty { return false }
    set.formUnion(parts[indexedCount...])
    indexedCount = parts.count
    return set.contains(Part(label: label, record: record))
  }
}
