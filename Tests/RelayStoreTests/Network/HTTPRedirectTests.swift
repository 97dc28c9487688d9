import Foundation
import Testing

@testable import RelayNetwork
@testable import RelayStore
@testable import RelayURLSession

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

@Suite("HTTP redirects", .timeLimit(.minutes(1)))
struct HTTPRedirectTests {
  /// Returns a server that responds with the request itself.
  private static func echo() throws -> RawServer {
    try RawServer { exchange in
      exchange.send(Wire.response([], exchange.request))
      return true
    }
  }

  /// Returns a server that redirects every path except `/there`. That path returns the request
  /// itself.
  private static func server(_ status: Int, _ location: String) throws -> RawServer {
    try RawServer { exchange in
      let isTarget = exchange.request.prefix { $0 != "\r" }.contains("/there")
      exchange.send(
        isTarget
          ? Wire.response([], exchange.request)
          : Wire.response(["Location: \(location)"], "no JSON", status: "\(status) Moved"))
      return true
    }
  }

  private static let headers = ["X-Api-Key": "secret", "Authorization": "secret", "X-Trace": "1"]

  @Test(
    "a redirect to the same origin repeats the request unchanged", arguments: ClientKind.allCases,
    [307, 308]
  )
  func sameOrigin(kind: ClientKind, status: Int) async throws {
    for location in ["/there?a=b#c", "there", "//HOST/there", "HTTP://user:secret@HOST/there"] {
      let host = Locked("")
      let server = try RawServer { exchange in
        let place = location.replacingOccurrences(of: "HOST", with: host.withLock { $0 })
        let isTarget = exchange.request.hasPrefix("POST /there")
        exchange.send(
          isTarget
            ? Wire.response([], exchange.request)
            : Wire.response(["Location: \(place)"], "", status: "\(status) Moved"))
        return true
      }
      defer { server.stop() }
      host.withLock { $0 = "127.0.0.1:\(server.url.port ?? 0)" }
      let transport = kind.transport(server, headers: Self.headers)
      let body = try await transport.execute(.query).body
      let seen = String(decoding: body, as: UTF8.self)
      #expect(seen.hasPrefix(location.contains("?") ? "POST /there?a=b HTTP" : "POST /there HTTP"))
      #expect(seen.contains("X-Api-Key: secret") && seen.contains("Authorization: secret"))
      #expect(seen.hasSuffix(String(decoding: GraphQLRequest.query.httpBody, as: UTF8.self)))
    }
  }

  @Test(
    "a GET follows redirects of every status", arguments: ClientKind.allCases,
    [301, 302, 303, 307, 308]
  )
  func get(kind: ClientKind, status: Int) async throws {
    let server = try Self.server(status, "/there")
    defer { server.stop() }
    var transport = kind.transport(server, headers: Self.headers)
    transport.usesGETForPersistedQueries = true
    var request = GraphQLRequest.query
    request.includesText = false
    let seen = String(decoding: try await transport.execute(request).body, as: UTF8.self)
    #expect(seen.hasPrefix("GET /there") && seen.contains("X-Api-Key: secret"))
  }

  @Test(
    "a redirect that would turn a POST into a GET is an error that names the target",
    arguments: ClientKind.allCases, [301, 302, 303])
  func post(kind: ClientKind, status: Int) async throws {
    let server = try Self.server(status, "/there?token=secret#a")
    defer { server.stop() }
    for policy in [HTTPTransport.Redirects.sameOrigin, .anyOrigin(keeping: [])] {
      var transport = kind.transport(server)
      transport.redirects = policy
      let failure = await Wire.failure(transport)
      let target = "\"http://127.0.0.1:\(server.url.port ?? 0)/there\""
      #expect(failure?.message.contains(target) == true, "\(failure?.message ?? "")")
      #expect(failure?.message.contains("secret") == false)
      #expect(failure?.code == .transport && failure?.status == status)
      #expect(failure?.isRetryable == false && failure?.operationName == "FeedQuery")
    }
  }

  @Test(
    "a redirect to another origin is not followed, and the error names it",
    arguments: ClientKind.allCases,
    [307, 308])
  func otherOrigin(kind: ClientKind, status: Int) async throws {
    let other = try Self.echo()
    defer { other.stop() }
    let port = other.url.port ?? 0
    for location in ["\(other.url)", "//user:secret@127.0.0.1:\(port)/?token=secret"] {
      let server = try Self.server(status, location)
      defer { server.stop() }
      let failure = await Wire.failure(kind.transport(server, headers: Self.headers))
      #expect(failure?.message.contains("\"http://127.0.0.1:\(port)/") == true)
      #expect(failure?.message.contains("secret") == false && failure?.isRetryable == false)
      #expect(failure?.code == .transport && failure?.status == status)
    }
    #expect(other.connections == 0)
  }

  @Test(
    "an allowed redirect to another origin keeps only the named header fields",
    arguments: ClientKind.allCases)
  func followed(kind: ClientKind) async throws {
    let other = try Self.echo()
    defer { other.stop() }
    let server = try Self.server(307, "\(other.url)")
    defer { server.stop() }
    var transport = kind.transport(server, headers: Self.headers)
    transport.redirects = .anyOrigin(keeping: ["x-TRACE"])
    let seen = String(decoding: try await transport.execute(.query).body, as: UTF8.self)
    #expect(seen.hasPrefix("POST /graphql") && seen.contains("X-Trace: 1"))
    #expect(!seen.contains("secret") && seen.contains("Content-Type: application/json"))
    #expect(seen.hasSuffix(String(decoding: GraphQLRequest.query.httpBody, as: UTF8.self)))
  }

  @Test("a redirect to http is never followed, and one to https leads to another origin")
  func downgrade() throws {
    let response = HTTPResponse(status: 307, headers: ["location": "http://example.org/graphql"])
    var transport = HTTPTransport(url: try #require(URL(string: "https://example.org/graphql")))
    for policy in [HTTPTransport.Redirects.sameOrigin, .anyOrigin(keeping: [])] {
      transport.redirects = policy
      let error = #expect(throws: RelayError.self) {
        try transport.request(
          after: response, to: transport.httpRequest(for: .query), operation: "FeedQuery")
      }
      #expect(error?.message.contains("\"http://example.org/graphql\"") == true)
      #expect(error?.message.contains("https") == true)
    }
    // The ports are the same, so only the scheme distinguishes these origins.
    let upgrade = HTTPResponse(status: 307, headers: ["location": "https://example.org/graphql"])
    transport = HTTPTransport(url: try #require(URL(string: "http://example.org:443/graphql")))
    let sent = transport.httpRequest(for: .query)
    let error = #expect(throws: RelayError.self) {
      try transport.request(after: upgrade, to: sent, operation: "FeedQuery")
    }
    #expect(error?.message.contains("another origin") == true)
    transport.redirects = .anyOrigin(keeping: [])
    let next = try transport.request(after: upgrade, to: sent, operation: "FeedQuery")
    #expect(next?.url.absoluteString == "https://example.org/graphql")
  }

  @Test(
    "origins differ by scheme, host or port",
    arguments: [
      ("https://EXAMPLE.org:443/a", true), ("https://example.org:444/a", false),
      ("http://example.org:443/a", false), ("https://example.org.evil.com/a", false),
      ("https://www.example.org/a", false), ("https://example.org@evil.com/a", false),
      ("https://evil.com\\@example.org/a", nil), ("https://example.org\\@evil.com/a", false),
      ("//evil.com/a", false), ("///evil.com/a", nil), ("/\\evil.com/a", true),
      ("https:evil.com", nil), ("a b", nil), ("?", true), ("", nil), ("https://", nil),
      ("javascript:alert(1)", false), ("data:,a", false),
    ])
  func origins(_ location: String, _ isSameOrigin: Bool?) throws {
    let response = HTTPResponse(status: 308, headers: ["location": location])
    let transport = HTTPTransport(url: try #require(URL(string: "https://example.org/graphql")))
    let sent = transport.httpRequest(for: .query)
    let next = Result {
      try transport.request(after: response, to: sent, operation: "FeedQuery")
    }
    // Foundation may parse malformed URLs either way; none leads to another origin.
    if let url = try? next.get()?.url {
      #expect(url.host == "example.org" && url.scheme == "https" && isSameOrigin != false)
      #expect(url.absoluteString.hasPrefix("https://example.org/"))
    } else {
      #expect(isSameOrigin != true && isRejected(next))
    }
  }

  private func isRejected(_ result: Result<HTTPRequest?, any Error>) -> Bool {
    if case .failure(let error) = result { error is RelayError } else { false }
  }

  @Test(
    "twenty redirects are followed, and the twenty-first is an error",
    arguments: ClientKind.allCases)
  func many(kind: ClientKind) async throws {
    for (count, isFollowed) in [(20, true), (21, false), (100, false)] {
      let server = try RawServer { exchange in
        exchange.send(
          exchange.index < count
            ? Wire.response(["Location: /\(exchange.index)"], "", status: "307 Stay")
            : Wire.okResponse)
        return true
      }
      defer { server.stop() }
      do {
        let response = try await kind.transport(server).execute(.query)
        #expect(isFollowed && response.status == 200)
      } catch {
        let underlying = (error as? RelayError)?.underlying as? URLError
        #expect(!isFollowed && underlying?.code == .httpTooManyRedirects)
        #expect((error as? RelayError)?.isRetryable == false)
      }
    }
  }

  @Test("redirects to files and to invalid URLs are errors")
  func nowhere() async throws {
    for (location, code) in [
      ("file:///etc/passwd", URLError.Code.unsupportedURL), ("http://[", .unsupportedURL),
    ] {
      let server = try RawServer { exchange in
        exchange.send(Wire.response(["Location: \(location)"], "", status: "307 Stay"))
        return true
      }
      defer { server.stop() }
      for kind in ClientKind.allCases {
        let failure = await Wire.failure(kind.transport(server))
        #expect((failure?.underlying as? URLError)?.code == code)
        #expect(failure?.isRetryable == false)
      }
    }
  }

  @Test("a redirect status without a target is an error like any other status")
  func withoutTarget() async throws {
    let server = try RawServer { exchange in
      exchange.send(Wire.response([], "Moved", status: "307 Stay"))
      return true
    }
    defer { server.stop() }
    let failure = await Wire.failure(ClientKind.standard.transport(server))
    #expect(failure?.status == 307 && failure?.excerpt == "Moved")
  }

  /// An app's delegate that follows redirects like `URLSession` does by default, or rejects them.
  private final class Delegate: NSObject, URLSessionTaskDelegate, Sendable {
    let follows: Bool
    init(follows: Bool) { self.follows = follows }

    func urlSession(
      _ session: URLSession, task: URLSessionTask,
      willPerformHTTPRedirection response: HTTPURLResponse, newRequest request: URLRequest,
      completionHandler: @escaping @Sendable (URLRequest?) -> Void
    ) {
      completionHandler(follows ? request : nil)
    }
  }

  @Test(
    "a session whose delegate follows redirects returns no response of another origin",
    arguments: [true, false])
  func delegate(follows: Bool) async throws {
    let other = try Self.echo()
    defer { other.stop() }
    let server = try Self.server(307, "\(other.url)?token=secret")
    defer { server.stop() }
    let session = URLSession(
      configuration: .ephemeral, delegate: Delegate(follows: follows), delegateQueue: nil)
    defer { session.finishTasksAndInvalidate() }
    let failure = await Wire.failure(HTTPTransport(url: server.url, session: session))
    #expect(failure?.message.contains("\"\(other.url)\"") == true, "\(failure?.message ?? "")")
    #expect(failure?.message.contains("secret") == false)
    #expect(failure?.code == .transport && failure?.isRetryable == false)
    #expect(other.connections == 0)
    let direct = HTTPTransport(url: other.url, session: session)
    #expect(try await direct.execute(.query).status == 200)
  }
}
