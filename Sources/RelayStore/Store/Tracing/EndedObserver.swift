/// An ended observer, to explain why publishes were not delivered to it.
package struct EndedObserver: Sendable {
  package let record: DataID
  package let plan: BoundPlan
  /// The ordinal of its registration.
  package let ordinal: UInt64
  package let end: ObserverTable.Moment
}
