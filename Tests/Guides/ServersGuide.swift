import RelayStore
import RelayStoreTesting
import Testing

// The Swift code of Docs/Servers.md; a test compares them.

/// Returns the configuration of a store for one request.
func requestConfiguration() -> RecordStore.Configuration {
  RecordStore.Configuration(
    releaseBufferSize: 0,
    responseLimits: ResponseLimits(bytes: 4 << 20, records: 50_000),
    readLimits: ReadLimits(rows: 50_000, paths: 1_000),
    garbageCollection: .manual)
}

/// Returns the lines of a user's feed. Each request of a user has a new store.
func page(for token: String, over api: some Transport) async throws -> [String] {
  let environment = RelayEnvironment(
    store: RecordStore(configuration: requestConfiguration()),
    transport: api.addingHeaders { ["Authorization": "Bearer \(token)"] })
  let feed = try await environment.fetch(FeedQuery(first: 10), timeout: .seconds(30))
  guard let todos = feed.data?.feed else { return ["The feed has no data."] }
  return todos.map { environment.read($0.fragments.todoRow_todo).data?.text ?? "" }
}

@Suite("The guide to servers", .timeLimit(.minutes(1)))
struct ServersGuide {
  private func response(_ text: String) -> JSONValue {
    ["feed": [["id": "1", "text": .string(text), "isComplete": false]]]
  }

  @Test("two users' requests share a transport, but neither data nor credentials")
  func requests() async throws {
    let api = MockTransport()
    async let ada = page(for: "ada", over: api)
    let one = try await api.next()
    async let eve = page(for: "eve", over: api)
    let other = try await api.next()
    #expect(one.request.headers["Authorization"] == "Bearer ada")
    #expect(other.request.headers["Authorization"] == "Bearer eve")
    #expect(other.request.responseByteLimit == 4 << 20)
    other.resolve(data: response("Eve's"))
    one.resolve(data: response("Ada's"))
    let pages = try await [ada, eve]
    #expect(pages == [["Ada's"], ["Eve's"]])
  }

  @Test("a response with more objects than the limit is an error, with code response")
  func limits() async throws {
    let api = MockTransport()
    async let lines = page(for: "ada", over: api)
    let todo: JSONValue = ["id": "1", "text": "", "isComplete": false]
    try await api.next().resolve(data: ["feed": .array(Array(repeating: todo, count: 50_001))])
    do {
      _ = try await lines
      Issue.record("The response was accepted.")
    } catch let error as RelayError {
      #expect(error.code == .response, "\(error)")
    }
  }
}
