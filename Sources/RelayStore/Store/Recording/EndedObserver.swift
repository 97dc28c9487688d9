/// An observer that has ended, which explains why publishes were not delivered.
package struct EndedObserver: Sendable {
  package let record: DataID
  package let plan: BoundPlan
  /// The number of its registration.
  package let ordinal: UInt64
  package let end: ObserverTable.Moment
}
