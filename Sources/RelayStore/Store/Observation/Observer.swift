extension ObserverTable {
  /// One observer. A class, so that access copies no data.
  ///
  /// `@unchecked Sendable`: until it has joined a table, only the thread that created it uses it.
  /// Then the store's lock guards its own properties, so they need no exclusivity checks at run
  /// time, and ``PublishedVersions`` the links of its lists.
  package final class Observer: ObservationReceiver, @unchecked Sendable {
    /// The position in the order of registration.
    @exclusivity(unchecked) package internal(set) var ordinal: UInt64 = 0
    /// The slot in the table; `nil` if the observer is not in a table.
    @exclusivity(unchecked) var slot: UInt32?
    @exclusivity(unchecked) package internal(set) var record: RecordIndex
    package let plan: BoundPlan
    @exclusivity(unchecked) package var snapshot: RowSnapshot
    /// The group of ``FragmentListObservers`` that the observer belongs to; 0 for none. The
    /// observers of a group share one ``ReadBudget`` and are delivered as one value.
    let group: UInt64
    /// The position in the group's list.
    let position: Int
    /// Whether the next read must not show rows of the snapshot instead of rows with holes; set by
    /// a reset.
    @exclusivity(unchecked) var forgetsRows = false
    /// Whether records may have changed between the snapshot and the observer's registration.
    @exclusivity(unchecked) var isOfEarlierVersion = false
    /// The number of its links, including links from records that it no longer reads.
    @exclusivity(unchecked) var linkCount = 0
    /// The last pass, or call of ``ObserverTable/notify(of:and:unread:in:with:revision:_:)``, that
    /// found the observer affected.
    @exclusivity(unchecked) var lastPass: UInt64 = 0
    /// The changed record through which that pass found the observer.
    @exclusivity(unchecked) var trigger = RecordIndex.none
    /// The id of the record, while the observer waits to join the table.
    @exclusivity(unchecked) var id: DataID?
    /// The next observer in each list of ``PublishedVersions``.
    @exclusivity(unchecked) var nextJoined: Unmanaged<Observer>?
    @exclusivity(unchecked) var nextEnded: Unmanaged<Observer>?
    /// Whether the store has taken it from the list of observers that have ended.
    @exclusivity(unchecked) var isEndKnown = false

    /// - Parameter callback: The closure, whose owner has read the snapshot; `nil` for an element of
    ///   a list, which ``FragmentListObservers`` delivers.
    init(
      of record: RecordIndex, id: DataID? = nil, plan: BoundPlan, _ callback: ObserverCallback?,
      group: UInt64 = 0, position: Int = 0, snapshot: RowSnapshot
    ) {
      (self.record, self.id, self.plan, self.snapshot) = (record, id, plan, snapshot)
      (self.group, self.position) = (group, position)
      super.init(callback, last: snapshot)
    }

    /// Releases the snapshots, after the observer was removed.
    func releaseSnapshots() {
      snapshot = RowSnapshot()
      releaseLast()
    }
  }
}
