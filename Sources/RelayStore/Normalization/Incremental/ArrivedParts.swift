/// The parts in one payload.
struct ArrivedParts {
  private struct Part: Hashable {
    var label: Int
    var record: RecordIndex
  }

  private var parts: [Part] = []
  /// The same parts; empty until one is looked for.
  private var set: Set<Part> = []

  mutating func insert(_ label: Int, of record: RecordIndex) {
    parts.append(Part(label: label, record: record))
  }

  mutating func contains(_ label: Int, of record: RecordIndex) -> Bool {
    if parts.isEmpty { return false }
    if set.count < parts.count { set = Set(parts) }
    return set.contains(Part(label: label, record: record))
  }
}
