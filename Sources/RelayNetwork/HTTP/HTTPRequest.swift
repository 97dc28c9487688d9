import Foundation
import RelayStore

/// An HTTP request as a client sends it.
package struct HTTPRequest: Sendable {
  package var url: URL
  package var method = "POST"
  /// The header fields. Names are case-insensitive, so each word of a name is capitalized.
  package private(set) var headers: [String: String] = [:]
  /// The body; `nil` when there is none, or when it is in ``HTTPExchange/body``.
  package var body: [UInt8]?
  /// The idle timeout.
  package var timeout: Duration
  /// Whether a client may send the request again by itself when its connection is lost. It may not
  /// if the server could execute it twice.
  ///
  /// Source: RFC 9110, section 9.2.2.
  package var isIdempotent = true

  package init(url: URL, timeout: Duration = .seconds(60)) {
    self.url = url
    self.timeout = timeout.clampedForSleep
  }

  /// Sets or removes a header field.
  package mutating func setHeader(_ name: String, to value: String?) {
    headers[name.capitalized] = value
  }
}
