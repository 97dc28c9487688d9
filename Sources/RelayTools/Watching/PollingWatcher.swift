import Foundation
import RelayCompiler

/// A watcher that repeatedly compares the dates and sizes of all files, for systems without
/// notifications.
final class PollingWatcher: FolderWatcher {
  /// The milliseconds between two comparisons.
  private let interval: Int32
  private var folders = WatchedFolders()
  /// The files at the last comparison; until the first one, everything may have changed.
  private var state: [String: FileStamp]?

  init(interval: Int32 = 250) { self.interval = interval }

  func watch(_ folders: WatchedFolders) -> Bool {
    self.folders = folders
    return true
  }

  func wait(timeout: Int32) -> FileChanges? {
    var waited: Int32 = 0
    while true {
      let current = stamps()
      if let state, current != state {
        self.state = current
        let paths = Set(current.keys).union(state.keys)
        return .files(paths.filter { current[$0] != state[$0] })
      }
      if state == nil {
        state = current
        return .unknown
      }
      if timeout >= 0, waited >= timeout { return nil }
      let step = timeout < 0 ? interval : min(interval, timeout - waited)
      _ = poll(nil, 0, step)
      waited += step
    }
  }

  private func stamps() -> [String: FileStamp] {
    var result: [String: FileStamp] = [:]
    for folder in folders.all() {
      for name in (try? fileNames(in: folder)) ?? [] where !name.hasPrefix(".") {
        let path = folder + "/" + name
        // A folder's date changes with its files.
        if isRealFolder(path) { continue }
        result[path] = FileStamp(ofFile: path)
      }
    }
    return result
  }
}
