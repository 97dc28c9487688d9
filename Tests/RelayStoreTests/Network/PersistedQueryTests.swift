import RelayNetwork
import RelayStore
import Testing

@Suite("Persisted queries", .timeLimit(.minutes(1)))
struct PersistedQueryTests {
  private static func errorResponse(_ message: String) -> GraphQLResponse {
    GraphQLResponse(json: ["errors": [["message": .string(message)]]])
  }

  @Test("the hash is sent first, and the document once, after a miss")
  func miss() async throws {
    let known = Locked<Set<String>>([])
    let server = StubTransport { request, _ in
      let hash = request.extensions["persistedQuery"]?["sha256Hash"]?.string ?? ""
      let isKnown = known.withLock { known in
        if request.includesText { known.insert(hash) }
        return known.contains(hash)
      }
      return isKnown ? .empty : Self.errorResponse("PersistedQueryNotFound")
    }
    let transport = server.persistingQueries()
    for _ in 0..<2 { _ = try await transport.execute(.query) }
    #expect(server.requests.map(\.includesText) == [false, true, false])
    let hash = SHA256.hexadecimal(Array(GraphQLRequest.query.text.utf8))
    #expect(
      server.requests.allSatisfy {
        $0.extensions["persistedQuery"] == ["version": 1, "sha256Hash": .string(hash)]
      })
    let bodies = server.requests.map { String(decoding: $0.httpBody, as: UTF8.self) }
    #expect(
      bodies[0]
        == #"{"operationName":"FeedQuery","variables":{"first":10},"extensions":{"persistedQuery":{"version":1,"sha256Hash":"\#(hash)"}}}"#
    )
    #expect(bodies[1].hasPrefix(#"{"query":"query FeedQuery { feed }","#))
  }

  @Test("after a server reports no support for persisted queries, documents are sent")
  func unsupported() async throws {
    let server = StubTransport { request, _ in
      request.includesText ? .empty : Self.errorResponse("PersistedQueryNotSupported")
    }
    let transport = server.persistingQueries()
    for _ in 0..<2 { _ = try await transport.execute(.query) }
    #expect(server.requests.map(\.includesText) == [false, true, true])
    #expect(server.requests.last?.extensions.isEmpty == true)
  }

  @Test("a miss is recognized under any HTTP status")
  func missWithStatus() async throws {
    for message in ["PersistedQueryNotFound", "PersistedQueryNotSupported"] {
      let server = StubTransport { request, _ in
        if request.includesText { return .empty }
        throw RelayError.status(400, of: Self.errorResponse(message))
      }
      #expect(try await server.persistingQueries().execute(.query).status == nil)
      #expect(server.requests.map(\.includesText) == [false, true])
    }
  }

  @Test("other errors are returned, and mutations and uploads keep their documents")
  func others() async throws {
    let server = StubTransport { _, _ in Self.errorResponse("no") }
    let transport = server.persistingQueries(includesMutations: false)
    _ = try await transport.execute(.query)
    _ = try await transport.execute(.mutation)
    var upload = GraphQLRequest.query
    upload.uploads = [VariableUpload(path: ["file"], file: Upload([1], fileName: "a"))]
    _ = try await transport.execute(upload)
    #expect(server.requests.map(\.includesText) == [false, true, true])
  }

  @Test(
    "SHA-256 reproduces the examples of the standard",
    arguments: [
      ("", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
      ("abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
      (
        "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
        "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"
      ),
      (
        String(repeating: "a", count: 1000),
        "41edece42d63e8d9bf515a9ba6932e1c20cbc9f5a5d134645adb5db1b9737ea3"
      ),
    ])
  func hash(_ text: String, _ expected: String) {
    #expect(SHA256.hexadecimal(Array(text.utf8)) == expected)
  }
}
