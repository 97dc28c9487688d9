/// The progress of one request: the bytes that were sent and received.
///
///     let progress = TransferProgress()
///     async let result = environment.commit(
///       SetAvatarMutation(file: file), context: RequestContext(progress: progress))
///     for await value in progress.values { bar.fraction = value.sent.fraction }
///     _ = try await result
///
/// The progress ends with the request: with its data, its error or its cancellation. A request that
/// is sent again, after a retry or with refreshed credentials, starts again at zero.
///
/// `HTTPTransport` reports the bytes of bodies, without header fields. A custom transport reports
/// with ``report(_:)`` to the ``RequestContext/progress`` of a request.
public final class TransferProgress: Sendable {
  /// A number of bytes, and what it will be in the end.
  public struct ByteCount: Sendable, Hashable {
    /// The number of bytes so far.
    public var count: Int
    /// The number of bytes in the end; `nil` when it is unknown.
    public var total: Int?

    /// Creates a number of bytes of a total, which is `nil` when it is unknown.
    public init(_ count: Int = 0, of total: Int? = nil) {
      self.count = count
      self.total = total
    }

    /// The fraction of the total, from 0 to 1; `nil` when the total is unknown.
    public var fraction: Double? {
      total.map { $0 > 0 ? min(1, Double(count) / Double($0)) : 1 }
    }
  }

  /// The state of a transfer.
  public struct Value: Sendable, Hashable {
    /// The bytes of the request's body that were sent. A stream without a length has no total.
    public var sent: ByteCount
    /// The bytes of the response's body that were received. There is no total before the response's
    /// header fields were received, and none without a `Content-Length`.
    ///
    /// Compressed bytes are counted as they were received; with a `URLSession` they are counted
    /// decoded.
    public var received: ByteCount

    /// Creates the state of a transfer; without arguments, one before the first byte.
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

  /// Guards the value and its consumers, which are notified after the lock is released.
  private let state = Locked(State(), rank: .leaf)

  /// Creates a progress at zero, for the request that a context carries it to; see
  /// ``RequestContext/init(progress:)``.
  public init() {}

  deinit { end() }

  /// The newest value.
  public var current: Value { state.withLock { $0.value } }

  /// The values from now on: first the newest one, then each change until the request ends.
  ///
  /// Every sequence buffers one value, the newest: a slow consumer skips those between.
  public var values: AsyncStream<Value> {
    let (stream, continuation) = AsyncStream<Value>.makeStream(bufferingPolicy: .bufferingNewest(1))
    let id = state.withLock { state in
      state.lastID += 1
      // Yielded under the lock, so that it precedes the next report. No consumer waits yet.
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

  /// Reports a value; a no-op when the request has ended, or nothing has changed.
  public func report(_ value: Value) {
    let consumers = state.withLock { state in
      if state.isEnded || state.value == value { return [AsyncStream<Value>.Continuation]() }
      state.value = value
      return Array(state.consumers.values)
    }
    for consumer in consumers { consumer.yield(value) }
  }

  /// Ends the sequences of values; called when the request has ended, possibly more than once.
  func end() {
    let consumers = state.withLock { state in
      state.isEnded = true
      defer { state.consumers = [:] }
      return Array(state.consumers.values)
    }
    for consumer in consumers { consumer.finish() }
  }
}
