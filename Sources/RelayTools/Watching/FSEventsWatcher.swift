#if canImport(CoreServices) && !(os(iOS) || os(tvOS) || os(watchOS) || os(visionOS))
  import CoreServices
  import Foundation

  /// A watcher based on macOS file system events. They cover all folders below a watched one.
  ///
  /// A stream is stopped on the queue of its callbacks, so no callback runs after that.
  final class FSEventsWatcher: FolderWatcher {
    private let queue = DispatchQueue(label: "relay-compiler.watch")
    private let changes = DispatchSemaphore(value: 0)
    private var stream: FSEventStreamRef?
    private var watched = WatchedFolders()

    deinit { stop() }

    func watch(_ folders: WatchedFolders) -> Bool {
      if stream != nil, folders == watched { return true }
      stop()
      watched = folders
      let paths = NSArray(array: folders.realPaths) as CFArray
      var context = FSEventStreamContext(
        version: 0, info: Unmanaged.passUnretained(changes).toOpaque(), retain: nil,
        release: nil, copyDescription: nil)
      let callback: FSEventStreamCallback = { _, info, _, _, _, _ in
        guard let info else { return }
        Unmanaged<DispatchSemaphore>.fromOpaque(info).takeUnretainedValue().signal()
      }
      // A watched folder may itself be moved or removed.
      let flags =
        kFSEventStreamCreateFlagFileEvents | kFSEventStreamCreateFlagNoDefer
        | kFSEventStreamCreateFlagWatchRoot
      let stream = FSEventStreamCreate(
        nil, callback, &context, paths, FSEventStreamEventId(kFSEventStreamEventIdSinceNow), 0.01,
        FSEventStreamCreateFlags(flags))
      guard let stream else { return false }
      FSEventStreamSetDispatchQueue(stream, queue)
      guard FSEventStreamStart(stream) else {
        FSEventStreamInvalidate(stream)
        FSEventStreamRelease(stream)
        return false
      }
      self.stream = stream
      // Something may have changed before watching started.
      changes.signal()
      return true
    }

    func wait(timeout: Int32) -> FileChanges? {
      let deadline: DispatchTime =
        timeout < 0 ? .distantFuture : .now() + .milliseconds(Int(timeout))
      guard changes.wait(timeout: deadline) == .success else { return nil }
      while changes.wait(timeout: .now()) == .success {}
      return .unknown
    }

    private func stop() {
      guard let stream else { return }
      queue.sync {
        FSEventStreamStop(stream)
        FSEventStreamInvalidate(stream)
        FSEventStreamRelease(stream)
      }
      self.stream = nil
    }
  }
#endif
