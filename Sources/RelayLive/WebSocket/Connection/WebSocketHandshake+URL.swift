import Foundation
import RelayNetwork
import RelayStore

extension WebSocketHandshake {
  /// Creates the handshake of a request, with a random nonce.
  ///
  /// A user and a password in the URL are sent as the field `Authorization`, unless the request has
  /// its own.
  init?(_ request: WebSocketRequest) {
    guard let origin = WebSocketOrigin(request.url),
      let parts = URLComponents(url: request.url, resolvingAgainstBaseURL: true)
    else { return nil }
    var headers = request.headers
    let names = Set(headers.keys.map { $0.lowercased() })
    if let user = parts.user, !names.contains("authorization") {
      headers["Authorization"] =
        "Basic " + Base64.encode(Array("\(user):\(parts.password ?? "")".utf8))
    }
    self.init(
      host: origin.authority,
      target: parts.percentEncodedPath + (parts.percentEncodedQuery.map { "?" + $0 } ?? ""),
      subprotocols: request.subprotocols, headers: headers,
      nonce: (0..<16).map { _ in UInt8.random(in: 0 ... .max) })
  }
}

/// The origin that a WebSocket connection is made to.
struct WebSocketOrigin: Equatable {
  /// The scheme for HTTP: `https` for `wss`.
  let scheme: String
  /// The host, and the port unless it is the scheme's.
  let authority: String

  /// The origin of a URL; `nil` when its scheme is neither `ws`, `wss`, `http` nor `https`, or it has
  /// no host.
  init?(_ url: URL) {
    switch url.scheme?.lowercased() {
    case "ws", "http": scheme = "http"
    case "wss", "https": scheme = "https"
    default: return nil
    }
    let parts = URLComponents(url: url, resolvingAgainstBaseURL: true)
    guard let host = parts?.percentEncodedHost, !host.isEmpty else { return nil }
    let standardPort = scheme == "https" ? 443 : 80
    let port = parts?.port.flatMap { $0 == standardPort ? nil : ":\($0)" } ?? ""
    let isBareIPv6 = host.contains(":") && !host.hasPrefix("[")
    authority = (isBareIPv6 ? "[\(host)]" : host) + port
  }

  /// The URL of the origin, for HTTP.
  var url: String { "\(scheme)://\(authority)/" }
}
