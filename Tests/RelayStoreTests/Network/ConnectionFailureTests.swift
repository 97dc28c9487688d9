import Foundation
import Testing

@testable import RelayLive
@testable import RelayNetwork
@testable import RelayPersistence
@testable import RelayStore
@testable import RelayURLSession

@Suite("Failures of connections", .timeLimit(.minutes(1)))
struct ConnectionFailureTests {
  /// A socket error in the domain of Apple's Network framework, whose sockets a session uses.
  private struct NetworkError: CustomNSError {
    static let errorDomain = "kNWErrorDomainPOSIX"
    let errorCode: Int

    init(_ code: POSIXErrorCode) { errorCode = Int(code.rawValue) }
  }

  private static let url = URL(filePath: "/graphql")

  @Test(
    "the error of a socket that was lost is retryable, in each domain that sessions use",
    arguments: [.ECONNABORTED, .ENOTCONN, .ECONNRESET, .ENETDOWN, .ETIMEDOUT] as [POSIXErrorCode])
  func lostSocket(code: POSIXErrorCode) {
    for error in [POSIXError(code), NetworkError(code)] as [any Error] {
      let failure = RelayError(webSocket: error, url: Self.url)
      #expect(failure.isRetryable)
      #expect(failure.isTimeout == (code == .ETIMEDOUT))
      let opening = ConnectionFailure(opening: failure, host: "example.org")
      #expect(opening.consequence == .retry)
    }
  }

  @Test(
    "another error of the system, or of another domain, is not retryable",
    arguments: [
      POSIXError(.EMSGSIZE), NetworkError(.EMSGSIZE), CocoaError(.fileNoSuchFile),
      URLError(.badURL),
    ] as [any Error])
  func otherErrors(error: any Error) {
    #expect(!RelayError(webSocket: error, url: Self.url).isRetryable)
  }

  /// Returns the failure of a request whose client throws an error.
  private func failure(_ error: any Error) async -> RelayError? {
    await #expect(throws: RelayError.self) {
      try await HTTPTransport(url: Self.url).httpResponse(to: .query) { _, _ in throw error }
    }
  }

  @Test(
    "a request that a mobile network does not allow now is retryable, and was not sent",
    arguments: [.dataNotAllowed, .internationalRoamingOff, .callIsActive] as [URLError.Code])
  func mobileNetwork(code: URLError.Code) async {
    let failure = await failure(URLError(code))
    #expect(failure?.isRetryable == true && failure?.isUnsent == true)
  }

  @Test(
    "a request whose socket was closed while the app was suspended is retryable, but may have been sent"
  )
  func suspended() async {
    let failure = await failure(POSIXError(.ECONNABORTED))
    #expect(failure?.isRetryable == true && failure?.isUnsent == false)
  }

  @Test("a session that the transport makes sends no cookie back, and caches nothing")
  func isolation() async throws {
    let server = try RawServer { exchange in
      exchange.send(
        Wire.response(
          [
            "Content-Type: application/json", "Set-Cookie: session=1; Path=/",
            "Cache-Control: max-age=3600",
            "X-Cookies: \(exchange.request.lowercased().contains("cookie:"))",
          ], Wire.body))
      return true
    }
    defer { server.stop() }
    let client = SessionClient(nil, connectionsPerHost: 2)
    var request = HTTPRequest(url: server.url)
    request.method = "GET"
    for _ in 0..<2 {
      let response = try await client.send(request, HTTPExchange(byteLimit: 1 << 20))
      #expect(response.status == 200 && response.headers["x-cookies"] == "false")
    }
    #expect(server.requests == 2)
  }
}
