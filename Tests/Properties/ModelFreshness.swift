/// The times of the model: when records and operations were written, and when they were
/// invalidated.
struct ModelFreshness {
  /// The number of publishes.
  private(set) var epoch = 0
  private(set) var storeInvalidatedAt: Int?
  private(set) var invalidated: [String: Int] = [:]
  private var written: [String: Int] = [:]
  /// The time of the last write of each operation that is retained or in the release buffer.
  var operations: [Int: Int] = [:]

  /// Starts a publish.
  mutating func begin() { epoch += 1 }

  /// Updates the times after a commit.
  mutating func publish(
    written ids: Set<String>, steps: [UpdateStep], before: Model.Records, base: Model.Records
  ) {
    for id in ids { written[id] = epoch }
    // Deletions by an updater take effect before its invalidations.
    for case .delete(let id) in steps {
      invalidated[id] = nil
      written[id] = ids.contains(id) ? epoch : nil
    }
    // A record that does not exist when the updater reaches it cannot be invalidated.
    var present = Set(before.filter { $0.value != nil }.keys)
    for step in steps {
      switch step {
      case .create(let id, _): present.insert(id)
      case .invalidate(let id):
        if present.contains(id), (base[id] ?? nil) != nil { invalidated[id] = epoch }
      case .invalidateStore: storeInvalidatedAt = epoch
      default: break
      }
    }
  }

  mutating func retain(only ids: Set<String>) {
    invalidated = invalidated.filter { ids.contains($0.key) }
    written = written.filter { ids.contains($0.key) }
  }

  /// Whether a record that a reader saw is stale.
  func isStale(_ id: String) -> Bool {
    let last = written[id] ?? 0
    if let storeInvalidatedAt, last <= storeInvalidatedAt { return true }
    return invalidated[id].map { last < $0 } ?? false
  }

  /// Returns the expected result of the availability check of an operation.
  func check(_ operation: Int, in records: Model.Records) -> String {
    let write = operations[operation]
    if let storeInvalidatedAt, write.map({ $0 <= storeInvalidatedAt }) ?? true { return "stale" }
    var reached: Set<String> = []
    let isComplete = reach(
      "client:root", TestSelections.operations[operation].selection, in: records, reached: &reached)
    let latest = reached.compactMap { invalidated[$0] }.max()
    if let latest, write.map({ $0 < latest }) ?? true { return "stale" }
    return isComplete ? "available" : "missing"
  }

  /// Adds the records that a selection set reaches, and returns whether none of its fields is
  /// missing.
  private func reach(
    _ id: String, _ selection: ModelSelection, in records: Model.Records,
    reached: inout Set<String>
  ) -> Bool {
    guard let known = records[id] else { return false }
    guard let record = known else { return true }
    reached.insert(id)
    var isComplete = true
    for field in selection.fields
    where !field.isClient && (field.onlyOn == nil || field.onlyOn == record.typeName) {
      guard let value = record.fields[field.storageKey] else {
        isComplete = false
        continue
      }
      let child: ModelSelection
      switch field.kind {
      case .scalar: continue
      case .object(let selection), .list(let selection): child = selection
      }
      let links: [String?] =
        switch value {
        case .scalar: []
        case .link(let id): [id]
        case .links(let ids): ids
        }
      for case let link? in links where !reach(link, child, in: records, reached: &reached) {
        isComplete = false
      }
    }
    return isComplete
  }
}
