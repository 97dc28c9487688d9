/// The position of an operation in a distributed trace, as sent in the `traceparent` header field.
///
/// Source: W3C Trace Context, level 1.
public struct TraceContext: Sendable, Hashable {
  private let high: UInt64
  private let low: UInt64
  private let span: UInt64
  /// Whether the caller records the trace.
  public let isSampled: Bool
  /// The value of the `tracestate` header field, passed on unchanged; `nil` for none.
  public var traceState: String?

  /// The trace's id: 32 hexadecimal digits, not all zero.
  public var traceID: String { high.padded(to: 16, radix: 16) + low.padded(to: 16, radix: 16) }

  /// The span's id, which is the parent of the server's spans: 16 hexadecimal digits, not all zero.
  public var spanID: String { span.padded(to: 16, radix: 16) }

  private enum TaskValues {
    @TaskLocal static var current: TraceContext?
  }

  /// The current task's context: the parent of the operations that the task starts.
  public static var current: TraceContext? { TaskValues.current }

  /// Runs an operation with another ``current`` context.
  ///
  /// - Parameters:
  ///   - context: The context; `nil` for none.
  ///   - actor: The caller's actor.
  ///   - operation: The operation, on the caller's actor.
  /// - Returns: The result of the operation.
  /// - Throws: The error of the operation.
  public static func withCurrent<Result>(
    _ context: TraceContext?, isolation actor: isolated (any Actor)? = #isolation,
    operation: () async throws -> Result
  ) async rethrows -> Result {
    try await TaskValues.$current.withValue(context, operation: operation, isolation: actor)
  }

}

extension TraceContext {
  /// Starts a new trace, with random ids.
  public init(isSampled: Bool = true) {
    var random = SystemRandomNumberGenerator()
    self.init(
      high: random.next(), low: .random(in: 1 ... .max, using: &random),
      span: .random(in: 1 ... .max, using: &random), isSampled: isSampled)
  }

  /// Reads a `traceparent`. Returns `nil` if it is not valid; the receiver must then start a new
  /// trace.
  ///
  /// A value of a later version is parsed by the rules of version 00, but may have more fields.
  ///
  /// - Parameters:
  ///   - traceParent: The received value of `traceparent`.
  ///   - traceState: The value of `tracestate` received with it.
  public init?(traceParent: String, traceState: String? = nil) {
    let parts = traceParent.utf8.split(
      separator: UInt8(ascii: "-"), omittingEmptySubsequences: false)
    guard parts.count >= 4, let version = Self.number(parts[0], digits: 2), version != 0xFF,
      version != 0 || parts.count == 4, parts[1].count == 32,
      let high = Self.number(parts[1].prefix(16), digits: 16),
      let low = Self.number(parts[1].suffix(16), digits: 16),
      let span = Self.number(parts[2], digits: 16), let flags = Self.number(parts[3], digits: 2),
      high != 0 || low != 0, span != 0
    else { return nil }
    self.init(
      high: high, low: low, span: span, isSampled: flags & 1 == 1, traceState: traceState)
  }

  /// Returns the number represented by lowercase hexadecimal digits.
  private static func number(_ text: Substring.UTF8View, digits: Int) -> UInt64? {
    guard text.count == digits, text.allSatisfy("0123456789abcdef".utf8.contains) else {
      return nil
    }
    return UInt64(Substring(text), radix: 16)
  }

  /// Returns the context of a new span in the same trace.
  public func child() -> TraceContext {
    TraceContext(
      high: high, low: low, span: .random(in: 1 ... .max), isSampled: isSampled,
      traceState: traceState)
  }

  /// The value of the header field: `00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01`.
  public var traceParent: String {
    "00-\(traceID)-\(spanID)-\(isSampled ? "01" : "00")"
  }
}
