#if os(Linux)
  #if canImport(Glibc)
    import Glibc
  #elseif canImport(Musl)
    import Musl
  #endif

  /// A watcher of inotify's events. The kernel watches folders one by one, so folders that are made
  /// later are added when ``watch(_:)`` is called again.
  final class InotifyWatcher: FolderWatcher {
    private let descriptor: Int32
    private var watches: [String: Int32] = [:]
    /// Whether a folder was added, in which something may have changed before it was watched.
    private var hasNewFolders = false

    /// The events of a file that is written and closed, or made, moved or removed.
    private static let events = UInt32(
      IN_CLOSE_WRITE | IN_CREATE | IN_DELETE | IN_MOVED_FROM | IN_MOVED_TO | IN_DELETE_SELF
        | IN_MOVE_SELF)

    /// - Returns: `nil` if the system has no more inotify instances.
    init?() {
      descriptor = inotify_init1(Int32(IN_CLOEXEC) | Int32(IN_NONBLOCK))
      if descriptor < 0 { return nil }
    }

    deinit { close(descriptor) }

    func watch(_ folders: WatchedFolders) -> Bool {
      var current: [String: Int32] = [:]
      for folder in folders.all() {
        // A folder that is watched already keeps its watch.
        let watch = inotify_add_watch(descriptor, folder, Self.events)
        if watch >= 0 {
          current[folder] = watch
        } else if errno == ENOSPC {
          return false
        }
      }
      let used = Set(current.values)
      for watch in watches.values where !used.contains(watch) {
        inotify_rm_watch(descriptor, watch)
      }
      if !Set(current.keys).isSubset(of: watches.keys) { hasNewFolders = true }
      watches = current
      return true
    }

    func wait(timeout: Int32) -> Bool {
      if hasNewFolders {
        hasNewFolders = false
        return true
      }
      var port = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
      guard poll(&port, 1, timeout) > 0 else { return false }
      var buffer = [UInt8](repeating: 0, count: 1 << 16)
      while read(descriptor, &buffer, buffer.count) > 0 {}
      return true
    }
  }
#endif
