/// The observers' dependencies on live derived fields; see ``LiveDerivations``.
extension ObserverTable {
  /// Marks a record as one through which observers depend on a live field.
  mutating func addLiveField(_ index: RecordIndex) {
    if liveFields.insert(index) { liveFieldCount += 1 }
  }

  /// Unmarks the record of a live field whose run has ended.
  mutating func removeLiveField(_ index: RecordIndex) {
    guard liveFields.contains(index) else { return }
    liveFields.remove(index)
    liveFieldCount -= 1
  }

  /// Appends the live fields of `seen` that are not in `others`.
  mutating func release(_ seen: SeenRecords, except others: SeenRecords) {
    seen.forEach(notIn: others) { if liveFields.contains($0) { released.append($0) } }
  }

  /// Returns the live fields that have lost their last observer since the previous call, in the
  /// order of their indexes.
  ///
  /// - Complexity: O(*n*) in the links of the released fields and in the records that the observers
  ///   with such a link have seen.
  mutating func takeReleased() -> [RecordIndex] {
    if released.isEmpty { return [] }
    var unobserved = Set(released)
    released = []
    // A link may be from an earlier read, so the observer's seen records decide.
    for slot in Set(unobserved.flatMap { observerSlots(of: $0) }) {
      observers[slot]?.snapshot.seen.forEach { unobserved.remove($0) }
    }
    return unobserved.sorted { $0.rawValue < $1.rawValue }
  }

  /// Returns the slots of the observers that have read a record, now or earlier.
  private func observerSlots(of index: RecordIndex) -> [Int] {
    guard index.position < heads.count else { return [] }
    var slots: [Int] = []
    var position = heads[index.position]
    while position != Self.noLink {
      let link = links[Int(position)]
      position = link.next
      if observers[Int(link.slot)]?.ordinal == link.ordinal { slots.append(Int(link.slot)) }
    }
    return slots
  }
}
