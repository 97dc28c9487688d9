public import RelayStore

/// A reason for garbage collection to retain a record, and the path from the root to the record.
public struct RetentionExplanation: Sendable, Hashable {
  /// A step of the path: a field of a record that links to the next record.
  public struct Step: Sendable, Hashable {
    /// The record that has the field.
    public let record: DataID
    /// The field with its arguments, as in a store dump.
    public let field: String
    /// The index in the field's list; `nil` if the field is not a list.
    public let index: Int?
  }

  /// The reason.
  public let reason: RetentionReason
  /// The record.
  public let record: DataID
  /// The shortest path from the root to the record; empty if the record is the root itself.
  public let steps: [Step]
  /// The time until the operation's data expires; `nil` if it does not expire. The release buffer
  /// retains an operation whether or not it is stale.
  public let timeLeft: Duration?
}

extension RetentionExplanation: CustomStringConvertible {
  /// The explanation on one line: `retained by FeedQuery: client:root.feed(first:10)[0] → 1`.
  public var description: String {
    let way = steps.map { "\($0.record).\($0.field)" + ($0.index.map { "[\($0)]" } ?? "") }
    return "\(reason.words): " + (way + ["\(record)"]).joined(separator: " → ")
  }
}

extension RetentionReason {
  fileprivate var words: String {
    switch self {
    case .root: "the root"
    case .type: "the abstract types of a type in use"
    case .retained(let operation, _): "retained by \(operation)"
    case .pinned(let operation): "pinned as \(operation)"
    case .released(let operation): "released by \(operation), and in the release buffer"
    case .receiving(let operation): "\(operation) is receiving parts"
    case .observed(let owner): "observed by \(owner.isEmpty ? "an observer" : owner)"
    case .optimisticUpdate: "an optimistic update"
    }
  }
}

extension StoreQuestion where Explanation == [RetentionExplanation] {
  /// Asks why garbage collection retains a record. The result is empty if the record will be
  /// collected.
  public static func retained(_ id: DataID) -> StoreQuestion {
    StoreQuestion { environment throws(RelayError) in
      guard let reasons = environment.store.state.withLock({ $0.reasons(for: id) }) else {
        throw RelayError(.request, "The store has no record with the id \"\(id)\".")
      }
      return reasons
    }
  }
}

extension StoreState {
  /// Returns the reasons for retaining a record and the paths to it; `nil` if it does not exist.
  fileprivate mutating func reasons(for id: DataID) -> [RetentionExplanation]? {
    guard let index = source.index(of: id), source[index].state != .unknown else { return nil }
    var found: [RetentionExplanation] = []
    func add(
      _ reason: RetentionReason, along steps: [RecordVisits.Step] = [], timeLeft: Duration? = nil
    ) {
      found.append(
        RetentionExplanation(reason: reason, record: id, steps: steps.map(step), timeLeft: timeLeft)
      )
    }
    if id == .root { add(.root) }
    if id.isTypeSchema { add(.type) }
    let now = time.elapsed
    for (identity, entry) in retention.entries.sorted(by: { $0.key.name < $1.key.name }) {
      guard let way = way(to: index, from: entry.root, entry.plan) else { continue }
      let reason = RetentionReason(entry, operation: identity.name)
      add(reason, along: way, timeLeft: retention.timeLeft(of: identity, now: now))
    }
    for operation in receiving.values.sorted(by: { $0.name < $1.name }) {
      guard let way = way(to: index, from: self.index(of: operation.root), operation.plan) else {
        continue
      }
      add(.receiving(operation: operation.name), along: way)
    }
    for root in observers.roots {
      guard let way = way(to: index, from: root.record, root.plan) else { continue }
      add(.observed(by: root.plan.plan.owner), along: way)
    }
    if let way = optimisticWay(to: index) { add(.optimisticUpdate, along: way) }
    return found
  }

  private func step(_ step: RecordVisits.Step) -> RetentionExplanation.Step {
    RetentionExplanation.Step(
      record: source.id(of: step.record) ?? .root, field: source.keys.text(of: step.key),
      index: step.position)
  }

  private func way(
    to index: RecordIndex, from root: RecordIndex, _ plan: BoundPlan
  ) -> [RecordVisits.Step]? {
    RecordVisits.find(index, from: root, plan, in: source, limit: 1).first?.steps
  }

  /// Returns the path to a record that an optimistic update has written or linked to.
  private func optimisticWay(to index: RecordIndex) -> [RecordVisits.Step]? {
    if source.overlay[index] != nil { return [] }
    for (owner, record) in source.overlay.sorted(by: { $0.key.position < $1.key.position }) {
      for (key, value) in zip(record.keys, record.values) {
        var isLinked = false
        value.forEachLink { if $0 == index { isLinked = true } }
        if isLinked { return [.init(record: owner, key: key, responseKey: "", position: nil)] }
      }
    }
    return nil
  }
}
