#if DEBUG || RELAY_INSPECTOR
  import Foundation
  public import RelayRecording
  public import RelayStore

  /// A server that shows a running app's timeline on the inspector's page, on this machine only.
  ///
  ///     #if DEBUG
  ///       let inspector = try InspectorServer(environment)
  ///       print(inspector.url)  // http://127.0.0.1:52341/6f0c…/
  ///     #endif
  ///
  /// Nothing is served unless the app creates a server. It listens only on 127.0.0.1, and accepts
  /// only requests whose URL has its random token and whose `Host` is this machine. Values are
  /// redacted by default. The type does not exist in release builds, unless `RELAY_INSPECTOR` is
  /// defined.
  ///
  /// It serves until ``stop()`` or until it is released.
  public final class InspectorServer: Sendable {
    /// The URL of the page, including the token. Anyone who has it can read the timeline.
    public let url: String
    private let listener: LoopbackListener

    /// Starts serving an environment's timeline. Each request shows the timeline's current state.
    ///
    /// - Parameters:
    ///   - environment: The environment; the server retains it.
    ///   - redactingValues: Whether values are redacted; see
    ///     `timeline(redactingValues:recordLimit:)`.
    ///   - port: The port; 0 for any free port.
    /// - Throws: An error with the system call that failed, for example if the port is in use.
    public convenience init(
      _ environment: RelayEnvironment, redactingValues: Bool = true, port: UInt16 = 0
    ) throws {
      try self.init(environment, redacting: redactingValues ? .all : .none, port: port)
    }

    /// Starts serving an environment's timeline without some values.
    ///
    /// - Parameters:
    ///   - environment: The environment; the server retains it.
    ///   - redaction: The values that are left out.
    ///   - port: The port; 0 for any free port.
    /// - Throws: An error with the system call that failed, for example if the port is in use.
    public init(
      _ environment: RelayEnvironment, redacting redaction: StoreTimeline.Redaction,
      port: UInt16 = 0
    ) throws {
      let token = Self.makeToken()
      listener = try LoopbackListener(port: port) { head, port in
        let request = InspectorRequest(head, token: token, port: port)
        return Self.response(to: request) {
          environment.timeline(redacting: redaction)
        }
      }
      url = "http://127.0.0.1:\(listener.port)/\(token)/"
    }

    deinit { stop() }

    /// Stops serving and frees the port; idempotent.
    public func stop() { listener.stop() }

    /// Returns 256 random bits as hexadecimal digits.
    private static func makeToken() -> String {
      var random = SystemRandomNumberGenerator()
      return (0..<4).map { _ in random.next().padded(to: 16, radix: 16) }.joined()
    }

    private static func response(
      to request: InspectorRequest, _ timeline: () -> StoreTimeline
    ) -> Data {
      let (status, type, body): (Int, String, Data)
      do {
        (status, type, body) =
          switch request.target {
          case .page:
            (
              200, "text/html; charset=utf-8",
              try InspectorPage(timeline(), title: nil, isServed: true).data()
            )
          case .timeline: (200, "application/json", try InspectorPage.json(timeline()))
          case .notFound: (404, "text/plain", Data("Not found\n".utf8))
          case .forbidden: (403, "text/plain", Data("Forbidden\n".utf8))
          case .notAllowed: (405, "text/plain", Data("Not allowed\n".utf8))
          case .malformed: (400, "text/plain", Data("Bad request\n".utf8))
          }
      } catch {
        (status, type, body) = (500, "text/plain", Data("\(error)\n".utf8))
      }
      let head = [
        "HTTP/1.1 \(status) \(status == 200 ? "OK" : "")", "Content-Type: \(type)",
        "Content-Length: \(body.count)", "Connection: close", "Cache-Control: no-store",
        "X-Content-Type-Options: nosniff", "Referrer-Policy: no-referrer",
        "X-Frame-Options: DENY", "Cross-Origin-Resource-Policy: same-origin",
        "Cross-Origin-Opener-Policy: same-origin",
        "Content-Security-Policy: \(InspectorPage.policy(isServed: true)); frame-ancestors 'none'",
      ]
      return Data((head.joined(separator: "\r\n") + "\r\n\r\n").utf8)
        + (request.isHead ? Data() : body)
    }
  }
#endif
