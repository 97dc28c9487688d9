/// The progress of one request: the numbers of bytes sent and received.
///
///     let progress = TransferProgress()
///     async let result = environment.commit(
///       SetAvatarMutation(file: file), context: RequestContext(progress: progress))
///     for await value in progress.values { bar.fraction = value.sent.fraction }
///     _ = try await result
///
/// The progress ends with the request: with its data, its error or its cancellation. When a request
/// is sent again, after a retry or with refreshed credentials, the progress restarts at zero.
///
/// `HTTPTransport` reports the bytes of bodies, without header fields. A custom transport calls
/// ``report(_:)`` on the ``RequestContext/progress`` of a request.
public final class TransferProgress: Sendable {
  /// A number of transferred bytes and the expected total.
  public struct ByteCount: Sendable, Hashable {
    /// The number of bytes already transferred.
    public var count: Int
    /// The total number of bytes; `nil` if it is unknown.
    public var total: Int?

    /// Creates a number of bytes out of a total, which is `nil` if unknown.
    public init(_ count: Int = 0, of total: Int? = nil) {
      self.count = count
      self.total = total
    }

    /// The fraction of the total, from 0 to 1; `nil` if the total is unknown.
    public var fraction: Double? {
      total.map { $0 > 0 ? min(1, Double(count) / Double($0)) : 1 }
    }
  }

  /// The state of a transfer.
  public struct Value: Sendable, Hashable {
    /// The number of bytes of the request's body that were sent. A stream without a length has no
    /// total.
    public var sent: ByteCount
    /// The number of bytes of the response's body that were received. Has no total before the
    /// response's header fields have arrived, and none without a `Content-Length`.
    ///
    /// Compressed bytes are counted as received; a `URLSession` counts them decoded.
    public var received: ByteCount

    /// Creates the state of a transfer; without arguments, the state before the first byte.
    public init(sent: ByteCount = ByteCount(), received: ByteCount = ByteCount()) {
      self.sent = sent
      self.received = received
    }
  }

  private struct State {
    var value = Value()
    var isEnded = false
    var lastID = 0
    var consumers: [Int: AsyncStream<Value>.Continuation] = [:]
  }

  /// The lock that guards the value and its consumers.
  private let state = Locked(State(), rank: .leaf)

  /// Creates a progress at zero, to attach to a request through ``RequestContext/init(progress:)``.
  public init() {}

  deinit { end() }

  /// The newest value.
  public var current: Value { state.withLock { $0.value } }

  /// The values from now on: first the newest one, then each change until the request ends.
  ///
  /// Every sequence buffers only the newest value: a slow consumer skips the earlier ones.
  public var values: AsyncStream<Value> {
    let (stream, continuation) = AsyncStream<Value>.makeStream(bufferingPolicy: .bufferingNewest(1))
    let id = state.withLock { state in
      state.lastID += 1
      // Yielded under the lock, so that it precedes the next report. No consumer is waiting yet.
      continuation.yield(state.value)
      if !state.isEnded { state.consumers[state.lastID] = continuation }
      return state.isEnded ? nil : state.lastID
    }
    guard let id else {
      continuation.finish()
      return stream
    }
    continuation.onTermination = { [weak self] _ in
      _ = self?.state.withLock { $0.consumers.removeValue(forKey: id) }
    }
    return stream
  }

  /// Reports a value; a no-op if the request has ended or the value is unchanged.
  public func report(_ value: Value) {
    state.withLock { state in
      if state.isEnded || state.value == value { return }
      state.value = value
      // Yielded under the lock, so that the newest value is the last one.
      for consumer in state.consumers.values { consumer.yield(value) }
    }
  }

  /// Ends the sequences of values. Called when the request has ended, possibly more than once.
  func end() {
    let consumers = state.withLock { state in
      state.isEnded = true
      defer { state.consumers = [:] }
      return Array(state.consumers.values)
    }
    for consumer in consumers { consumer.finish() }
  }
}
