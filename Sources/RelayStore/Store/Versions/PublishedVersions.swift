/// The published versions of a store, their readers, and the observers that have joined or ended
/// since the store was last locked.
///
/// `@unchecked Sendable`: `lock` guards all properties but `older`, which the store's lock guards.
final class PublishedVersions: @unchecked Sendable {
  /// Observers, in the order in which they joined or ended.
  struct ObserverLists {
    var joined: [ObserverTable.Observer] = []
    var ended: [ObserverTable.Observer] = []

    var isEmpty: Bool { joined.isEmpty && ended.isEmpty }
  }

  private typealias Observer = Unmanaged<ObserverTable.Observer>

  private let lock = PriorityLock()
  /// A source that reads versions, for new readers.
  private let source: LayeredSource
  /// The newest version; `nil` until the store has published one, when it is created.
  @exclusivity(unchecked) private var newest: Unmanaged<PublishedVersion>?
  /// The idle readers by the number of the thread that has used them last, so that the memory which
  /// a reader writes stays in the cache of one processor.
  private let idle: UnsafeMutablePointer<Unmanaged<VersionReader>?>
  private static let idleBits = 3
  private static let idleLists = 0..<1 << idleBits
  @exclusivity(unchecked) private var hasReaders = false
  /// Whether older versions have readers, whose end nobody waits for yet.
  @exclusivity(unchecked) private var hasOlder = false
  /// The observer that has joined last, and so on. All of them have joined the newest version.
  @exclusivity(unchecked) private var joined: Observer?
  /// The observer that has ended last, and so on.
  @exclusivity(unchecked) private var ended: Observer?
  /// Whether the ended observers will be removed soon.
  @exclusivity(unchecked) private var isRemovalScheduled = false
  /// The older versions that are still read, in ascending order.
  private var older: [PublishedVersion] = []

  init(of source: LayeredSource) {
    self.source = source.reader
    idle = .allocate(capacity: Self.idleLists.count)
    idle.initialize(repeating: nil, count: Self.idleLists.count)
  }

  deinit {
    newest?.release()
    for list in Self.idleLists {
      while let reader = idle[list]?.takeRetainedValue() { idle[list] = reader.next }
    }
    idle.deallocate()
    _ = takeObservers()
  }

  // MARK: Reading

  /// Starts a read of the newest version.
  ///
  /// - Returns: A reader, for ``end(_:)-(VersionReader)``.
  func begin() -> VersionReader {
    let (list, thread) = (ThreadIdentity.number(bits: Self.idleBits), ThreadIdentity.current)
    var version: Unmanaged<PublishedVersion>?
    var entry: Unmanaged<VersionReader>?
    var isFirst = false
    lock.withLock {
      newest?._withUnsafeGuaranteedRef { $0.readerCount += 1 }
      version = newest
      entry = pop(list, thread)
      if entry != nil { return }
      isFirst = !hasReaders
      hasReaders = true
    }
    let reader = entry?.takeRetainedValue() ?? VersionReader(source, isFirst: isFirst)
    (reader.version, reader.thread) = (version, thread)
    return reader
  }

  /// Ends a read.
  ///
  /// - Returns: Whether the caller has to make the store reclaim its older versions.
  func end(_ reader: VersionReader) -> Bool { end(reader, joining: nil).mustReclaim }

  /// Ends a read, and adds its observer to the joined ones, unless the version is not the newest
  /// anymore.
  ///
  /// - Returns: Whether the observer was added, and whether the caller has to make the store reclaim
  ///   its older versions.
  func end(
    _ reader: VersionReader, joining observer: ObserverTable.Observer?
  ) -> (hasJoined: Bool, mustReclaim: Bool) {
    guard let version = reader.version else { return (false, false) }
    reader.version = nil
    let entry = Unmanaged.passRetained(reader)
    let new = observer.map { Observer.passRetained($0) }
    let list = ThreadIdentity.number(bits: Self.idleBits)
    var (isNewest, mustReclaim) = (false, false)
    lock.withLock {
      let count = version._withUnsafeGuaranteedRef { version in
        version.readerCount -= 1
        return version.readerCount
      }
      isNewest = newest?.toOpaque() == version.toOpaque()
      if isNewest {
        if let new {
          new._withUnsafeGuaranteedRef { $0.nextJoined = joined }
          joined = new
        }
        return push(entry, list)
      }
      mustReclaim = count == 0 && hasOlder
      if mustReclaim { hasOlder = false }
    }
    if !isNewest {
      new?.release()
      reader.clear()
      lock.withLock { push(entry, list) }
    }
    return (isNewest && new != nil, mustReclaim)
  }

  /// Removes and returns an idle reader: the second of a list if the thread has used that one last,
  /// otherwise the first.
  @inline(__always)
  private func pop(_ list: Int, _ thread: ThreadIdentity) -> Unmanaged<VersionReader>? {
    guard let first = idle[list] else { return nil }
    let second = first._withUnsafeGuaranteedRef { $0.thread == thread ? nil : $0.next }
    if let second, second._withUnsafeGuaranteedRef({ $0.thread == thread }) {
      first._withUnsafeGuaranteedRef { first in
        first.next = second._withUnsafeGuaranteedRef { $0.next }
      }
      return second
    }
    idle[list] = first._withUnsafeGuaranteedRef { $0.next }
    return first
  }

  @inline(__always)
  private func push(_ reader: Unmanaged<VersionReader>, _ list: Int) {
    reader._withUnsafeGuaranteedRef { $0.next = idle[list] }
    idle[list] = reader
  }

  // MARK: Observers

  /// Adds an observer to those that have ended, once.
  ///
  /// - Returns: Whether the caller has to make the store remove them.
  func end(_ observer: ObserverTable.Observer) -> Bool {
    let entry = Observer.passRetained(observer)
    return lock.withLock {
      (observer.nextEnded, ended) = (ended, entry)
      defer { isRemovalScheduled = true }
      return !isRemovalScheduled
    }
  }

  /// Makes the next observer that ends schedule a removal again.
  func startRemoval() { lock.withLock { isRemovalScheduled = false } }

  /// Removes and returns the observers that have joined or ended.
  func takeObservers() -> ObserverLists {
    var (joined, ended): (Observer?, Observer?)
    lock.withLock {
      (joined, ended) = (self.joined, self.ended)
      (self.joined, self.ended) = (nil, nil)
    }
    return observers(joined, ended)
  }

  private func observers(_ joined: Observer?, _ ended: Observer?) -> ObserverLists {
    ObserverLists(
      joined: list(joined) { $0.nextJoined.take() },
      ended: list(ended) { observer in
        observer.isEndKnown = true
        return observer.nextEnded.take()
      })
  }

  /// Returns the observers of a list, which owns them, in the order in which they were added.
  ///
  /// - Parameter takeNext: Removes an observer's link to the one before it.
  private func list(
    _ last: Observer?, _ takeNext: (ObserverTable.Observer) -> Observer?
  ) -> [ObserverTable.Observer] {
    var list: [ObserverTable.Observer] = []
    var next = last
    while let entry = next {
      next = entry._withUnsafeGuaranteedRef(takeNext)
      list.append(entry.takeRetainedValue())
    }
    list.reverse()
    return list
  }

  // MARK: Writing

  /// Makes a version the newest one.
  ///
  /// - Returns: The observers that have joined the version before it.
  func publish(_ version: PublishedVersion) -> ObserverLists {
    let new = Unmanaged.passRetained(version)
    var old: Unmanaged<PublishedVersion>?
    var joined: Observer?
    var isRead = false
    // The lists with idle readers, as bits.
    var lists = 0
    lock.withLock {
      for list in Self.idleLists where idle[list] != nil { lists |= 1 << list }
      (old, joined) = (newest, self.joined)
      (newest, self.joined) = (new, nil)
      isRead = old?._withUnsafeGuaranteedRef { $0.readerCount > 0 } ?? false
      if isRead { hasOlder = true }
    }
    if let old = old?.takeRetainedValue(), isRead { older.append(old) }
    for list in Self.idleLists where lists & 1 << list != 0 { clearIdle(list) }
    return observers(joined, nil)
  }

  /// Makes the idle readers of a list release the version that they have read last.
  private func clearIdle(_ list: Int) {
    var next: Unmanaged<VersionReader>?
    lock.withLock { (next, idle[list]) = (idle[list], nil) }
    while let reader = next {
      next = reader._withUnsafeGuaranteedRef { reader in
        reader.clear()
        return reader.next
      }
      lock.withLock { push(reader, list) }
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
