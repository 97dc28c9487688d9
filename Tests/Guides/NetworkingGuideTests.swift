import Foundation
import RelayStore
import RelayStoreTesting
import Testing

@Suite("The code of the reference of networking", .timeLimit(.minutes(1)))
struct NetworkingGuideTests {
  @Test("an app's own transport reads responses from files, and the events of a subscription")
  func ownTransport() async throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
    defer { try? FileManager.default.removeItem(at: folder) }
    let environment = RelayEnvironment(transport: FileTransport(folder: folder))
    let error = await #expect(throws: RelayError.self) { try await environment.fetch(FeedQuery()) }
    #expect(error?.errors.map(\.message) == ["There is no such file."])
    try Data(#"{"data":{"feed":[]}}"#.utf8).write(to: folder.appending(path: "FeedQuery.json"))
    #expect(try await environment.fetch(FeedQuery()).data?.feed.isEmpty == true)

    let event = #"{"data":{"todoChanged":{"id":"1","text":"Wash","isComplete":true}}}"#
    try Data(event.utf8).write(to: folder.appending(path: "TodoChangedSubscription.json"))
    let screen = Screen()
    try await followTodos(in: environment, on: screen)
    #expect(screen.all == ["connected", "Wash"])
  }

  @Test("the transports of an app are composed")
  func transports() throws {
    let url = try #require(URL(string: "https://example.org/graphql"))
    let session = Session(over: MockTransport())
    #expect(makeEnvironment(for: url, session).liveResources.isEmpty)
    #expect(makeRedirectingTransport(for: url, key: "k", trace: "t").headers.count == 2)
  }
}
