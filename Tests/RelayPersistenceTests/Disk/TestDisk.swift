import Foundation
import RelayPersistence
import RelayStore

/// A SQLite virtual file system that wraps the system's. A test can log its calls or make them
/// fail.
///
/// SQLite calls its functions on the thread that uses the connection. The function tables are
/// copies of the system's with some entries replaced; they are never freed.
final class TestDisk: Sendable {
  /// A call from SQLite.
  struct Call {
    enum Kind: String, CaseIterable {
      case open, read, write, truncate, sync, size, lock, delete, access
    }

    var kind: Kind
    var path: String
    /// The read or write position; for a truncation, the new size.
    var offset: Int64 = 0
    /// The bytes to write, valid until the call returns.
    var bytes = UnsafeRawBufferPointer(start: nil, count: 0)
    /// The flags for opening a file.
    var flags: CInt = 0
  }

  /// The way a call fails.
  enum Fault: Equatable {
    /// It has no effect, and returns a SQLite status.
    case status(CInt)
    /// It writes the first half of the bytes, and returns a SQLite status.
    case half(CInt)
  }

  /// The name that connections use to find it.
  let name = "relay-\(UUID().uuidString)"
  let fault: @Sendable (Call) -> Fault?
  let didSucceed: @Sendable (Call) -> Void

  /// - Parameters:
  ///   - fault: Called before each call; a result makes the call fail.
  ///   - didSucceed: Called after each successful call.
  /// - Throws: ``PersistenceFailure`` if SQLite is not available.
  init(
    fault: @escaping @Sendable (Call) -> Fault? = { _ in nil },
    didSucceed: @escaping @Sendable (Call) -> Void = { _ in }
  ) throws {
    self.fault = fault
    self.didSucceed = didSucceed
    try register()
  }

  func persistence(_ directory: TemporaryDirectory) -> Persistence {
    .sqlite(directory: directory.path, library: testedLibrary, vfs: name)
  }

  /// Runs a call unless it should fail.
  fileprivate func run(_ call: Call, _ body: (UnsafeRawBufferPointer) -> CInt) -> CInt {
    switch fault(call) {
    case .status(let status): return status
    case .half(let status):
      _ = body(UnsafeRawBufferPointer(rebasing: call.bytes[..<(call.bytes.count / 2)]))
      return status
    case nil: break
    }
    let status = body(call.bytes)
    if status == 0 { didSucceed(call) }
    return status
  }

  // MARK: The table of functions

  private typealias Find = @convention(c) (UnsafePointer<CChar>?) -> UnsafeMutableRawPointer?
  private typealias Register = @convention(c) (UnsafeMutableRawPointer?, CInt) -> CInt

  private func register() throws {
    let library = dlopen(testedLibrary ?? "libsqlite3.so.0", RTLD_NOW | RTLD_LOCAL)
    guard let library, let find = dlsym(library, "sqlite3_vfs_find"),
      let register = dlsym(library, "sqlite3_vfs_register"),
      // The library must be initialized before its file systems can be found.
      let initialize = dlsym(library, "sqlite3_initialize"),
      unsafeBitCast(initialize, to: (@convention(c) () -> CInt).self)() == 0,
      let system = unsafeBitCast(find, to: Find.self)(nil)
    else { throw PersistenceFailure(.unavailable, "SQLite has no file system.") }
    let copy = UnsafeMutableRawPointer.allocate(byteCount: FileSystem.byteCount, alignment: 8)
    copy.copyMemory(from: system, byteCount: FileSystem.byteCount)
    copy.storeBytes(of: strdup(name), toByteOffset: FileSystem.name, as: Optional.self)
    copy.storeBytes(of: openFile, toByteOffset: FileSystem.open, as: FileSystem.Open.self)
    copy.storeBytes(of: deleteFile, toByteOffset: FileSystem.delete, as: FileSystem.Delete.self)
    copy.storeBytes(of: accessFile, toByteOffset: FileSystem.access, as: FileSystem.Access.self)
    copy.storeBytes(of: sleepBriefly, toByteOffset: FileSystem.sleep, as: FileSystem.Sleep.self)
    TestDisk.registry.withLock {
      $0.disks[UnsafeRawPointer(copy)] = (self, UnsafeRawPointer(system))
    }
    guard unsafeBitCast(register, to: Register.self)(copy, 0) == 0 else {
      throw PersistenceFailure(.unavailable, "SQLite does not accept the file system.")
    }
  }

  // MARK: Registry

  /// An open file.
  fileprivate struct File: @unchecked Sendable {
    let disk: TestDisk
    let path: String
    /// The system's functions.
    let methods: UnsafeRawPointer
  }

  /// The disks and the open files, by the addresses that SQLite uses.
  private struct Registry: @unchecked Sendable {
    var disks: [UnsafeRawPointer: (disk: TestDisk, system: UnsafeRawPointer)] = [:]
    var files: [UnsafeMutableRawPointer: File] = [:]
    /// The function tables, by the address of the system's table.
    var methods: [UnsafeRawPointer: UnsafeMutableRawPointer] = [:]
  }

  private static let registry = Locked(Registry())

  fileprivate static func disk(
    at address: UnsafeMutableRawPointer?
  ) -> (disk: TestDisk, system: UnsafeRawPointer)? {
    guard let address else { return nil }
    nonisolated(unsafe) let key = UnsafeRawPointer(address)
    return registry.withLock { registry in
      registry.disks[key].map { Unchecked(value: $0) }
    }?.value
  }

  fileprivate static func file(at address: UnsafeMutableRawPointer?) -> File? {
    guard let address else { return nil }
    nonisolated(unsafe) let key = address
    return registry.withLock { $0.files[key] }
  }

  fileprivate static func removeFile(at address: UnsafeMutableRawPointer) {
    nonisolated(unsafe) let key = address
    registry.withLock { $0.files[key] = nil }
  }

  /// Replaces the functions of an opened file.
  fileprivate func adopt(_ address: UnsafeMutableRawPointer, path: String) {
    guard let methods = address.load(as: UnsafeRawPointer?.self) else { return }
    nonisolated(unsafe) let (key, system) = (address, methods)
    TestDisk.registry.withLock { registry in
      let table = registry.methods[system] ?? FileMethods.table(system)
      registry.methods[system] = table
      registry.files[key] = File(disk: self, path: path, methods: system)
      key.storeBytes(of: UnsafeRawPointer(table), as: UnsafeRawPointer?.self)
    }
  }

  private struct Unchecked<Value>: @unchecked Sendable { let value: Value }
}

// MARK: Functions of a file system

private let openFile: FileSystem.Open = { fileSystem, name, file, flags, result in
  guard let file, let (disk, system) = TestDisk.disk(at: fileSystem) else { return 14 }
  // SQLite does not close a file without functions.
  file.storeBytes(of: nil, as: UnsafeRawPointer?.self)
  let open = system.load(fromByteOffset: FileSystem.open, as: FileSystem.Open.self)
  guard let name else { return open(fileSystem, name, file, flags, result) }
  let path = String(cString: name)
  return disk.run(TestDisk.Call(kind: .open, path: path, flags: flags)) { _ in
    let status = open(fileSystem, name, file, flags, result)
    if status == 0 { disk.adopt(file, path: path) }
    return status
  }
}

private let deleteFile: FileSystem.Delete = { fileSystem, name, isDirectorySynced in
  guard let name, let (disk, system) = TestDisk.disk(at: fileSystem) else { return 10 }
  let delete = system.load(fromByteOffset: FileSystem.delete, as: FileSystem.Delete.self)
  return disk.run(
    TestDisk.Call(kind: .delete, path: String(cString: name), flags: isDirectorySynced)
  ) { _ in delete(fileSystem, name, isDirectorySynced) }
}

private let accessFile: FileSystem.Access = { fileSystem, name, flags, result in
  guard let name, let (disk, system) = TestDisk.disk(at: fileSystem) else { return 10 }
  let access = system.load(fromByteOffset: FileSystem.access, as: FileSystem.Access.self)
  return disk.run(TestDisk.Call(kind: .access, path: String(cString: name))) { _ in
    access(fileSystem, name, flags, result)
  }
}

/// Returns immediately: a test does not wait for a lock.
private let sleepBriefly: FileSystem.Sleep = { _, microseconds in microseconds }

/// The layout of `sqlite3_vfs` with 64-bit pointers.
private enum FileSystem {
  static let byteCount = 168
  static let (name, open, delete, access, sleep) = (24, 40, 48, 56, 112)
  typealias Open =
    @convention(c) (
      UnsafeMutableRawPointer?, UnsafePointer<CChar>?, UnsafeMutableRawPointer?, CInt,
      UnsafeMutablePointer<CInt>?
    ) -> CInt
  typealias Delete =
    @convention(c) (UnsafeMutableRawPointer?, UnsafePointer<CChar>?, CInt) -> CInt
  typealias Access =
    @convention(c) (
      UnsafeMutableRawPointer?, UnsafePointer<CChar>?, CInt, UnsafeMutablePointer<CInt>?
    ) -> CInt
  typealias Sleep = @convention(c) (UnsafeMutableRawPointer?, CInt) -> CInt
}

// MARK: Functions of a file

/// The layout of `sqlite3_io_methods` with 64-bit pointers.
private enum FileMethods {
  static let byteCount = 152
  static let (close, read, write, truncate, sync, size, lock) = (8, 16, 24, 32, 40, 48, 56)
  typealias Plain = @convention(c) (UnsafeMutableRawPointer?) -> CInt
  typealias Read =
    @convention(c) (UnsafeMutableRawPointer?, UnsafeMutableRawPointer?, CInt, Int64) -> CInt
  typealias Write =
    @convention(c) (UnsafeMutableRawPointer?, UnsafeRawPointer?, CInt, Int64) -> CInt
  typealias Truncate = @convention(c) (UnsafeMutableRawPointer?, Int64) -> CInt
  typealias Flags = @convention(c) (UnsafeMutableRawPointer?, CInt) -> CInt
  typealias Size =
    @convention(c) (UnsafeMutableRawPointer?, UnsafeMutablePointer<Int64>?) -> CInt

  /// Creates a table of functions that wrap the system's.
  static func table(_ system: UnsafeRawPointer) -> UnsafeMutableRawPointer {
    let table = UnsafeMutableRawPointer.allocate(byteCount: byteCount, alignment: 8)
    table.copyMemory(from: system, byteCount: byteCount)
    table.storeBytes(of: closeFile, toByteOffset: close, as: Plain.self)
    table.storeBytes(of: readFile, toByteOffset: read, as: Read.self)
    table.storeBytes(of: writeFile, toByteOffset: write, as: Write.self)
    table.storeBytes(of: truncateFile, toByteOffset: truncate, as: Truncate.self)
    table.storeBytes(of: syncFile, toByteOffset: sync, as: Flags.self)
    table.storeBytes(of: sizeOfFile, toByteOffset: size, as: Size.self)
    table.storeBytes(of: lockFile, toByteOffset: lock, as: Flags.self)
    return table
  }
}

extension TestDisk.File {
  fileprivate func call(
    _ kind: TestDisk.Call.Kind, offset: Int64 = 0,
    bytes: UnsafeRawBufferPointer = UnsafeRawBufferPointer(start: nil, count: 0),
    _ body: (UnsafeRawBufferPointer) -> CInt
  ) -> CInt {
    disk.run(TestDisk.Call(kind: kind, path: path, offset: offset, bytes: bytes), body)
  }

  /// Returns one of the system's functions.
  fileprivate func function<Function>(at offset: Int, as type: Function.Type) -> Function {
    methods.load(fromByteOffset: offset, as: type)
  }
}

private let closeFile: FileMethods.Plain = { address in
  guard let address, let file = TestDisk.file(at: address) else { return 10 }
  TestDisk.removeFile(at: address)
  return file.function(at: FileMethods.close, as: FileMethods.Plain.self)(address)
}

private let readFile: FileMethods.Read = { address, bytes, count, offset in
  guard let file = TestDisk.file(at: address) else { return 10 }
  return file.call(.read, offset: offset) { _ in
    file.function(at: FileMethods.read, as: FileMethods.Read.self)(address, bytes, count, offset)
  }
}

private let writeFile: FileMethods.Write = { address, bytes, count, offset in
  guard let file = TestDisk.file(at: address) else { return 10 }
  let all = UnsafeRawBufferPointer(start: bytes, count: Int(count))
  return file.call(.write, offset: offset, bytes: all) { part in
    file.function(at: FileMethods.write, as: FileMethods.Write.self)(
      address, part.baseAddress, CInt(part.count), offset)
  }
}

private let truncateFile: FileMethods.Truncate = { address, size in
  guard let file = TestDisk.file(at: address) else { return 10 }
  return file.call(.truncate, offset: size) { _ in
    file.function(at: FileMethods.truncate, as: FileMethods.Truncate.self)(address, size)
  }
}

private let syncFile: FileMethods.Flags = { address, flags in
  guard let file = TestDisk.file(at: address) else { return 10 }
  return file.call(.sync) { _ in
    file.function(at: FileMethods.sync, as: FileMethods.Flags.self)(address, flags)
  }
}

private let sizeOfFile: FileMethods.Size = { address, result in
  guard let file = TestDisk.file(at: address) else { return 10 }
  return file.call(.size) { _ in
    file.function(at: FileMethods.size, as: FileMethods.Size.self)(address, result)
  }
}

private let lockFile: FileMethods.Flags = { address, level in
  guard let file = TestDisk.file(at: address) else { return 10 }
  return file.call(.lock) { _ in
    file.function(at: FileMethods.lock, as: FileMethods.Flags.self)(address, level)
  }
}
