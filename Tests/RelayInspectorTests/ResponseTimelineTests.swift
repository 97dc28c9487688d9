import Foundation
import RelayStoreTesting
import Testing

@testable import RelayRecording
@testable import RelayStore

@Suite("Documents and responses are recorded", .timeLimit(.minutes(1)))
struct ResponseTimelineTests {
  /// Fetches the feed with a response.
  private func fetch(_ recorded: RecordedStore, _ response: GraphQLResponse) async throws {
    async let fetched = recorded.environment.fetch(FeedQuery())
    try await recorded.server.next().resolve(response)
    _ = try await fetched
  }

  @Test("the end of a request has the response, and the timeline the document")
  func response() async throws {
    let recorded = RecordedStore()
    try await fetch(recorded, GraphQLResponse(json: ["data": FeedQuery.data(("1", "a"))]))
    let timeline = recorded.environment.timeline(redactingValues: false)
    #expect(timeline.documents == ["FeedQuery": FeedQuery.__operation.text])
    #expect(recorded.requests.map { $0.response == nil } == [true, false])
    let response = try #require(recorded.requests.last?.response)
    #expect(response.text == #"{"data":{"feed":[{"id":"1","text":"a"}]}}"#)
    #expect(response.recordedBytes == response.bytes && response.bytes == 41)
    let redacted = recorded.environment.timeline()
    #expect(redacted.documents == timeline.documents)
    let json = String(decoding: try JSONEncoder().encode(redacted), as: UTF8.self)
    #expect(json.contains("FeedQuery") && !json.contains(#"\"a\""#))
  }

  @Test("a response that is not GraphQL is recorded")
  func notGraphQL() async throws {
    let recorded = RecordedStore()
    let fetch = Task { try await recorded.environment.fetch(FeedQuery()) }
    try await recorded.server.next().resolve(GraphQLResponse(body: Array("<html>no".utf8)))
    await #expect(throws: RelayError.self) { try await fetch.value }
    #expect(recorded.requests.last?.response?.text == "<html>no")
  }

  @Test("each event of a subscription has its own response, and the end has none")
  func subscription() async throws {
    let recorded = RecordedStore()
    var events = recorded.environment.subscribe(to: TodoSubscription()).makeAsyncIterator()
    let request = try await recorded.server.next()
    for text in ["a", "b"] {
      request.send(data: ["todo": ["id": "1", "text": .string(text)]])
      _ = try await events.next()
    }
    request.finish()
    _ = try await events.next()
    let texts = recorded.requests.map { $0.response?.text.contains(#""text":"b""#) }
    #expect(texts == [nil, false, true, nil])
  }

  @Test("a long response is cut between characters, and the number of its bytes is known")
  func cut() async throws {
    let recorded = RecordedStore(.init(responseByteLimit: 40))
    // The limit is inside the last "é".
    let response = GraphQLResponse(json: ["data": FeedQuery.data(("1", "aéééé"))])
    try await fetch(recorded, response)
    let cut = try #require(recorded.requests.last?.response)
    #expect(cut.text == #"{"data":{"feed":[{"id":"1","text":"aé"#)
    #expect(cut.bytes == response.body.count && cut.recordedBytes == cut.text.utf8.count)
    let none = RecordedStore(.init(responseByteLimit: -1))
    try await fetch(none, response)
    #expect(none.requests.last?.response?.text == "")
  }

  @Test("responses count towards the limit of bytes")
  func byteLimit() async throws {
    let recorded = RecordedStore(.init(byteLimit: 100_000))
    let recorder = try #require(recorded.environment.store.recorder)
    let text = String(repeating: "x", count: 20_000)
    for number in 0..<10 {
      let data = FeedQuery.data(("1", text + "\(number)"))
      try await fetch(recorded, GraphQLResponse(json: ["data": data]))
      #expect(recorder.byteCount <= 100_000)
    }
    let responses = recorded.requests.compactMap(\.response)
    #expect((1...4).contains(responses.count) && responses.last?.text.contains("x9") == true)
  }

  @Test("an error has its path and its extensions; redacted, only its path")
  func errors() async throws {
    let recorded = RecordedStore()
    try await fetch(
      recorded,
      GraphQLResponse(json: [
        "data": ["feed": nil],
        "errors": [
          ["message": "no", "path": ["feed", 0, "text"], "extensions": ["code": "FORBIDDEN"]]
        ],
      ]))
    let errors = try #require(recorded.requests.last?.responseErrors)
    #expect(errors.map(\.path.description) == ["feed[0].text"])
    #expect(errors.map(\.message) == ["no"])
    #expect(errors.map(\.extensions) == [#"{"code":"FORBIDDEN"}"#])
    guard case .request(let redacted)? = recorded.environment.timeline().events.last?.content
    else { return #expect(Bool(false), "The last event is not that of the request.") }
    let path = ResponsePath([.field("feed"), .index(0), .field("text")])
    #expect(redacted.responseErrors == [.init(message: nil, path: path, extensions: nil)])
    #expect(redacted.response == nil)
  }

  @Test("without a timeline no response is retained, also with telemetry")
  func telemetryOnly() async throws {
    let recorded = RecordedStore(nil, telemetry: Telemetry { _ in })
    try await fetch(recorded, GraphQLResponse(json: ["data": FeedQuery.data(("1", "a"))]))
    #expect(recorded.requests.isEmpty)
  }

  // MARK: Redacted names

  @Test("the values of listed names are nowhere in the timeline, and other values are")
  func names() async throws {
    let recorded = RecordedStore()
    let environment = recorded.environment
    let retention = environment.retain(TodoQuery(id: "secret-id"))
    async let committed = environment.commit(SetTextMutation(id: "1", text: "secret-variable"))
    try await recorded.server.next().resolve(
      GraphQLResponse(json: [
        "data": ["setText": ["id": "1", "text": "secret-response"]],
        "errors": [["message": "no", "extensions": ["text": ["secret-extension"], "code": "C"]]],
      ]))
    _ = try await committed
    let observation = environment.observe(todo("1")) { _ in }
    try recorded.set("1", "text", "secret-text")
    try recorded.set("1", "note", "shown-note")
    try environment.commitUpdate { store in
      let made = try store.create(DataID(#"client:1:list(text:"secret-argument")"#), type: "T")
      try made.setValue("shown-value", for: #"f(first:10)"#)
      try made.setValue(["text": "secret-member", "b": "shown-member"], for: "json")
      try made.setValue("x", for: #"g(in:{"text":"secret-nested"})"#)
      try made.setValue("x", for: #"h(in:{"api-key":"secret-key"})"#)
    }
    let timeline = environment.timeline(redacting: .names(["text", "id", "api-key"]))
    let json = String(decoding: try JSONEncoder().encode(timeline), as: UTF8.self)
    #expect(!json.contains("secret"), "\(json.firstRange(of: "secret") as Any)")
    for word in ["shown-note", "shown-value", "shown-member", "f(first:10)", "redacted"] {
      #expect(json.contains(word), "\(word) is missing.")
    }
    #expect(!timeline.isRedacted)
    retention.release()
    observation.cancel()
  }

  @Test("a response that is cut anywhere has no redacted value")
  func cutAnywhere() {
    let json =
      #"{"a":[1,{"p\u0061ss":{"x":["secret"]},"b":[]},"c"],"pass":"secret","pass":null,"d":{}}"#
    let bytes = Array(json.utf8)
    let whole = #"{"a":[1,{"pass":"redacted","b":[]},"c"],"pass":"redacted","pass":null,"d":{}}"#
    #expect(JSONRedaction.copy(of: bytes, without: ["pass"]) == whole)
    for count in bytes.indices {
      let copy = JSONRedaction.copy(of: Array(bytes[..<count]), without: ["pass"])
      #expect(whole.hasPrefix(copy), "cut after \(count) bytes: \(copy)")
    }
    #expect(JSONRedaction.copy(of: Array("<p>secret".utf8), without: ["pass"]) == "")
    let deep = [UInt8](repeating: UInt8(ascii: "["), count: 100_000)
    #expect(JSONRedaction.copy(of: deep, without: ["pass"]).utf8.count == 100_000)
  }
}
