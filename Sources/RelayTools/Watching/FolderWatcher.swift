/// Waits for file changes in folders.
protocol FolderWatcher: AnyObject {
  /// Watches a new set of folders, or the same ones with newly added subfolders.
  ///
  /// - Returns: Whether this watcher can find changes.
  func watch(_ folders: WatchedFolders) -> Bool

  /// Waits until something has changed since the last wait, or since ``watch(_:)``.
  ///
  /// - Parameter timeout: The longest wait in milliseconds; -1 waits without limit.
  /// - Returns: The changes; `nil` if there are none.
  func wait(timeout: Int32) -> FileChanges?
}

extension FolderWatcher {
  /// Watches folders whose files will all be read afterwards, so earlier changes are discarded.
  ///
  /// - Returns: Whether this watcher can find changes.
  func watchBeforeReading(_ folders: WatchedFolders) -> Bool {
    guard watch(folders) else { return false }
    _ = wait(timeout: 0)
    return true
  }

  /// Waits for a change, and then until no change arrives for 50 ms and git is done. Editors save a
  /// file in several steps, and a checkout replaces hundreds of files.
  ///
  /// - Parameters:
  ///   - lock: The lock of the repository.
  ///   - now: The clock.
  func waitForQuiet(
    timeout: Int32 = -1, lock: GitLock? = nil,
    now: () -> ContinuousClock.Instant = { .now }
  ) -> FileChanges? {
    guard var changes = wait(timeout: timeout) else { return nil }
    let start = now()
    // The time of the last change.
    var last = start
    // A program that writes continuously does not hold the changes back forever.
    while now() - start < QuietTime.longest {
      if let more = wait(timeout: QuietTime.silence) {
        changes.formUnion(more)
        last = now()
      } else if lock?.isHeld != true || now() - last >= QuietTime.longestLock {
        break
      }
    }
    return changes
  }
}

/// The times of ``FolderWatcher/waitForQuiet(timeout:lock:now:)``.
enum QuietTime {
  /// The quiet time in milliseconds that ends a series of changes.
  static let silence: Int32 = 50
  static let longest = Duration.seconds(20)
  /// The longest wait for a lock during which nothing changes. Git also holds it while the user
  /// edits a commit message, and a crashed git leaves it behind.
  static let longestLock = Duration.seconds(2)
}

/// Returns a watcher of system notifications, or of the files' dates where there are none.
func makeFolderWatcher() -> any FolderWatcher {
  #if os(Linux)
    if let watcher = InotifyWatcher() { return watcher }
    return PollingWatcher()
  #elseif canImport(CoreServices) && !(os(iOS) || os(tvOS) || os(watchOS) || os(visionOS))
    return FSEventsWatcher()
  #else
    return PollingWatcher()
  #endif
}
