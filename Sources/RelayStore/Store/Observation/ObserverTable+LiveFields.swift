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

  /// Appends the live fields of an observer's records that are not among others.
  mutating func release(_ seen: SeenRecords, except others: SeenRecords) {
    seen.forEach(notIn: others) { if liveFields.contains($0) { released.append($0) } }
  }

  /// Returns the live fields that an observer has depended on and none depends on any more, since
  /// the last call.
  mutating func takeReleased() -> [RecordIndex] {
    if released.isEmpty { return [] }
    defer { released = [] }
    return Set(released).filter { !isObserved($0) }
  }

  /// Whether an observer depends on a record.
  ///
  /// - Complexity: O(*n*) in the links of the record and the records that these observers have seen.
  func isObserved(_ index: RecordIndex) -> Bool {
    guard index.position < heads.count else { return false }
    var position = heads[index.position]
    while position != Self.noLink {
      let link = links[Int(position)]
      position = link.next
      guard let observer = observers[Int(link.slot)], observer.ordinal == link.ordinal else {
        continue
      }
      // The link may be that of an earlier read.
      var isSeen = false
      observer.snapshot.seen.forEach { if $0 == index { isSeen = true } }
      if isSeen { return true }
    }
    return false
  }
}
