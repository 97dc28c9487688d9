import Foundation
import RelayPersistence
import RelayStore
import RelayStoreTesting
import Testing

@Suite("The code of the guide to several processes", .timeLimit(.minutes(1)))
struct ProcessesGuideTests {
  private let directory = FileManager.default.temporaryDirectory
    .appending(path: "relay-guide-\(UUID().uuidString)")

  /// An edge of the list of observations.
  private func edge(_ id: String, _ text: String) -> JSONValue {
    let node: JSONValue = [
      "__typename": "Observation", "id": .string(id), "text": .string(text), "isStarred": false,
      "photo": nil,
    ]
    return ["cursor": .string(id), "node": node]
  }

  @Test("a widget shows what the app has exported, and what it stars is sent by the app")
  func widget() async throws {
    defer { try? FileManager.default.removeItem(at: directory) }
    let files = SharedFiles(group: directory.appending(path: "group"), user: "ada")
    let server = MockTransport()
    let app = makeAppEnvironment(files, in: directory.appending(path: "app"), over: server)
    await app.store.loaded()
    let observations: JSONValue = [
      "edges": [edge("1", "Oak"), edge("2", "Elm")],
      "pageInfo": [
        "endCursor": "2", "hasNextPage": false, "hasPreviousPage": false, "startCursor": "1",
      ],
    ]
    try app.commitPayload(ObservationsQuery(), data: ["observations": observations])
    let (exports, continuation) = AsyncStream<Void>.makeStream()
    let exporter = exportObservations(of: app, to: files) { continuation.yield() }
    for await _ in exports { break }
    #expect(try widgetLines(files) == ["Oak", "Elm"])

    try starInExtension("1", files)
    try await appDidBecomeActive(app)
    let request = try await server.next()
    #expect(request.request.operationName == "StarObservationMutation")
    #expect(app.outbox?.entries.map(\.label) == ["A star"])
    try await exporter.export()
    #expect(try widgetLines(files) == ["Oak ★", "Elm"])
    request.resolve(
      data: ["starObservation": ["observation": ["id": "1", "isStarred": true]]])
    if let outbox = app.outbox {
      for await entries in outbox.observe() where entries.isEmpty { break }
    }
    exporter.cancel()
    try await app.wipe()
    try await app.removeSnapshot(at: files.snapshot)
    #expect(throws: RelayError.self) { try widgetLines(files) }
  }

  @Test("what is starred before the first export is in the inbox")
  func noSnapshot() throws {
    defer { try? FileManager.default.removeItem(at: directory) }
    try starInExtension("1", SharedFiles(group: directory, user: "ada"))
    let inbox = directory.appending(path: "inbox").path
    #expect(try FileManager.default.contentsOfDirectory(atPath: inbox).count == 1)
  }
}
