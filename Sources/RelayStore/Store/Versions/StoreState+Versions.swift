/// The versions of a store that readers read without its lock.
extension StoreState {
  /// Publishes a version if anything has changed since the last one, and removes what only earlier
  /// ones had.
  mutating func publishVersion() {
    guard let versions, source.isWritten else { return }
    let version = source.publish()
    // Decoding a persisted record changes tables that all versions share.
    let isReadable = source.base.stored == nil
    versions.publish(
      isReadable
        ? PublishedVersion(version, revision: revision) : nil)
    reclaimVersions()
  }

  /// Publishes the changes, and returns what has to be released.
  mutating func publishChanges() -> [LayeredSource.Garbage] {
    publishVersion()
    if garbage.isEmpty { return [] }
    defer { garbage = [] }
    return garbage
  }

  /// Removes what no version has that is still read.
  mutating func reclaimVersions() {
    let removed = source.reclaim(before: versions?.oldestRead())
    if !removed.isEmpty { garbage.append(removed) }
  }
}
