import Foundation
import RelayNetwork
import RelayStore

extension WebSocketHandshake {
  /// Creates the handshake of a request, with a random nonce.
  ///
  /// A user and password in the URL are sent as the `Authorization` field, unless the request sets
  /// one.
  init?(_ request: WebSocketRequest) {
    guard let origin = WebSocketOrigin(request.url),
      let components = URLComponents(url: request.url, resolvingAgainstBaseURL: true)
    else { return nil }
    var headers = request.headers
    let names = Set(headers.keys.map { $0.lowercased() })
    if let user = components.user, !names.contains("authorization") {
      headers["Authorization"] =
        "Basic " + Base64.encode(Array("\(user):\(components.password ?? "")".utf8))
    }
    self.init(
      host: origin.authority,
      target: components.percentEncodedPath
        + (components.percentEncodedQuery.map { "?" + $0 } ?? ""),
      subprotocols: request.subprotocols, headers: headers,
      nonce: (0..<16).map { _ in UInt8.random(in: 0 ... .max) })
  }
}

/// The origin that a WebSocket connects to.
struct WebSocketOrigin: Equatable {
  /// The corresponding HTTP scheme, such as `https` for `wss`.
  let scheme: String
  /// The host, with the port unless it is the scheme's default.
  let authority: String

  /// Creates the origin of a URL; `nil` when the scheme is not `ws`, `wss`, `http` or `https`, or
  /// when there is no host.
  init?(_ url: URL) {
    switch url.scheme?.lowercased() {
    case "ws", "http": scheme = "http"
    case "wss", "https": scheme = "https"
    default: return nil
    }
    let components = URLComponents(url: url, resolvingAgainstBaseURL: true)
    guard let host = components?.percentEncodedHost, !host.isEmpty else { return nil }
    let standardPort = scheme == "https" ? 443 : 80
    let port = components?.port.flatMap { $0 == standardPort ? nil : ":\($0)" } ?? ""
    let isBareIPv6 = host.contains(":") && !host.hasPrefix("[")
    authority = (isBareIPv6 ? "[\(host)]" : host) + port
  }

  /// The HTTP URL of the origin.
  var url: String { "\(scheme)://\(authority)/" }
}
