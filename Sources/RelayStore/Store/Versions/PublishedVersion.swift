/// A version of a store that any thread may read.
///
/// `@unchecked Sendable`: `contents` is immutable, and ``PublishedVersions`` guards `readerCount`.
final class PublishedVersion: @unchecked Sendable {
  let revision: UInt64
  /// The version. Its nodes are valid while the version is the newest or has readers.
  let contents: LayeredSource.Version
  @exclusivity(unchecked) var readerCount = 0

  init(_ contents: LayeredSource.Version, revision: UInt64) {
    (self.contents, self.revision) = (contents, revision)
  }
}

/// A reader of published versions, for one thread at a time.
///
/// It shows a version until it reads another one.
final class VersionReader {
  private var reader = RecordReader()
  private var source: LayeredSource
  /// The number of the version that `source` shows.
  private var number: UInt64?
  /// The version that is being read. It has a reader, so its owner retains it.
  @exclusivity(unchecked) fileprivate(set) var version: Unmanaged<PublishedVersion>?
  /// The next idle reader.
  @exclusivity(unchecked) fileprivate var next: Unmanaged<VersionReader>?

  /// - Parameter source: A source that reads versions.
  fileprivate init(_ source: LayeredSource) { self.source = source }

  func read(
    _ target: ReadTarget, _ bindings: PlanBindings, _ effects: inout ReadEffects
  ) -> RowSnapshot {
    guard let version else { return RowSnapshot() }
    let revision = version._withUnsafeGuaranteedRef { version in
      if version.contents.number != number {
        source.show(version.contents)
        number = version.contents.number
      }
      return version.revision
    }
    return reader.read(target, from: &source, revision: revision, bindings, &effects)
  }

  /// Releases the version, which may be the last owner of an overlay.
  fileprivate func clear() {
    if number != nil { source.show(LayeredSource.Version(number: 0)) }
    number = nil
  }
}

/// The published versions of a store, and their readers.
///
/// `@unchecked Sendable`: `lock` guards `newest`, `idle` and the counts of readers; `older` and
/// ``publish(_:)`` are used only under the store's lock.
final class PublishedVersions: @unchecked Sendable {
  private let lock = PriorityLock()
  /// A source that reads versions, for new readers.
  private let source: LayeredSource
  /// The newest version; `nil` while readers have to take the store's lock.
  @exclusivity(unchecked) private var newest: Unmanaged<PublishedVersion>?
  @exclusivity(unchecked) private var idle: Unmanaged<VersionReader>?
  /// Whether older versions have readers, whose end nobody waits for yet.
  @exclusivity(unchecked) private var hasOlder = false
  /// The older versions that are still read, in ascending order.
  private var older: [PublishedVersion] = []

  init(of source: LayeredSource) { self.source = source.reader }

  deinit {
    newest?.release()
    while let reader = idle?.takeRetainedValue() { idle = reader.next }
  }

  /// Starts a read of the newest version.
  ///
  /// - Returns: A reader, for ``end(_:)``; `nil` if the caller has to read under the store's lock.
  func begin() -> VersionReader? {
    let (version, idle) = lock.withLock {
      () -> (Unmanaged<PublishedVersion>?, Unmanaged<VersionReader>?) in
      guard let version = newest else { return (nil, nil) }
      version._withUnsafeGuaranteedRef { $0.readerCount += 1 }
      let reader = self.idle
      if let reader { self.idle = reader._withUnsafeGuaranteedRef { $0.next } }
      return (version, reader)
    }
    guard let version else { return nil }
    let reader = idle?.takeRetainedValue() ?? VersionReader(source)
    reader.version = version
    return reader
  }

  /// Ends a read.
  ///
  /// - Returns: Whether the caller has to make the store reclaim its older versions.
  func end(_ reader: VersionReader) -> Bool {
    guard let version = reader.version else { return false }
    reader.version = nil
    let entry = Unmanaged.passRetained(reader)
    let (isNewest, isLast) = lock.withLock { () -> (Bool, Bool) in
      let count = version._withUnsafeGuaranteedRef { version in
        version.readerCount -= 1
        return version.readerCount
      }
      if newest?.toOpaque() == version.toOpaque() {
        push(entry)
        return (true, false)
      }
      defer { if count == 0 { hasOlder = false } }
      return (false, count == 0 && hasOlder)
    }
    if !isNewest {
      reader.clear()
      lock.withLock { push(entry) }
    }
    return isLast
  }

  @inline(__always)
  private func push(_ reader: Unmanaged<VersionReader>) {
    reader._withUnsafeGuaranteedRef { $0.next = idle }
    idle = reader
  }

  /// Makes a version the newest one; `nil` makes readers take the store's lock.
  func publish(_ version: PublishedVersion?) {
    let new = version.map { Unmanaged.passRetained($0) }
    let (old, isRead, stale) = lock.withLock {
      () -> (Unmanaged<PublishedVersion>?, Bool, Unmanaged<VersionReader>?) in
      let (old, stale) = (newest, idle)
      (newest, idle) = (new, nil)
      let isRead = old?._withUnsafeGuaranteedRef { $0.readerCount > 0 } ?? false
      if isRead { hasOlder = true }
      return (old, isRead, stale)
    }
    if let old = old?.takeRetainedValue(), isRead { older.append(old) }
    var next = stale
    while let reader = next {
      next = reader._withUnsafeGuaranteedRef { reader in
        reader.clear()
        return reader.next
      }
      lock.withLock { push(reader) }
    }
  }

  /// Returns the number of the oldest version that is still read; `nil` if none but the newest is.
  func oldestRead() -> UInt64? {
    if older.isEmpty { return nil }
    // Set before the counts are read: a reader that ends in between makes the store ask again.
    lock.withLock { hasOlder = true }
    older.removeAll { version in lock.withLock { version.readerCount == 0 } }
    if older.isEmpty { lock.withLock { hasOlder = false } }
    return older.first?.contents.number
  }
}
