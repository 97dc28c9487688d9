import RelayNetwork
import RelayStore

/// The time limits and byte limits of a ``WebSocketTransport``.
public struct WebSocketOptions: Sendable, Hashable {
  /// The maximum time until a connection is open: the name look-up, TLS and the handshake.
  public var connectionTimeout = Duration.seconds(30)
  /// The maximum time between `connection_init` and the server's `connection_ack`. A connection
  /// that takes longer is closed with code 4504, and counts as failed.
  public var acknowledgementTimeout = Duration.seconds(10)
  /// The time without any message after which a `ping` is sent. While nothing is read, because
  /// messages wait for subscriptions, the connection is not checked.
  public var pingDelay = Duration.seconds(15)
  /// The maximum time between a `ping` and the next message. A connection that takes longer is
  /// dead: it is ended without a close frame. By default, a dead connection is noticed after 25
  /// seconds.
  public var pongTimeout = Duration.seconds(10)
  /// The time that a connection without subscriptions is kept. Zero closes it with its last
  /// subscription.
  public var idleTimeout = Duration.seconds(5)
  /// The upper bound of the wait after the first failed attempt. It doubles with each further one.
  ///
  /// The wait is a random part of the upper bound, from nothing to all of it, so that the clients
  /// of a server that restarts do not all return at the same time.
  public var reconnectDelay = Duration.seconds(1)
  /// The maximum of the upper bound of the waits.
  public var longestReconnectDelay = Duration.seconds(30)
  /// The maximum number of bytes of a message. A connection that receives a longer one is closed,
  /// and counts as failed.
  public var messageByteLimit = 16 * 1024 * 1024
  /// The number of received bytes that wait for subscriptions, from which on nothing more is read,
  /// so that the server has to wait. Reading continues when half of it is left.
  ///
  /// The limit is that of the connection: a subscription that stands still holds up the others when
  /// its own messages have filled it, and not before.
  public var bufferByteLimit = 1024 * 1024

  /// Creates the default options.
  public init() {}
}
