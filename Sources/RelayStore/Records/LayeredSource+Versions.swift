/// The versions of a source that are read while the next one is written.
extension LayeredSource {
  /// The part of a version that reading uses, without the configuration. Its nodes are valid until
  /// the version is reclaimed, or the source is released.
  struct Version {
    let number: UInt64
    var base = RecordTable.Version()
    var overlay: [RecordIndex: Record] = [:]
    var invalidations = InvalidationTable.Version()
    var pendingParts = PendingParts()
    var memos = MemoizedRecords()
    var isLoading = false
    var serverIDs = ServerIDs()
  }

  /// Whether this differs from the last version.
  var isWritten: Bool { isChanged || base.isWritten || observers.invalidations.isWritten }

  /// Ends the version that is being written, and returns it.
  mutating func publish() -> Version {
    defer {
      version += 1
      isChanged = false
    }
    return Version(
      number: version, base: base.publish(version), overlay: overlay,
      invalidations: observers.invalidations.publish(version),
      pendingParts: observers.pendingParts, memos: observers.memos, isLoading: isLoading,
      serverIDs: serverIDs)
  }

  /// Returns a source that reads versions of this one; see ``show(_:)``.
  var reader: LayeredSource {
    var reader = Self.blank
    reader.keys = keys
    reader.base = RecordTable(published: .init())
    reader.observers.invalidations = InvalidationTable(published: .init())
    reader.missingFieldHandlers = missingFieldHandlers
    reader.deletedRecordsBubble = deletedRecordsBubble
    reader.readLimits = readLimits
    return reader
  }

  /// Makes this, a source made by ``reader``, read a version.
  mutating func show(_ version: Version) {
    base.show(version.base)
    overlay = version.overlay
    observers.invalidations.show(version.invalidations)
    observers.pendingParts = version.pendingParts
    observers.memos = version.memos
    isLoading = version.isLoading
    serverIDs = version.serverIDs
  }

  /// Removes what only the versions before one have: by default, before the last one.
  mutating func reclaim(before number: UInt64? = nil) -> Garbage {
    let number = number ?? version - 1
    observers.invalidations.reclaim(before: number)
    var garbage = Garbage(records: base.reclaim(before: number))
    if !replacedBases.isEmpty {
      let bases = replacedBases.prefix { $0.version <= number }
      garbage.bases = bases.map(\.base)
      replacedBases.removeFirst(bases.count)
    }
    return garbage
  }

  /// Records that no version has. They are released with this value, by any thread.
  struct Garbage: Sendable {
    let records: RetiredRecords?
    var bases: [RecordTable] = []

    var isEmpty: Bool { records == nil && bases.isEmpty }
  }

  /// Replaces the base. Earlier versions keep the old one.
  package mutating func replaceBase(by table: RecordTable) {
    if version > 0 { replacedBases.append((version, base)) }
    base = table
  }
}
