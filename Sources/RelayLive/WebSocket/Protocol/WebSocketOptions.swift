import RelayNetwork
import RelayStore

/// The time limits and byte limits of a ``WebSocketTransport``.
public struct WebSocketOptions: Sendable, Hashable {
  /// The maximum time to open a connection: name lookup, TLS and handshake.
  public var connectionTimeout = Duration.seconds(30)
  /// The maximum time between `connection_init` and the server's `connection_ack`. A slower
  /// connection is closed with code 4504 and counts as failed.
  public var acknowledgementTimeout = Duration.seconds(10)
  /// The time without any message before a `ping` is sent. While reading is paused because of
  /// ``bufferByteLimit``, the connection is not checked: neither this nor ``pongTimeout`` applies.
  public var pingDelay = Duration.seconds(15)
  /// The maximum time between a `ping` and the next message. After that the connection counts as
  /// dead and ends without a close frame. By default, a dead connection is detected after 25
  /// seconds.
  public var pongTimeout = Duration.seconds(10)
  /// The time that a connection without subscriptions remains open. Zero closes it with its last
  /// subscription.
  public var idleTimeout = Duration.seconds(5)
  /// The upper bound of the wait after the first failed attempt. It doubles with each further
  /// attempt.
  ///
  /// The actual wait is random between zero and the upper bound. So when a server restarts, its
  /// clients do not all return at the same time.
  public var reconnectDelay = Duration.seconds(1)
  /// The maximum up to which the upper bound, which starts at ``reconnectDelay``, doubles.
  public var longestReconnectDelay = Duration.seconds(30)
  /// The maximum number of bytes of a message. A longer message closes the connection, which then
  /// counts as failed.
  public var messageByteLimit = 16 * 1024 * 1024
  /// The limit of received bytes waiting for subscriptions. Reading stops above the limit, so that
  /// the server has to wait, and continues at half of it.
  ///
  /// All subscriptions of the connection share the limit. A stalled subscription blocks the others
  /// only once its own messages have filled the buffer.
  public var bufferByteLimit = 1024 * 1024

  /// Creates the default options.
  public init() {}
}
