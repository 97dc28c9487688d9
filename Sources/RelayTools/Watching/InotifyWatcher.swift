#if os(Linux)
  import Foundation

  /// A watcher based on inotify events. The kernel watches individual folders, so folders created
  /// later are added by the next call of ``watch(_:)``.
  final class InotifyWatcher: FolderWatcher {
    private let descriptor: Int32
    private var watches: [String: Int32] = [:]
    /// The folders by watch.
    private var folders: [Int32: String] = [:]
    /// Whether a folder was added that may have changed before it was watched.
    private var hasNewFolders = false

    /// The events for files that are written and closed, created, moved or removed.
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
        // For a folder that is already watched, this returns the same watch.
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
      // A folder that was removed and created again has another watch.
      if current.contains(where: { watches[$0.key] != $0.value }) { hasNewFolders = true }
      watches = current
      self.folders = Dictionary(
        current.map { ($0.value, $0.key) }, uniquingKeysWith: { first, _ in first })
      return true
    }

    func wait(timeout: Int32) -> FileChanges? {
      if hasNewFolders {
        hasNewFolders = false
        return .unknown
      }
      var port = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
      guard poll(&port, 1, timeout) > 0 else { return nil }
      var buffer = [UInt8](repeating: 0, count: 1 << 16)
      var changes = FileChanges.files([])
      while true {
        let count = read(descriptor, &buffer, buffer.count)
        guard count > 0 else { return changes }
        changes.formUnion(self.changes(in: buffer[..<count]))
      }
    }

    /// Reads events: their watch, kind, cookie, and the length of the name that follows.
    private func changes(in buffer: ArraySlice<UInt8>) -> FileChanges {
      var paths: Set<String> = []
      var rest = buffer
      while rest.count >= 16 {
        let header = rest.withUnsafeBytes { bytes in
          (0..<4).map { bytes.loadUnaligned(fromByteOffset: $0 * 4, as: UInt32.self) }
        }
        let name = rest.dropFirst(16).prefix(Int(header[3])).prefix { $0 != 0 }
        rest = rest.dropFirst(16 + Int(header[3]))
        let isOfFile =
          header[1] & UInt32(IN_ISDIR | IN_Q_OVERFLOW | IN_DELETE_SELF | IN_MOVE_SELF) == 0
        guard isOfFile, let folder = folders[Int32(bitPattern: header[0])], !name.isEmpty else {
          // A removed watch ends with its own event.
          if header[1] & UInt32(IN_IGNORED) != 0 { continue }
          return .unknown
        }
        paths.insert(folder + "/" + String(decoding: name, as: UTF8.self))
      }
      return .files(paths)
    }
  }
#endif
