import RelayNetwork
import RelayStore

/// A close code: the reason for closing a WebSocket connection, as a number.
///
/// Source: RFC 6455, section 7.4, and the IANA registry "WebSocket Close Code Number".
struct WebSocketCloseCode: RawRepresentable, Hashable, Sendable {
  let rawValue: UInt16

  init(rawValue: UInt16) { self.rawValue = rawValue }

  private init(_ rawValue: UInt16) { self.rawValue = rawValue }

  /// The purpose of the connection is fulfilled.
  static let normalClosure = Self(1000)
  /// The server is shutting down, or the client is navigating away.
  static let goingAway = Self(1001)
  /// The peer violated the protocol.
  static let protocolError = Self(1002)
  /// Represents a close frame without a code; never sent.
  static let noStatusReceived = Self(1005)
  /// Represents a connection that ended without a close frame; never sent.
  static let abnormalClosure = Self(1006)
  /// The peer sent a message that does not match its type, such as invalid UTF-8 in a text message.
  static let invalidPayloadData = Self(1007)
  /// The peer sent a message that is too large.
  static let messageTooBig = Self(1009)
  /// Represents a failed TLS handshake; never sent.
  static let tlsHandshake = Self(1015)
  static let forbidden = Self(3003)
  static let timeout = Self(3008)

  /// Whether a close frame may contain the code.
  ///
  /// 1004 is reserved; 1005, 1006 and 1015 are for APIs only; other codes below 3000 are
  /// unassigned.
  var isAllowedInFrames: Bool {
    switch rawValue {
    case 1000...1003, 1007...1014, 3000...4999: true
    default: false
    }
  }
}
