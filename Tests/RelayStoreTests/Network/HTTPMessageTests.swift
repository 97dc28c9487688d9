import Foundation
import RelayStore
import Testing

@Suite("HTTP messages", .timeLimit(.minutes(1)))
struct HTTPMessageTests {
  @Test("a compressed body is decoded", arguments: ClientKind.allCases)
  func gzip(kind: ClientKind) async throws {
    // `Wire.body`, compressed with gzip.
    let bytes: [UInt8] = [
      31, 139, 8, 0, 0, 0, 0, 0, 2, 3, 171, 86, 74, 73, 44, 73, 84, 178, 170, 86, 74, 75, 77, 77,
      81,
      178, 138, 142, 173, 173, 5, 0, 163, 160, 164, 146, 20, 0, 0, 0,
    ]
    let server = try RawServer { exchange in
      #expect(exchange.request.lowercased().contains("accept-encoding:"))
      let head =
        "HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: \(bytes.count)\r\n\r\n"
      exchange.send(Array(head.utf8) + bytes)
      return true
    }
    defer { server.stop() }
    #expect(try await kind.transport(server).execute(.query).body == Array(Wire.body.utf8))
  }

  @Test(
    "trailer fields are not part of the response, whatever they look like",
    arguments: [
      "HTTP/1.1 500: y\r\n", "HTTP/1.1 200: OK\r\nX-A: c\r\n", "X-A: c\r\nX-B: d\r\n",
      "X-B: c\r\n\tHTTP/1.1 500\r\n",
    ])
  func trailers(trailer: String) async throws {
    for (status, body) in [("200 OK", Wire.body), ("200 OK", ""), ("400 No", "{}")] {
      let server = try RawServer { exchange in
        let length = String(body.utf8.count, radix: 16)
        let chunk = body.isEmpty ? "" : "\(length)\r\n\(body)\r\n"
        exchange.send(
          "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early Hints\r\nX-A: early\r\n\r\n")
        exchange.send("HTTP/1.1 \(status)\r\nContent-Type: application/graphql-response+json\r\n")
        exchange.send(
          "Transfer-Encoding: chunked\r\nX-A: b\r\n\r\n\(chunk)0\r\n\(trailer)\r\n")
        return true
      }
      defer { server.stop() }
      let response = try await ClientKind.standard.transport(server).execute(.query)
      #expect(response.body == Array(body.utf8))
      #expect(response.status == Int(status.prefix(3)) && response.headers["x-a"] == "b")
      #expect(response.headers["x-b"] == nil)
    }
  }

  @Test(
    "a connection that ends after an interim response is lost",
    arguments: ["100 Continue", "103 Early Hints"])
  func interimOnly(status: String) async throws {
    let server = try RawServer { exchange in
      exchange.send("HTTP/1.1 \(status)\r\nX-A: early\r\n\r\n")
      return false
    }
    defer { server.stop() }
    let error = await #expect(throws: RelayError.self) {
      try await ClientKind.standard.transport(server).execute(.query)
    }
    #expect((error?.underlying as? URLError)?.code == .networkConnectionLost)
  }

  @Test("a byte order mark before a response is skipped", arguments: ClientKind.allCases)
  func byteOrderMark(kind: ClientKind) async throws {
    let body = #"{"data":{"me":{"id":"1"}},"errors":[{"message":"m"}],"extensions":{"cost":3}}"#
    let server = try RawServer { exchange in
      exchange.send(Wire.response([], "\u{FEFF}" + body))
      return true
    }
    defer { server.stop() }
    let response = try await kind.transport(server).execute(.query)
    #expect(response.errors.map(\.message) == ["m"] && response.extensions == ["cost": 3])
    let query = TestSelection("{ me { id } }")
    let test = TestStore()
    try test.write(query.normalization, body: response.body)
    #expect(test.read(query).row?.json == ["me": ["id": "1"]])
  }

  @Test("header field names are in lower case, and repeated fields are joined")
  func fields() async throws {
    let server = try RawServer { exchange in
      exchange.send(
        Wire.response(
          [
            "X-Twice: a", "x-other:b:c ", "X-TWICE:  d", "X-Empty:", "X-Folded: e",
            "\tf",
            "X-Ü: ü", ": nameless",
          ], Wire.body))
      return true
    }
    defer { server.stop() }
    let headers = try await ClientKind.standard.transport(server).execute(.query).headers
    #expect(headers["x-twice"] == "a, d" && headers["x-other"] == "b:c")
    #expect(headers["x-empty"] == "" && headers["x-folded"] == "e f")
  }

  /// Header fields that cannot be sent, and the error's message about each.
  static let invalidFields = [
    ("X-Token", "secret\n", "\"X-Token\" contains a line break"),
    ("X-Token", "secret\r\nX-Injected: b", "\"X-Token\" contains a line break"),
    ("X-Token", "secret\r", "\"X-Token\" contains a line break"),
    ("X-Token", "\u{0}secret", "\"X-Token\" contains a null character"),
    ("X-Token", "secret\u{7F}", "\"X-Token\" contains a control character"),
    ("X-Token: secret\r\nX", "b", "cannot be the name of a header field"),
    ("", "secret", "\"\" cannot be the name of a header field"),
  ]

  @Test(
    "a header field that cannot be sent is an error that names it, and nothing is sent",
    arguments: ClientKind.allCases, invalidFields)
  func unsendable(kind: ClientKind, field: (name: String, value: String, message: String))
    async throws
  {
    let server = try RawServer { _ in false }
    defer { server.stop() }
    let fields = [field.name: field.value]
    let transport = kind.transport(server, headers: fields)
    var request = GraphQLRequest.query
    request.headers = fields
    var failures = [await Wire.failure(transport)]
    failures.append(
      await #expect(throws: RelayError.self) { try await kind.transport(server).execute(request) })
    failures.append(
      await #expect(throws: RelayError.self) {
        try await transport.stream(.subscription) { _ in }
      })
    for failure in failures {
      #expect(failure?.code == .request && failure?.isRetryable == false)
      #expect(failure?.operationName != nil)
      #expect(failure?.message.contains(field.message) == true, "\(failure?.message ?? "")")
      if field.value != "b" { #expect(failure?.message.contains("secret") == false) }
    }
    #expect(server.connections == 0)
  }

  @Test("header fields of a request reach the server")
  func requestFields() async throws {
    let server = try RawServer { exchange in
      exchange.send(Wire.response([], exchange.request))
      return true
    }
    defer { server.stop() }
    let transport = ClientKind.standard.transport(
      server, headers: ["X-Empty": "", "X-Tab": "a\tb", "user-agent": "Tests"])
    var body = try await transport.execute(.query).body
    var seen = String(decoding: body, as: UTF8.self).components(separatedBy: "\r\n")
    #expect(seen.contains("X-Empty:") && seen.contains("X-Tab: a\tb"))
    #expect(seen.filter { $0.lowercased().hasPrefix("user-agent:") } == ["User-Agent: Tests"])
    #expect(!seen.contains { $0.hasPrefix("Expect") || $0.hasPrefix("Cookie") })

    body = try await ClientKind.standard.transport(server).execute(.query).body
    seen = String(decoding: body, as: UTF8.self).components(separatedBy: "\r\n")
    #expect(seen.contains { $0.hasPrefix("User-Agent: ") })
  }

  @Test("a long request body arrives completely", arguments: ClientKind.allCases)
  func longBody(kind: ClientKind) async throws {
    let server = try RawServer { exchange in
      // A client that sends `Expect` would wait for a server that does not support it.
      #expect(!exchange.request.contains("Expect:"))
      exchange.send(Wire.response([], "\(exchange.request.utf8.filter { $0 == 0x40 }.count)"))
      return true
    }
    defer { server.stop() }
    var request = GraphQLRequest.query
    request.variables = ["text": .string(String(repeating: "@", count: 3_000_000))]
    let response = try await kind.transport(server).execute(request)
    #expect(String(decoding: response.body, as: UTF8.self) == "3000000")
  }
}
