import Foundation
import Testing

@testable import RelayNetwork
@testable import RelayStore

@Suite("GraphQL over HTTP", .timeLimit(.minutes(1)))
struct HTTPTransportTests {
  private let transport: HTTPTransport

  init() throws {
    let url = try #require(URL(string: "https://example.org/graphql?key=1"))
    transport = HTTPTransport(url: url, headers: ["X-App": "a", "X-Both": "transport"])
  }

  private func body(_ request: HTTPRequest) -> String {
    String(decoding: request.body ?? [], as: UTF8.self)
  }

  @Test("an operation is a POST with JSON, and its own header fields take precedence")
  func post() {
    var request = GraphQLRequest.query
    request.headers = ["X-Both": "request"]
    let http = transport.httpRequest(for: request)
    #expect(http.method == "POST" && http.url == transport.url)
    #expect(http.headers["X-Both"] == "request")
    #expect(http.headers["X-App"] == "a")
    #expect(http.headers["Content-Type"] == "application/json")
    #expect(
      body(http)
        == #"{"query":"query FeedQuery { feed }","operationName":"FeedQuery","variables":{"first":10}}"#
    )
  }

  @Test("a query sent by its hash is a GET if the transport allows it, all others are not")
  func get() throws {
    var transport = transport
    var request = GraphQLRequest.query
    request.includesText = false
    request.variables = ["q": "a+b&c=d é\""]
    request.extensions = ["persistedQuery": ["version": 1]]
    #expect(transport.httpRequest(for: request).method == "POST")
    transport.usesGETForPersistedQueries = true
    let http = transport.httpRequest(for: request)
    #expect(http.method == "GET" && http.body == nil)
    #expect(http.headers["Content-Type"] == nil)
    #expect(
      http.url.absoluteString
        == "https://example.org/graphql?key=1&operationName=FeedQuery&variables=%7B%22q%22%3A%22a%2Bb%26c%3Dd%20%C3%A9%5C%22%22%7D&extensions=%7B%22persistedQuery%22%3A%7B%22version%22%3A1%7D%7D"
    )
    request.kind = .mutation
    #expect(transport.httpRequest(for: request).method == "POST")
    #expect(transport.httpRequest(for: .query).method == "POST")
  }

  @Test("files are separate parts, and null represents them in the variables")
  func uploads() throws {
    let variables: Variables = [
      "title": "t", "cover": GraphQLNullable.some(Upload([0xFF], fileName: "a\"\r\nb.png")),
      "files": [Upload(Array("text".utf8), fileName: "ü.txt", contentType: "text/plain")],
    ]
    var request = GraphQLRequest(
      operationName: "Add", kind: .mutation, text: "mutation Add", variables: variables.json)
    request.uploads = variables.uploads
    #expect(MultipartBody.contentType(boundary: "B") == "multipart/form-data; boundary=B")
    let multipart = try MultipartBody.encode(request, boundary: "B")
    let bytes = try #require(multipart.bytes)
    #expect(multipart.length == bytes.count)
    let text = String(decoding: bytes, as: UTF8.self)
    #expect(
      text
        == """
        --B
        Content-Disposition: form-data; name="operations"
        Content-Type: application/json

        {"query":"mutation Add","operationName":"Add","variables":{"title":"t","cover":null,"files":[null]}}
        --B
        Content-Disposition: form-data; name="map"
        Content-Type: application/json

        {"0":["variables.cover"],"1":["variables.files.0"]}
        --B
        Content-Disposition: form-data; name="0"; filename="a%22%0D%0Ab.png"
        Content-Type: application/octet-stream

        \u{FFFD}
        --B
        Content-Disposition: form-data; name="1"; filename="ü.txt"
        Content-Type: text/plain

        text
        --B--

        """.replacingOccurrences(of: "\n", with: "\r\n"))
    let http = transport.httpRequest(for: request, boundary: MultipartBody.makeBoundary())
    #expect(http.method == "POST" && http.body == nil)
    #expect(
      http.headers["Content-Type"]?
        .hasPrefix("multipart/form-data; boundary=RelayStore-") == true)
    #expect(MultipartBody.makeBoundary() != MultipartBody.makeBoundary())
  }

  @Test("operations with different files are different operations")
  func uploadIdentity() {
    let one: Variables = ["file": Upload([1], fileName: "a")]
    let other: Variables = ["file": Upload([2], fileName: "a")]
    #expect(one != other && one.json == other.json)
    #expect(throws: (any Error).self) { try Upload(json: "x") }
  }

  @Test(
    "the error for a status has whether the request is retryable, and after which delay",
    arguments: [(500, true), (503, true), (429, true), (400, false), (401, false), (404, false)])
  func retryable(_ status: Int, _ isRetryable: Bool) {
    var response = GraphQLResponse(body: Array("Bad gateway".utf8))
    response.status = status
    response.headers["retry-after"] = "7"
    let failure = RelayError(rejectedBy: response, operationName: "FeedQuery")
    #expect(failure.isRetryable == isRetryable && failure.status == status)
    #expect(failure.retryAfter == .seconds(7) && failure.excerpt == "Bad gateway")
    #expect(RelayError.status(503, retryAfter: "Wed, 21 Oct 2026 07:28:00 GMT").retryAfter == nil)
  }

  @Test(
    "an excerpt contains words and no values",
    arguments: [
      (
        "<html><head><title>502 Bad Gateway</title></head>\n<body>nginx</body></html>",
        "502 Bad Gateway nginx"
      ),
      ("Token eyJhbGciOiJIUzI1NiJ9 of ada@example.org expired.", "Token … of … expired."),
      (#"{"message": "for Ada Lovelace", "card": 4111111111111111}"#, "…"),
      ("call 555 12345 or\t(see below)", "call 555 … or (see below)"),
      ("pin 123, (999) 1234", "pin 123, (999) …"),
      ("", ""), (String(repeating: "word ", count: 100), String(repeating: "word ", count: 40)),
    ])
  func excerpt(_ body: String, _ expected: String) {
    let excerpt = Excerpt.redacted(Array(body.utf8))
    #expect(excerpt == expected.trimmingCharacters(in: .whitespaces))
    #expect(excerpt.utf8.count <= 200)
  }

  @Test("a response's errors and extensions are read without its data")
  func envelope() {
    let response = GraphQLResponse(
      body: Array(
        #"{"data":{"errors":[1]},"errors":[{"message":"m"}],"extensions":{"cost":3}}"#.utf8))
    #expect(response.errors.map(\.message) == ["m"] && response.extensions == ["cost": 3])
    let broken = GraphQLResponse(body: Array(#"{"data":{"#.utf8))
    #expect(broken.errors.isEmpty && broken.extensions.isEmpty)
  }

  @Test("logging() writes a line for each request and for each problem to standard error")
  func standardError() async {
    let result = await #expect(
      processExitsWith: .success, observing: [\.standardErrorContent, \.standardOutputContent]
    ) {
      let server = StubTransport { _, count in
        if count > 0 { throw RelayError.status(503) }
        return GraphQLResponse(json: ["data": ["todos": []]])
      }
      let environment = RelayEnvironment(
        store: RecordStore(configuration: RecordStore.Configuration().logging()),
        transport: server.logging())
      try await environment.fetch(TodoListQuery())
      _ = try? await environment.fetch(TodoListQuery())
      try? environment.commitUpdate { _ in throw CancellationError() }
    }
    func lines(_ bytes: [UInt8]?) -> [String] {
      String(decoding: bytes ?? [], as: UTF8.self).split(separator: "\n").map(String.init)
        .filter { $0.contains("RelayStore: ") }
    }
    let log = lines(result?.standardErrorContent)
    #expect(log.count == 3, "\(log)")
    #expect(log.first?.hasPrefix("RelayStore: query TodoListQuery: 21 bytes in ") == true)
    #expect(log.dropFirst().first?.contains(": 503, failed (transport) in ") == true)
    #expect(
      log.last
        == "RelayStore: an updater threw CancellationError; its writes were rolled back")
    let output = lines(result?.standardOutputContent)
    #expect(output.isEmpty)
  }

  @Test("a request that has failed is a problem, and a cancelled one is not")
  func problems() {
    var log = RequestLog(operationName: "A", kind: .query, duration: .seconds(1))
    #expect(!log.isProblem)
    log.failure = .cancelled
    #expect(!log.isProblem)
    log.failure = .transport
    #expect(log.isProblem)
  }

  @Test("a log entry has the name, the duration and the size, for failures, too")
  func log() async throws {
    let logs = Locked<[String]>([])
    let server = StubTransport { _, count in
      switch count {
      case 0: return .empty
      case 1: throw RelayError.status(503)
      default: throw CancellationError()
      }
    }
    let transport = server.addingHeaders { ["A": "b"] }
      .logging { log in
        var log = log
        log.duration = .seconds(2)
        logs.withLock { $0.append("\(log)") }
      }
    _ = try await transport.execute(.query)
    _ = try? await transport.execute(.query)
    _ = try? await transport.execute(.mutation)
    #expect(
      logs.withLock { $0 } == [
        "query FeedQuery: 11 bytes in 2.0 seconds",
        "query FeedQuery: 503, failed (transport) in 2.0 seconds",
        "mutation LikeMutation: cancelled in 2.0 seconds",
      ])
    #expect(server.requests.allSatisfy { $0.headers == ["A": "b"] })
  }
}
