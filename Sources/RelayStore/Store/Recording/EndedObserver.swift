/// An observer that has ended, which explains why publishes were not delivered.
struct EndedObserver: Sendable {
  let record: DataID
  let plan: BoundPlan
  /// The number of its registration.
  let ordinal: UInt64
  let end: ObserverTable.Moment
}
