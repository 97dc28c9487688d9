/// The observers of several fragments as one value.
///
/// Each fragment is observed separately, so only changed fragments are read again. The list is
/// assembled while the store is still locked, so all elements have the same revision.
struct FragmentListObservers {
  /// The plan of a row whose only slot holds the list.
  static let plan = SelectionPlan("List{all [JSON]}")

  private struct Group {
    var list: PluralSnapshot
    let receiver: ObservationReceiver
    var elements: [ObserverTable.Observer] = []
  }

  private var groups: [UInt64: Group] = [:]
  private var lastID: UInt64 = 0

  /// The number of lists observed.
  var count: Int { groups.count }

  /// Adds a list. The caller then adds an observer for each element.
  mutating func add(_ list: PluralSnapshot, _ receiver: ObservationReceiver) -> UInt64 {
    lastID += 1
    groups[lastID] = Group(list: list, receiver: receiver)
    return lastID
  }

  mutating func add(_ element: ObserverTable.Observer, to group: UInt64) {
    groups[group]?.elements.append(element)
  }

  /// Removes a list.
  ///
  /// - Returns: The observers of its elements. The caller removes them from the observer table.
  mutating func remove(_ group: UInt64) -> [ObserverTable.Observer] {
    groups.removeValue(forKey: group)?.elements ?? []
  }

  /// Returns the deliveries of the changes: one for each list, at the position of its first changed
  /// element.
  mutating func deliveries(
    of changes: [ObserverTable.Change], revision: UInt64, in source: LayeredSource
  ) -> [Delivery] {
    var deliveries: [Delivery?] = []
    var positions: [UInt64: Int] = [:]
    // Used only with a timeline.
    var causes: [UInt64: DeliveryCause] = [:]
    for change in changes {
      let (group, position) = (change.observer.group, change.observer.position)
      if group == 0 {
        deliveries.append(Delivery(change.snapshot, to: change.observer))
        continue
      }
      var snapshot = change.snapshot
      if let cause = snapshot.delivery {
        snapshot.delivery = nil
        causes[group] = cause.atElement(position, appendedTo: causes[group])
      }
      groups[group]?.list[position] = snapshot
      if change.isDelivered, groups[group] != nil, positions[group] == nil {
        positions[group] = deliveries.count
        deliveries.append(nil)
      }
    }
    for (id, position) in positions {
      guard let group = groups[id] else { continue }
      var snapshot = group.list.snapshot(revision: revision, in: source)
      if let cause = causes[id] { snapshot.delivery = cause }
      deliveries[position] = Delivery(snapshot, to: group.receiver)
    }
    return deliveries.compactMap(\.self)
  }
}

/// The snapshots of several fragments, and the snapshot that combines them.
struct PluralSnapshot {
  private var elements: [RowSnapshot]
  private var slots: ContiguousArray<RowSlot>
  /// The positions of the snapshots that have details.
  private var detailed: Set<Int> = []
  /// Whether it is a single snapshot with its companion row.
  private let isPair: Bool
  /// The maximum number of paths in the combined snapshot.
  private let pathLimit: Int

  init(_ elements: [RowSnapshot], pathLimit: Int, isPair: Bool = false) {
    self.elements = elements
    self.pathLimit = pathLimit
    self.isPair = isPair
    slots = ContiguousArray(elements.map(RowSlot.init(element:)))
    for position in elements.indices where elements[position].hasDetails {
      detailed.insert(position)
    }
  }

  subscript(position: Int) -> RowSnapshot {
    get { elements[position] }
    set {
      elements[position] = newValue
      slots[position] = RowSlot(element: newValue)
      if newValue.hasDetails { detailed.insert(position) } else { detailed.remove(position) }
    }
  }

  /// Returns the combined snapshot. Its row has the list in the only slot. Each path starts with
  /// the index of the element.
  ///
  /// - Parameter source: The records that decide whether the list is optimistic or stale. An
  ///   element's flags may have changed since it was read.
  func snapshot(revision: UInt64, in source: LayeredSource) -> RowSnapshot {
    if isPair, var first = elements.first {
      first.details.companionRow = elements.last?.row
      if elements.contains(where: \.isNotLoaded) { first.details.isNotLoaded = true }
      first.revision = revision
      first.isOptimistic = source.isOptimistic(any: first.seen)
      first.isStale = source.observers.invalidations.isStale(any: first.seen)
      return first
    }
    var all = RowSnapshot()
    all.revision = revision
    all.row = RowBox(
      plan: FragmentListObservers.plan, slots: [RowSlot(.list(ListBuffer(slots)))])
    var details = RowSnapshot.Details()
    for position in detailed.sorted() {
      let element = elements[position]
      details.hidden += element.hidden
      details.pending += element.pending.filter { !details.pending.contains($0) }
      var room: Int { max(0, pathLimit - details.missing.count - details.errors.count) }
      if element.missing.count <= room { details.omittedCount += element.details.omittedCount }
      details.missing += element.missing.prefix(room).map { $0.inside(position) }
      details.errors += element.errors.prefix(room).map { $0.inside(position) }
      details.failure = details.failure ?? element.failure
      details.keepsRows = details.keepsRows || element.keepsRows
      details.isNotLoaded = details.isNotLoaded || element.isNotLoaded
    }
    let count = detailed.reduce(0) { $0 + elements[$1].missing.count + elements[$1].errors.count }
    if count > details.missing.count + details.errors.count {
      details.errors.append(FieldError(morePathsThan: pathLimit))
    }
    if !source.overlay.isEmpty {
      all.isOptimistic = elements.contains { source.isOptimistic(any: $0.seen) }
    }
    if source.observers.invalidations.isInUse {
      all.isStale = elements.contains { source.observers.invalidations.isStale(any: $0.seen) }
    }
    all.details = details
    return all
  }
}

extension RowSlot {
  fileprivate init(element: RowSnapshot) {
    self.init(element.row.map { .row($0) } ?? .null)
  }
}

extension ResponsePath {
  fileprivate func inside(_ position: Int) -> ResponsePath {
    ResponsePath([.index(position)] + components)
  }
}

extension FieldError {
  fileprivate func inside(_ position: Int) -> FieldError {
    var error = self
    error.path = path.inside(position)
    return error
  }
}

extension LayeredSource {
  /// Returns whether an optimistic update has written one of the records.
  fileprivate func isOptimistic(any seen: SeenRecords) -> Bool {
    !overlay.isEmpty && seen.contains { overlay[$0] != nil }
  }
}
