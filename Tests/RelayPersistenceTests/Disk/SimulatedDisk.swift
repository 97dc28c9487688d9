import SeededRandom

/// Files whose last writes have not reached the disk.
///
/// A sync makes all earlier writes to a file survive. Until then any of its sectors may have been
/// written, in any order. Names are created and removed in order, as in a file system's journal,
/// and survive when the directory is synced.
struct SimulatedDisk {
  private static let sectorSize = 512

  private enum Change {
    case write(offset: Int, [UInt8])
    case truncate(Int)
  }

  private struct File {
    var synced: [UInt8] = []
    var pending: [Change] = []
  }

  private var files: [File] = []
  /// The file behind each name, as the program sees it.
  private var names: [String: Int] = [:]
  private var syncedNames: [String: Int] = [:]
  private var pendingNames: [(name: String, file: Int?)] = []

  mutating func apply(_ operation: DiskLog.Operation) {
    switch operation {
    case .create(let name):
      names[name] = files.count
      pendingNames.append((name, files.count))
      files.append(File())
    case .delete(let name):
      names[name] = nil
      pendingNames.append((name, nil))
    case .write(let name, let offset, let bytes):
      guard let file = names[name] else { return }
      // Each sector is written separately.
      var start = 0
      while start < bytes.count {
        let position = offset + start
        let end = min(bytes.count, start + Self.sectorSize - position % Self.sectorSize)
        files[file].pending.append(.write(offset: position, Array(bytes[start..<end])))
        start = end
      }
    case .truncate(let name, let size):
      if let file = names[name] { files[file].pending.append(.truncate(size)) }
    case .sync(let name, let isDirectory):
      guard let file = names[name] else { return }
      for change in files[file].pending { Self.apply(change, to: &files[file].synced) }
      files[file].pending = []
      if isDirectory { syncNames() }
    case .syncNames: syncNames()
    case .mark: break
    }
  }

  private mutating func syncNames() {
    for change in pendingNames { syncedNames[change.name] = change.file }
    pendingNames = []
  }

  private static func apply(_ change: Change, to bytes: inout [UInt8]) {
    switch change {
    case .truncate(let size):
      if size < bytes.count { bytes.removeLast(bytes.count - size) }
    case .write(let offset, let new):
      if offset + new.count > bytes.count {
        bytes += [UInt8](repeating: 0, count: offset + new.count - bytes.count)
      }
      bytes.replaceSubrange(offset..<offset + new.count, with: new)
    }
  }

  /// Returns files as a power loss might leave them now.
  func image(_ random: inout SeededGenerator) -> [String: [UInt8]] {
    var names = syncedNames
    for change in pendingNames.prefix(Int.random(in: 0...pendingNames.count, using: &random)) {
      names[change.name] = change.file
    }
    return names.mapValues { file in
      var bytes = files[file].synced
      for change in survivors(of: files[file].pending, &random) {
        Self.apply(change, to: &bytes)
      }
      return bytes
    }
  }

  /// Returns the changes that reached the disk, in their order of arrival.
  private func survivors(of pending: [Change], _ random: inout SeededGenerator) -> [Change] {
    switch Int.random(in: 0..<5, using: &random) {
    case 0: return []
    case 1: return pending
    case 2: return Array(pending.prefix(Int.random(in: 0...pending.count, using: &random)))
    case 3: return pending.filter { _ in Bool.random(using: &random) }
    default:
      return pending.filter { _ in Int.random(in: 0..<4, using: &random) > 0 }
        .shuffled(using: &random)
    }
  }
}
