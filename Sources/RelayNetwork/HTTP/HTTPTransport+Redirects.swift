import Foundation
import RelayStore

extension HTTPTransport {
  /// The redirects that a transport follows. Any other redirect is an error that names the target.
  ///
  /// A POST is repeated only for statuses 307 and 308; under 301, 302 and 303 it would become a GET
  /// without its body. A GET is repeated for all five. Redirects from https to http are never
  /// followed, nor is the twenty-first redirect in a row.
  public enum Redirects: Hashable, Sendable {
    /// Redirects to the same scheme, host and port.
    case sameOrigin
    /// Redirects to every origin.
    ///
    /// A different origin receives the body. It receives only those header fields of the transport
    /// and the request that are named here, ignoring case; credentials are dropped unless named.
    case anyOrigin(keeping: Set<String>)
  }

  static let redirectLimit = 20

  /// Returns the error for a redirect that is not followed.
  ///
  /// - Parameter reason: The sentence that ends the message.
  func redirectError(
    _ response: HTTPResponse, to target: URL?, reason: String, operation: String
  ) -> RelayError {
    let name = target.map { "\"\($0.redacted)\"" } ?? "an invalid URL"
    var error = RelayError(
      .transport,
      "\"\(operation)\" was redirected to \(name) by HTTP status \(response.status). \(reason)",
      operationName: operation)
    error.status = response.status
    return error
  }

  /// Returns the request to send next; `nil` when `response` is not a redirect.
  func request(
    after response: HTTPResponse, to sent: HTTPRequest, operation: String
  ) throws -> HTTPRequest? {
    guard [301, 302, 303, 307, 308].contains(response.status),
      let location = response.headers["location"]
    else { return nil }
    let url = sent.url
    func redirectError(_ reason: String, target: URL?) -> RelayError {
      self.redirectError(response, to: target, reason: reason, operation: operation)
    }
    let target = URL(string: location, relativeTo: url)?.absoluteURL
    func unsupportedURLError() -> RelayError {
      var error = redirectError("The target is not an HTTP URL.", target: target)
      error.underlying = URLError(.unsupportedURL)
      return error
    }
    guard let target, let origin = Origin(target), let own = Origin(url) else {
      throw unsupportedURLError()
    }
    if sent.method != "GET", response.status < 307 {
      throw redirectError(
        "Following it would send a GET without the body. If the API is there, use that URL.",
        target: target)
    }
    if own.scheme == "https", origin.scheme == "http" {
      throw redirectError("Redirects from https to http are never followed.", target: target)
    }
    var next = sent
    let followed: URL?
    if origin == own {
      followed = url.replacingPathAndQuery(from: target)
    } else if case .anyOrigin(let names) = redirects {
      followed = target.withoutCredentials
      next.removeHeaders(except: names)
    } else {
      throw redirectError(
        "The target is another origin. If the API is there, use that URL, or set the transport's "
          + "`redirects`.",
        target: target)
    }
    guard let followed else { throw unsupportedURLError() }
    next.url = followed
    return next
  }
}

/// The origin of a URL: its scheme, host and port.
private struct Origin: Equatable {
  let scheme: String
  let host: String
  let port: Int

  /// Creates the origin of a URL; `nil` when the scheme is not HTTP or HTTPS, or there is no host.
  init?(_ url: URL) {
    guard let scheme = url.scheme?.lowercased(), ["http", "https"].contains(scheme),
      let host = url.host?.lowercased(), !host.isEmpty
    else { return nil }
    self.scheme = scheme
    self.host = host
    port = url.port ?? (scheme == "http" ? 80 : 443)
  }
}

extension URL {
  /// Returns this URL with the path and query of `target`. The host is always this URL's, no matter
  /// how `target` is parsed.
  fileprivate func replacingPathAndQuery(from target: URL) -> URL? {
    guard let other = URLComponents(url: target, resolvingAgainstBaseURL: true) else { return nil }
    return changed {
      $0.percentEncodedPath = other.percentEncodedPath
      $0.percentEncodedQuery = other.percentEncodedQuery
    }
  }

  fileprivate var withoutCredentials: URL? {
    changed {
      $0.user = nil
      $0.password = nil
    }
  }

  /// The URL for a message, without user, password and query.
  fileprivate var redacted: String {
    let url = withoutCredentials?.changed { $0.percentEncodedQuery = nil }
    return String((url ?? self).absoluteString.prefix(200))
  }

  private func changed(_ change: (inout URLComponents) -> Void) -> URL? {
    guard var components = URLComponents(url: self, resolvingAgainstBaseURL: true) else {
      return nil
    }
    components.fragment = nil
    change(&components)
    return components.url
  }
}

extension HTTPRequest {
  /// Removes every unnamed header field except `Accept` and `Content-Type`.
  fileprivate mutating func removeHeaders(except names: Set<String>) {
    let kept = Set(names.map { $0.lowercased() }).union(["accept", "content-type"])
    for name in headers.keys where !kept.contains(name.lowercased()) {
      setHeader(name, to: nil)
    }
  }
}
