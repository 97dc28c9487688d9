import Foundation
import RelayPersistence
import RelayStore

/// The operations of SQLite on its files, and of an outbox on its uploads, in order, with the test's
/// own marks.
final class DiskLog: Sendable {
  enum Operation {
    case create(String)
    case delete(String)
    case write(String, offset: Int, [UInt8])
    case truncate(String, size: Int)
    /// From here on the file's bytes survive, and the directory's names too if `names` is set.
    case sync(String, names: Bool)
    /// From here on the directory's names survive.
    case syncNames
    case mark(Mark)
  }

  /// A moment in the program that uses the storage.
  enum Mark {
    case committing(number: Int)
    /// The database was closed after this commit.
    case suspended(number: Int)
    case committed(OutboxEntry.ID)
    case acknowledged(OutboxEntry.ID)
    case removing(OutboxEntry.ID)
  }

  private struct State {
    var operations: [Operation] = []
    var names: Set<String> = []
    /// The files whose first sync also syncs the directory.
    var unsyncedNames: Set<String> = []
  }

  private let state = Locked(State())

  var operations: [Operation] { state.withLock { $0.operations } }

  func mark(_ mark: Mark) { state.withLock { $0.operations.append(.mark(mark)) } }

  /// Logs a successful call.
  func add(_ call: TestDisk.Call) {
    let name = String(call.path.split(separator: "/").last ?? "")
    let operation: Operation?
    switch call.kind {
    case .open: return open(name, flags: call.flags)
    case .write: operation = .write(name, offset: Int(call.offset), Array(call.bytes))
    case .truncate: operation = .truncate(name, size: Int(call.offset))
    case .delete: operation = .delete(name)
    case .sync: operation = nil
    case .read, .size, .lock, .access: return
    }
    state.withLock { state in
      if call.kind == .delete { state.names.remove(name) }
      state.operations.append(
        operation ?? .sync(name, names: state.unsyncedNames.remove(name) != nil))
    }
  }

  /// Logs a call of an outbox on the files in a directory, before it is made. The bytes are read
  /// from the real file when it is synchronized.
  func add(_ call: FileSystem.Call, _ path: String, in directory: String) {
    let name = String(path.dropFirst(directory.count + 1))
    var operations: [Operation] = []
    switch call {
    case .open: return open(name, flags: 0)
    case .synchronize:
      let bytes = (try? Data(contentsOf: URL(filePath: path))) ?? Data()
      operations = [.write(name, offset: 0, Array(bytes)), .sync(name, names: false)]
    case .synchronizeDirectory: operations = [.syncNames]
    case .remove: operations = [.delete(name)]
    case .makeDirectory, .list, .read, .write, .rename: return
    }
    state.withLock { $0.operations += operations }
  }

  private func open(_ name: String, flags: CInt) {
    state.withLock { state in
      if state.names.insert(name).inserted { state.operations.append(.create(name)) }
      // A new journal or log: the system's file system syncs the directory along with it.
      if flags & 0x4 != 0, flags & 0x8_0800 != 0 { state.unsyncedNames.insert(name) }
    }
  }
}
