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

  /// Waits for a change, and then until nothing changes for some milliseconds: editors save a file
  /// in several steps.
  func waitForQuiet(timeout: Int32 = -1) -> FileChanges? {
    guard var changes = wait(timeout: timeout) else { return nil }
    var count = 0
    while count < 100, let more = wait(timeout: 5) {
      changes.formUnion(more)
      count += 1
    }
    return changes
  }
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
