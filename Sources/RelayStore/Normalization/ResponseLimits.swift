/// How much of a response a store takes; a response of more is an error, and nothing of it is written.
public struct ResponseLimits: Sendable, Hashable {
  /// The deepest a value may be nested that is looked at whole, such as one of a custom scalar. More
  /// than 512 counts as 512, so that such values can be compared on the stack of any thread.
  public var depth: Int
  /// The most bytes of a response.
  public var bytes: Int
  /// The most objects in a response, each counted as often as it occurs.
  public var records: Int

  public init(depth: Int = 512, bytes: Int = 256 << 20, records: Int = 4_000_000) {
    self.depth = min(depth, 512)
    self.bytes = bytes
    self.records = records
  }
}
