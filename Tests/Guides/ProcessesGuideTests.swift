import Foundation
import RelayPersistence
import RelayStore
import RelayStoreTesting
import Testing

@Suite("The code of the guide to several processes", .timeLimit(.minutes(1)))
struct ProcessesGuideTests {
  @Test("a widget shows what the app has exported, and what it completes is sent by the app")
  func widget() async throws {
    let directory = FileManager.default.temporaryDirectory
      .appending(path: "relay-guide-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: directory) }
    let files = SharedFiles(group: directory.appending(path: "group"), user: "ada")
    let server = MockTransport()
    let app = makeAppEnvironment(files, in: directory.appending(path: "app"), over: server)
    await app.store.loaded()
    try app.commitPayload(
      FeedQuery(first: 10),
      data: [
        "feed": [
          ["id": "1", "text": "Wash", "isComplete": false],
          ["id": "2", "text": "Dry", "isComplete": false],
        ]
      ])
    let (exports, continuation) = AsyncStream<Void>.makeStream()
    let exporter = exportFeed(of: app, to: files) { continuation.yield() }
    for await _ in exports { break }
    #expect(try widgetLines(files) == ["Wash", "Dry"])

    try await completeInExtension("1", files)
    try await appDidBecomeActive(app)
    let request = try await server.next()
    #expect(request.request.operationName == "SetCompleteMutation")
    try await exporter.export()
    #expect(try widgetLines(files) == ["Dry"])
    request.resolve(
      data: ["setComplete": ["todo": ["id": "1", "isComplete": true]]])
    if let outbox = app.outbox {
      for await entries in outbox.observe() where entries.isEmpty { break }
    }
    exporter.cancel()
    try await signOut(of: app, files)
    #expect(throws: RelayError.self) { try widgetLines(files) }
  }

  @Test("what is completed before the first export is in the inbox")
  func noSnapshot() async throws {
    let directory = FileManager.default.temporaryDirectory
      .appending(path: "relay-guide-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: directory) }
    try await completeInExtension("1", SharedFiles(group: directory, user: "ada"))
    let inbox = directory.appending(path: "inbox").path
    #expect(try FileManager.default.contentsOfDirectory(atPath: inbox).count == 1)
  }
}
