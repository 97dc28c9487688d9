import Foundation
import RelayPersistence
import RelayStore
import RelayStoreTesting
import Testing

/// The files that a server has received.
private actor ReceivedFiles {
  private(set) var names: [String] = []

  /// - Returns: The to-do with the names of all files.
  func attach(_ files: [JSONValue]) -> JSONValue {
    names += files.map { "\($0["fileName"]?.string ?? "?") \($0["bytes"]?.array?.count ?? 0)" }
    let attachments = names.map { JSONValue.string($0) }
    return ["todo": ["id": "1", "attachments": .array(attachments)]]
  }
}

@Suite("The program of the guide to uploads", .timeLimit(.minutes(1)))
struct UploadsGuideTests {
  private let received = ReceivedFiles()
  private let directory = FileManager.default.temporaryDirectory
    .appending(path: "relay-uploads-\(UUID().uuidString)")

  private func makeServer() throws -> SchemaServer {
    try SchemaServer(
      schema: guideSchema(),
      resolvers: [
        "Mutation.setAvatar": { [received] call in
          _ = try await received.attach([call.argument("file")])
          return ["viewer": nil]
        },
        "Mutation.attach": { [received] call in
          try await received.attach(call.argument("files"))
        },
      ])
  }

  /// Creates files with one byte, two bytes and so on.
  private func makeFiles(_ names: String...) throws -> [URL] {
    try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
    return try names.enumerated().map { index, name in
      let file = directory.appending(path: name)
      try Data(repeating: 0, count: index + 1).write(to: file)
      return file
    }
  }

  @Test("bytes, files and a stream reach the server")
  func uploads() async throws {
    defer { try? FileManager.default.removeItem(at: directory) }
    let uploads = FileUploads(environment: RelayEnvironment(transport: try makeServer()))
    try await uploads.setAvatar(Data([1, 2, 3]))
    try await uploads.attach(makeFiles("a.jpeg", "b.jpeg"), to: "1")
    let (chunks, continuation) = AsyncStream<[UInt8]>.makeStream()
    continuation.yield([1, 2])
    continuation.yield([3, 4])
    continuation.finish()
    try await uploads.attach(chunks, to: "1")
    #expect(await received.names == ["me.png 3", "a.jpeg 1", "b.jpeg 2", "note.m4a 4"])
  }

  @Test("an upload reports its progress")
  func progress() async throws {
    let (server, screen) = (MockTransport(), Screen())
    let uploads = FileUploads(environment: RelayEnvironment(transport: server))
    let video = URL(filePath: "a.mp4")
    let task = Task { try await uploads.attach(video, to: "1", on: screen) }
    let request = try await server.next(AttachMutation.self)
    #expect(request.request.uploads.map(\.file.fileName) == ["a.mp4"])
    request.request.context.progress?.report(.init(sent: .init(1, of: 2)))
    request.resolve(data: ["attach": nil])
    try await task.value
    #expect(screen.all.last == "50 % sent")
  }

  @Test("a photo in the outbox is moved, and sent")
  func outbox() async throws {
    defer { try? FileManager.default.removeItem(at: directory) }
    let photo = try makeFiles("a.jpeg")[0]
    let persistence = Persistence.sqlite(
      directory: directory.appending(path: "graph"), user: "ada")
    let environment = RelayEnvironment(
      store: RecordStore(configuration: .init(persistence: persistence)),
      transport: try makeServer(), outbox: OutboxOptions(serverHonorsIdempotencyKeys: true))
    try await environment.outbox?.loaded()
    try await FileUploads(environment: environment).attachLater(photo, to: "1")
    #expect(!FileManager.default.fileExists(atPath: photo.path))
    try await environment.settle()
    #expect(await received.names == ["a.jpeg 1"])
  }
}
