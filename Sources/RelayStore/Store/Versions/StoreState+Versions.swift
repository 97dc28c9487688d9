/// The versions of a store that readers read without its lock.
extension StoreState {
  /// The objects to release once the store is unlocked.
  struct Garbage: Sendable {
    var versions: [LayeredSource.Garbage] = []
    /// The observers that have ended.
    var observers: [ObserverTable.Observer] = []

    /// Whether releasing it may take longer than starting a task.
    var isLarge: Bool {
      observers.count > 32
        || versions.contains { garbage in
          garbage.records?.count ?? 0 > 1_000 || garbage.bases.contains { $0.count > 1_000 }
        }
    }

    /// Releases the snapshots of the observers, which their handles may retain.
    func releaseSnapshots() {
      for observer in observers { observer.releaseSnapshots() }
    }
  }

  /// Publishes a version if anything has changed since the last one, and removes what only earlier
  /// ones had.
  mutating func publishVersion() {
    guard let versions, source.isWritten else { return }
    let lists = versions.publish(PublishedVersion(source.publish(), revision: revision))
    if !lists.isEmpty { update(with: lists, isEarlier: true) }
    reclaimVersions()
  }

  /// Adds the observers that have joined since the store was last locked, and removes the ones that
  /// have ended.
  mutating func updateObservers() {
    guard let lists = versions?.takeObservers(), !lists.isEmpty else { return }
    update(with: lists, isEarlier: false)
  }

  /// Publishes the changes.
  ///
  /// - Returns: The deliveries to observers that have joined an earlier version in the meantime, and
  ///   what has to be released.
  mutating func publishChanges() -> (deliveries: [Delivery], garbage: Garbage) {
    publishVersion()
    var deliveries: [Delivery] = []
    if !joined.isEmpty {
      source.isChanged = true
      deliveries = notifyJoined()
    }
    defer { garbage = Garbage() }
    return (deliveries, garbage)
  }

  /// Removes what no version has that is still read.
  mutating func reclaimVersions() {
    let removed = source.reclaim(before: versions?.oldestRead())
    if !removed.isEmpty { garbage.versions.append(removed) }
  }
}
