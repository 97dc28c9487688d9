#if DEBUG || RELAY_INSPECTOR
  import Foundation
  import Testing

  #if canImport(FoundationNetworking)
    import FoundationNetworking
  #endif

  @testable import RelayInspector
  @testable import RelayRecording
  @testable import RelayStore

  @Suite("The inspector is served", .timeLimit(.minutes(1))) struct InspectorServerTests {
    private static let token = String(repeating: "ab", count: 32)

    private func target(_ head: String) -> InspectorRequest.Target {
      InspectorRequest(Array((head + "\r\n\r\n").utf8), token: Self.token, port: 8_080).target
    }

    @Test("a request with the token and the host gets the page and the timeline")
    func accepted() {
      #expect(target("GET /\(Self.token)/ HTTP/1.1\r\nHost: 127.0.0.1:8080") == .page)
      #expect(
        target("GET /\(Self.token)/timeline.json HTTP/1.1\r\nhost:localhost:8080  ") == .timeline)
      #expect(target("HEAD /\(Self.token)/ HTTP/1.0\r\nHOST: 127.0.0.1:8080") == .page)
      let own =
        "GET /\(Self.token)/ HTTP/1.1\r\nHost: 127.0.0.1:8080\r\nOrigin: http://127.0.0.1:8080"
      #expect(target(own) == .page)
      for site in ["same-origin", "none"] {
        #expect(target(own + "\r\nSec-Fetch-Site: \(site)") == .page)
      }
    }

    @Test(
      "a request without the token is not found",
      arguments: [
        "/", "//", "/timeline.json", "/ab/", "/\(token)", "/\(token)ab/", "/\(token.dropLast())/",
        "/\(token.uppercased())/", "/x\(token.dropFirst())/", "/\(token)/other", "/\(token)/../",
        "/\(token)/timeline.json/", "http://127.0.0.1:8080/\(token)/",
      ])
    func notFound(_ path: String) {
      #expect(target("GET \(path) HTTP/1.1\r\nHost: 127.0.0.1:8080") == .notFound)
    }

    @Test(
      "a request for another host is refused, although it has the token",
      arguments: [
        "", "Host: evil.example", "Host: evil.example:8080", "Host: 127.0.0.1",
        "Host: 127.0.0.1:80",
        "Host: 127.0.0.1:8080.evil.example", "Host: 127.0.0.1:8080\r\nHost: evil.example",
        "Host: 127.0.0.1:8080\r\nOrigin: https://evil.example",
        "Host: 127.0.0.1:8080\r\nOrigin: null",
        "Host: 127.0.0.1:8080\r\nSec-Fetch-Site: cross-site",
        "Host: 127.0.0.1:8080\r\nsec-fetch-site: same-site",
        // These are different names with a similar spelling.
        "Host:\u{301} evil.example\r\nHost: 127.0.0.1:8080",
        "Host : evil.example\r\nHost: 127.0.0.1:8080",
        // The second one is not in the head.
        "X: y\r\n\r\nHost: 127.0.0.1:8080",
      ])
    func otherHost(_ fields: String) {
      #expect(target("GET /\(Self.token)/ HTTP/1.1\r\n\(fields)") == .forbidden)
    }

    @Test("other methods, and bytes that are no request, are refused")
    func malformed() {
      #expect(target("POST /\(Self.token)/ HTTP/1.1\r\nHost: 127.0.0.1:8080") == .notAllowed)
      let bareNewline = "GET / HTTP/1.1\r\nX: y\nHost: evil.example\r\nHost: 127.0.0.1:8080"
      for head in [
        "", "GET", "GET /", "GET / SPDY/3", "\u{0}\u{0}", "GET  /x HTTP/1.1 y", bareNewline,
      ] {
        #expect(target(head) == .malformed)
      }
      let bytes: [UInt8] = [0xFF, 0xFE, 13, 10, 13, 10]
      #expect(InspectorRequest(bytes, token: Self.token, port: 1).target == .malformed)
    }

    @Test("secrets of any length are compared as a whole")
    func comparison() {
      #expect(InspectorRequest.isEqual("abc", "abc"))
      for text in ["", "ab", "abd", "abcd", "xbc", "abc\u{0}"] {
        #expect(!InspectorRequest.isEqual(text, "abc"))
      }
    }

    @Test("a running server serves the page as it is, and refuses a wrong token")
    func serving() async throws {
      let recorded = RecordedStore()
      let server = try InspectorServer(recorded.environment)
      #expect(server.url.hasPrefix("http://127.0.0.1:"))
      let page = try await get(server.url)
      #expect(page.status == 200 && page.text.contains(#"data-served="true""#))
      #expect(page.field("Content-Security-Policy")?.contains("connect-src 'self'") == true)
      #expect(page.field("Cache-Control") == "no-store")
      try recorded.fill(("1", "secret-text"))
      let timeline = try await get(server.url + "timeline.json")
      let decoder = JSONDecoder()
      decoder.dateDecodingStrategy = .secondsSince1970
      let decoded = try decoder.decode(StoreTimeline.self, from: Data(timeline.text.utf8))
      #expect(decoded.events.count == 1 && decoded.isRedacted)
      #expect(!timeline.text.contains("secret-text"))
      let root = String(server.url.dropLast(65))
      #expect(try await get(root + String(repeating: "0", count: 64) + "/").status == 404)
      #expect(try await get(root).status == 404)
      server.stop()
      server.stop()
    }

    @Test("two servers have different tokens, and a port that is taken is an error")
    func ports() throws {
      let environment = RecordedStore().environment
      let first = try InspectorServer(environment)
      let second = try InspectorServer(environment)
      #expect(first.url.suffix(65) != second.url.suffix(65))
      let port = try #require(URL(string: first.url)?.port)
      let error = #expect(throws: LoopbackListener.Failure.self) {
        try InspectorServer(environment, port: UInt16(port))
      }
      #expect(error?.description.hasPrefix("bind failed: ") == true)
    }

    private struct Answer {
      let status: Int
      let text: String
      let fields: [AnyHashable: Any]

      func field(_ name: String) -> String? { fields[name] as? String }
    }

    private func get(_ url: String) async throws -> Answer {
      let url = try #require(URL(string: url))
      let (data, response) = try await URLSession.shared.data(from: url)
      let http = try #require(response as? HTTPURLResponse)
      return Answer(
        status: http.statusCode, text: String(decoding: data, as: UTF8.self),
        fields: http.allHeaderFields)
    }
  }
#endif
