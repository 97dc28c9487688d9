import Foundation
import Testing

@testable import RelayPersistence
@testable import RelayStore

#if canImport(Glibc)
  import Glibc
#endif

@Suite("Storage: its files", .timeLimit(.minutes(1)))
struct StorageFileTests {
  private func engine(
    _ file: SQLiteEngine.File, _ directory: TemporaryDirectory
  ) -> SQLiteEngine {
    SQLiteEngine(file, directory: directory.path, library: testedLibrary)
  }

  private func setting(_ name: String, of engine: SQLiteEngine) throws -> Int64? {
    var value: Int64?
    try engine.connection?.run("PRAGMA \(name)") { row in
      value = row.int(0)
    }
    return value
  }

  @Test("checkpoints, and the commits of an outbox, empty the drive's cache where SQLite can")
  func fullSynchronization() throws {
    let directory = TemporaryDirectory()
    let (cache, outbox) = (engine(.cache, directory), engine(.outbox, directory))
    try cache.open()
    try outbox.open()
    #expect(try setting("checkpoint_fullfsync", of: cache) == 1)
    #expect(try setting("fullfsync", of: outbox) == 1)
    #expect(try setting("synchronous", of: outbox) == 2)
  }

  #if os(Linux)
    @Test("a second store in the process, which cannot open the file, leaves the first one's locks")
    func locks() throws {
      let directory = TemporaryDirectory()
      let first = engine(.cache, directory)
      try first.open()
      #expect(throws: PersistenceFailure.self) { try engine(.cache, directory).open() }
      // A query on an open file description also reports the locks of its own process.
      let file = open(first.path, O_RDWR)
      defer { close(file) }
      var lock = flock()
      (lock.l_type, lock.l_whence) = (Int16(F_WRLCK), Int16(SEEK_SET))
      let query: Int32 = 36  // F_OFD_GETLK
      #expect(fcntl(file, query, &lock) == 0)
      #expect(lock.l_type != Int16(F_UNLCK))
    }

    @Test("a directory that its file system cannot synchronize is no error")
    func unsynchronizedDirectory() throws {
      // The kernel's own file system does not support this call.
      try FileSystem().synchronize(directory: "/proc")
    }
  #endif

  @Test("a file that must not exist is written once, and no temporary file is left")
  func exclusive() throws {
    let directory = TemporaryDirectory()
    let files = FileSystem()
    try files.makeDirectory(directory.path)
    try files.write([1], to: directory.path + "/a", replaces: false)
    #expect(throws: PersistenceFailure.self) {
      try files.write([2], to: directory.path + "/a", replaces: false)
    }
    #expect(directory.files == ["a"])
    #expect(directory.bytes == Data([1]))
  }
}
