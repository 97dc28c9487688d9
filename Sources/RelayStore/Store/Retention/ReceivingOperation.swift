/// An operation whose response is arriving in parts.
///
/// Until its execution ends, the collector keeps what its plan reaches, so that every part finds its
/// record.
package struct ReceivingOperation: Sendable {
  /// The id of the execution, which is unique in the store.
  package let execution: UInt64
  package let name: String
  package let plan: BoundPlan
  /// The record that the data belongs to.
  package let root: DataID
  /// The parts that have not arrived.
  var parts: Set<RecordPart> = []

  package init(execution: UInt64, name: String, plan: BoundPlan, root: DataID) {
    self.execution = execution
    self.name = name
    self.plan = plan
    self.root = root
  }
}
