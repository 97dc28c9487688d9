/// Waits for changes of files in folders.
protocol FolderWatcher: AnyObject {
  /// Watches other folders than before, or the same ones with the folders that were added to them.
  ///
  /// - Returns: Whether changes can be found by this watcher.
  func watch(_ folders: WatchedFolders) -> Bool

  /// Waits until something has changed since the last wait, or since ``watch(_:)``.
  ///
  /// - Parameter timeout: The longest wait in milliseconds; -1 waits without limit.
  /// - Returns: The changes; `nil` if nothing has changed.
  func wait(timeout: Int32) -> FileChanges?
}

extension FolderWatcher {
  /// Watches folders whose files are all read afterwards: what has changed before is no change.
  ///
  /// - Returns: Whether changes can be found by this watcher.
  func watchBeforeReading(_ folders: WatchedFolders) -> Bool {
    guard watch(folders) else { return false }
    _ = wait(timeout: 0)
    return true
  }

  /// Waits for a change, and then until nothing has changed for 50 ms and git has ended what it does:
  /// editors save a file in several steps, and a checkout replaces hundreds of files.
  ///
  /// - Parameters:
  ///   - lock: The lock of the repository.
  ///   - now: The time.
  func waitForQuiet(
    timeout: Int32 = -1, lock: GitLock? = nil,
    now: () -> ContinuousClock.Instant = { .now }
  ) -> FileChanges? {
    guard var changes = wait(timeout: timeout) else { return nil }
    let start = now()
    // The time of the last change.
    var last = start
    // A program that writes all the time does not keep the changes back for ever.
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
  /// The milliseconds without a change after which the changes are complete.
  static let silence: Int32 = 50
  static let longest = Duration.seconds(20)
  /// The longest wait for a lock during which nothing changes. Git holds it also while a message is
  /// written in an editor, and one that has crashed has left it.
  static let longestLock = Duration.seconds(2)
}

/// Returns a watcher of the system's notifications, or of the files' dates where there are none.
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
