/// An operation whose response is arriving in parts.
///
/// Until its execution ends, the collector retains the records that its plan reaches, so every part
/// finds its record.
package struct ReceivingOperation: Sendable {
  /// The id of the execution, unique in the store.
  package let execution: UInt64
  /// The operation's identity; `nil` if it is not a query.
  package let query: RequestIdentity?
  package let name: String
  package let plan: BoundPlan
  /// The record that the data belongs to.
  package let root: DataID
  /// The labels of the parts that may be pending.
  package let labels: [PartLabel]
  /// The records of the parts that have not arrived, by label.
  private(set) var parts: [RecordSet] = []
  /// The position of each label in the store's pending parts.
  private(set) var positions: [Int] = []

  package init(
    execution: UInt64, query: RequestIdentity?, name: String, plan: BoundPlan, root: DataID,
    labels: [PartLabel]
  ) {
    self.execution = execution
    self.query = query
    self.name = name
    self.plan = plan
    self.root = root
    self.labels = labels
  }

  /// Starts without pending parts.
  ///
  /// - Parameter positions: The position of each label in the store's pending parts.
  mutating func begin(_ positions: [Int]) {
    self.positions = positions
    parts = Array(repeating: RecordSet(), count: labels.count)
  }

  /// Adds a part of a record.
  ///
  /// - Returns: Whether it was not pending before.
  mutating func insert(_ label: Int, of record: RecordIndex) -> Bool {
    parts[label].insert(record)
  }

  /// Removes a part of a record.
  ///
  /// - Returns: Whether it was pending.
  mutating func remove(_ label: Int, of record: RecordIndex) -> Bool {
    guard parts[label].contains(record) else { return false }
    parts[label].remove(record)
    return true
  }
}
