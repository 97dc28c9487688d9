import Foundation
import RelayStoreTesting
import Testing

@testable import RelayPersistence
@_spi(GeneratedCode) @testable import RelayStore

/// Mutations with files.
@Suite("Outbox: files of mutations", .timeLimit(.minutes(1)))
struct OutboxUploadTests {
  private let directory = TemporaryDirectory()
  private let sources = TemporaryDirectory()

  private struct App {
    let environment: RelayEnvironment
    let outbox: Outbox
    let server = ScriptedServer()
    let events = PersistedStore.Events()

    init(
      _ directory: String, cipher: (any PersistenceCipher)? = nil, keys: Bool = true,
      _ change: (inout OutboxOptions) -> Void = { _ in }
    ) throws {
      let events = events
      let store = RecordStore(
        configuration: .init(
          clock: VirtualClock(),
          persistence: .sqlite(directory: directory, cipher: cipher, library: nil),
          log: { events.append($0) }))
      var options = OutboxOptions(serverHonorsIdempotencyKeys: keys)
      change(&options)
      environment = RelayEnvironment(store: store, transport: server, outbox: options)
      outbox = try #require(environment.outbox)
    }

    func attach(
      _ uploads: [Upload], moves: Bool = false, coalescing: OutboxCoalescing? = nil
    ) async throws -> OutboxEntry {
      try await environment.commit(
        AttachMutation(files: uploads), durability: .outbox(), coalescing: coalescing,
        movesFiles: moves)
    }

    /// Ends the app as a killed process would.
    func kill() async {
      outbox.suspend()
      await outbox.wait()
      outbox.closeFile()
      try? await environment.store.suspend()
    }
  }

  private func file(_ bytes: [UInt8], name: String = "oak.jpg") throws -> URL {
    try FileManager.default.createDirectory(at: sources.url, withIntermediateDirectories: true)
    let url = sources.url.appending(path: name)
    try Data(bytes).write(to: url)
    return url
  }

  private var copies: [String] {
    let uploads = directory.path + "/uploads"
    let folders = (try? FileManager.default.contentsOfDirectory(atPath: uploads)) ?? []
    return folders.flatMap { folder in
      ((try? FileManager.default.contentsOfDirectory(atPath: uploads + "/" + folder)) ?? []).map {
        "\(uploads)/\(folder)/\($0)"
      }
    }.sorted()
  }

  private func contents(_ request: ScriptedServer.Request) async throws -> [[UInt8]] {
    var contents: [[UInt8]] = []
    for upload in request.request.uploads { contents.append(try await upload.file.contents()) }
    return contents
  }

  private static let large = (0..<1_200_000).map { UInt8(truncatingIfNeeded: $0 &* 31 >> 3) }

  @Test(
    "files are copied before the commit returns, sent by the next run, and removed with the entry")
  func nextRun() async throws {
    let url = try file(Self.large)
    let first = try App(directory.path)
    first.outbox.suspend()
    let stream = Upload(
      stream: AsyncStream<[UInt8]> {
        $0.yield([1, 2]); $0.finish()
      }, fileName: "s")
    let bytes = Upload([7], fileName: "b", contentType: "text/plain")
    let image = Upload(file: url, contentType: "image/jpeg")
    let entry = try await first.attach([image, stream, bytes, image])
    #expect(copies.count == 3)
    try FileManager.default.removeItem(at: url)
    await first.kill()
    let second = try App(directory.path)
    let request = try await second.server.next()
    #expect(request.key == entry.id.rawValue)
    #expect(try await contents(request) == [Self.large, Self.large, [1, 2], [7]])
    #expect(
      request.request.uploads.map(\.path) == [
        ["files", "0"], ["files", "3"], ["files", "1"], ["files", "2"],
      ])
    #expect(request.request.uploads.map(\.file.fileName) == ["oak.jpg", "oak.jpg", "s", "b"])
    #expect(request.request.uploads.map(\.file.contentType).last == "text/plain")
    #expect(request.request.variables["files"] == [nil, nil, nil, nil])
    request.succeed(["attach": true])
    try await second.outbox.outcome(of: entry.id)
    try await eventually(0) { copies.count }
  }

  @Test("an upload that is cut off is sent again, from the copy")
  func again() async throws {
    let app = try App(directory.path)
    let entry = try await app.attach([Upload(file: try file([1, 2, 3]))])
    for _ in 0..<2 {
      let request = try await app.server.next()
      #expect(try await contents(request) == [[1, 2, 3]])
      request.fail(lost())
      for await entries in app.outbox.observe() where entries.first?.nextAttempt != nil { break }
      app.outbox.resume()
    }
    try await app.outbox.discard(entry.id)
    #expect(copies.isEmpty)
  }

  @Test("a moved file is gone once the entry is stored, and stays if it cannot be stored")
  func moved() async throws {
    let url = try file([1, 2, 3])
    let app = try App(directory.path) { $0.entryLimit = 1 }
    app.outbox.suspend()
    _ = try await app.attach([Upload(file: url)], moves: true)
    #expect(!FileSystem.exists(url.path) && copies.count == 1)
    let other = try file([4])
    await #expect(throws: RelayError.self) {
      try await app.attach([Upload(file: other)], moves: true)
    }
    #expect(FileSystem.exists(other.path) && copies.count == 1)
  }

  @Test("a moved link leaves the file that it leads to, of which the outbox has a copy")
  func movedLink() async throws {
    let url = try file([1, 2, 3])
    let link = sources.url.appending(path: "link")
    try FileManager.default.createSymbolicLink(at: link, withDestinationURL: url)
    let app = try App(directory.path)
    app.outbox.suspend()
    _ = try await app.attach([Upload(file: link)], moves: true)
    #expect(FileSystem.exists(url.path) && !FileSystem.exists(link.path))
    try Data([4]).write(to: url)
    app.outbox.resume()
    #expect(try await contents(app.server.next()) == [[1, 2, 3]])
  }

  @Test("a mutation that cancels another leaves its moved file, and the files of neither")
  func coalesced() async throws {
    let app = try App(directory.path)
    app.outbox.suspend()
    _ = try await app.attach([Upload([1], fileName: "a")], coalescing: .init(key: "a"))
    _ = try await app.attach([Upload([2], fileName: "b")], coalescing: .init(key: "a"))
    #expect(copies.count == 1)
    let url = try file([3])
    _ = try await app.attach(
      [Upload(file: url)], moves: true, coalescing: .init(key: "undo", cancels: "a"))
    #expect(copies.isEmpty && FileSystem.exists(url.path) && app.outbox.entries.isEmpty)
  }

  @Test(
    "files that are too large, or cannot be read, are an error of the commit, and leave nothing")
  func limits() async throws {
    let app = try App(directory.path) { $0.fileByteLimit = 10 }
    app.outbox.suspend()
    let entry = try await app.attach([Upload([UInt8](repeating: 1, count: 6), fileName: "a")])
    let missing = Upload(file: sources.url.appending(path: "missing"))
    let spent = Upload(stream: AsyncStream<[UInt8]> { $0.finish() }, fileName: "s")
    _ = try await spent.contents()
    for upload in [
      Upload([UInt8](repeating: 2, count: 11), fileName: "b"),
      Upload([UInt8](repeating: 2, count: 5), fileName: "c"),
      Upload(file: try file([UInt8](repeating: 3, count: 11))), missing, spent,
    ] {
      for moves in [false, true] {
        let error = await #expect(throws: RelayError.self) {
          try await app.attach([upload], moves: moves)
        }
        #expect(error?.code == .request && error?.operationName == "Attach", "\(upload)")
      }
    }
    #expect(copies.count == 1 && app.outbox.entries.map(\.id) == [entry.id])
    _ = try await app.attach([Upload([UInt8](repeating: 1, count: 4), fileName: "d")])
    try await app.outbox.discard(entry.id)
    _ = try await app.attach([Upload([UInt8](repeating: 1, count: 6), fileName: "e")])
    #expect(copies.count == 2)
  }

  @Test(
    "a full disk is an error of the commit, and leaves nothing", arguments: FileSystem.Call.allCases
  )
  func fullDisk(call: FileSystem.Call) async throws {
    let failing = Locked(false)
    var files = OutboxFiles(directory: directory.path + "/uploads")
    files.files.willCall = { made, _ in
      if failing.withLock({ $0 }), made == call { throw PersistenceFailure(.io, "full") }
    }
    let upload = VariableUpload(path: ["file"], file: Upload([1, 2, 3], fileName: "a"))
    func add(_ id: String) async throws -> [StoredUpload] {
      try await files.add(
        [upload], of: .init(id), isMoving: false, limit: .max, operationName: "Attach")
    }
    let stored = try await add("a")
    failing.withLock { $0 = true }
    let isUsed = [.makeDirectory, .open, .write, .synchronize, .synchronizeDirectory].contains(call)
    if isUsed {
      await #expect(throws: PersistenceFailure.self) { try await add("b") }
    } else {
      _ = try await add("b")
    }
    failing.withLock { $0 = false }
    try files.remove(.init("b"))
    try files.check(stored, of: .init("a"))
    #expect(copies.count == 1)
  }

  @Test("a copy that is damaged or gone fails its entry with one line in the log, others go on")
  func damaged() async throws {
    for damage in 0..<3 {
      let app = try App(directory.path)
      app.outbox.suspend()
      let entry = try await app.attach([Upload([1, 2, 3], fileName: "oak.jpg")])
      let copy = try #require(copies.first)
      switch damage {
      case 0: try FileManager.default.removeItem(atPath: copy)
      case 1: try Data([1, 2, 4]).write(to: URL(filePath: copy))
      default: try Data([1, 2, 3, 4]).write(to: URL(filePath: copy))
      }
      let other = try await app.attach([Upload([5], fileName: "b")])
      app.outbox.resume()
      let request = try await app.server.next()
      #expect(request.key == other.id.rawValue)
      request.succeed(["attach": true])
      let error = await #expect(throws: RelayError.self) {
        try await app.outbox.outcome(of: entry.id)
      }
      #expect(error?.code == .persistence && error?.message.contains("oak.jpg") == true)
      try await app.outbox.outcome(of: other.id)
      #expect(app.outbox.entries.map(\.state) == [.failed])
      #expect(app.events.problems.count == 1)
      app.environment.reset()
      try await app.environment.wipe()
      #expect(copies.isEmpty)
    }
  }

  @Test("files without an entry are removed by the next run, those of entries are not")
  func orphans() async throws {
    let first = try App(directory.path)
    first.outbox.suspend()
    let entry = try await first.attach([Upload([1], fileName: "a")])
    await first.kill()
    let uploads = OutboxFiles(directory: directory.path + "/uploads")
    _ = try await uploads.add(
      [VariableUpload(path: ["file"], file: Upload([2], fileName: "b"))], of: .init("lost"),
      isMoving: false, limit: 10, operationName: "Attach")
    #expect(copies.count == 2)
    let second = try App(directory.path)
    try await second.outbox.loaded()
    #expect(copies.count == 1 && copies.first?.contains(entry.id.rawValue) == true)
    second.environment.reset()
    try await second.environment.wipe()
    #expect(!FileManager.default.fileExists(atPath: directory.path + "/uploads"))
  }

  @Test("a reset before a commit does not remove its files")
  func resetBefore() async throws {
    let app = try App(directory.path)
    try await app.outbox.loaded()
    app.outbox.suspend()
    let gate = DispatchSemaphore(value: 0)
    app.outbox.queue.async { gate.wait() }
    app.environment.reset()
    async let added = app.attach([Upload([1], fileName: "a")])
    gate.signal()
    let id = try await added.id
    #expect(copies == ["\(directory.path)/uploads/\(id.rawValue)/0"])
    #expect(app.outbox.entries.map(\.id) == [id])
  }

  @Test("a commit whose files a reset removes is cancelled")
  func resetDuring() async throws {
    let app = try App(directory.path)
    try await app.outbox.loaded()
    let environment = app.environment
    let stream = AsyncStream<[UInt8]>(unfolding: {
      environment.reset()
      return nil
    })
    let error = await #expect(throws: RelayError.self) {
      try await app.attach([Upload(stream: stream, fileName: "a")])
    }
    #expect(error?.code == .cancelled && copies.isEmpty && app.outbox.entries.isEmpty)
  }

  @Test("sizes that no file can have are an error of the next commit, or damage")
  func hostileSizes() throws {
    let upload = StoredUpload(
      Upload([1], fileName: "a"), paths: [["file"]], byteCount: .max, digest: "")
    #expect(StoredUpload(json: upload.json) == upload)
    let negative = StoredUpload(
      Upload([1], fileName: "a"), paths: [["file"]], byteCount: -1, digest: "")
    #expect(StoredUpload(json: negative.json) == nil && StoredUpload(json: [:]) == nil)
    let app = try App(directory.path)
    var record = OutboxRecord(
      try MutationCommit(AttachMutation(files: []), optimisticResponse: nil, rowLimit: 1), .init(),
      date: .now, after: [])
    record.uploads = [upload, upload]
    let error = #expect(throws: RelayError.self) {
      try app.outbox.work.checkSize(of: record, replacing: [])
    }
    #expect(error?.code == .request)
  }

  @Test("a file that was moved away is named")
  func missingFile() {
    let path = directory.path + "/missing"
    let error = #expect(throws: PersistenceFailure.self) {
      try FileSystem().synchronize(file: path)
    }
    #expect(error?.description.contains("\"\(path)\" cannot be opened") == true)
  }

  @Test("a cipher covers no files, so a mutation with files is an error")
  func cipher() async throws {
    struct Cipher: PersistenceCipher {
      func seal(_ bytes: [UInt8]) -> [UInt8] { bytes }
      func open(_ bytes: [UInt8]) -> [UInt8] { bytes }
    }
    let app = try App(directory.path, cipher: Cipher())
    let error = await #expect(throws: RelayError.self) {
      try await app.attach([Upload([1], fileName: "a")])
    }
    #expect(error?.code == .request && copies.isEmpty)
  }
}

/// A mutation with files.
private struct AttachMutation: GraphQLMutation {
  static let __operation = OperationPlan(
    text: "mutation Attach($files: [Upload!]!) { attach(files: $files) }",
    reader: "Attach Mutation{attach(files:$files) Boolean}",
    normalization: "Mutation{attach(files:$files) Boolean}")
  let files: [Upload]
  var __variables: Variables { ["files": files] }

  struct Data: GraphQLView {
    static let __plan = AttachMutation.__operation.reader
    let __row: Row
  }
  struct RawResponse: GraphQLView {
    static let __plan = SelectionPlan("Attach Mutation{attach(files:$files) Boolean}")
    let __row: Row
    init(__row: Row) { self.__row = __row }
  }
}
