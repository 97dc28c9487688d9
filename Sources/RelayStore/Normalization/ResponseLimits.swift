/// The limits of a response. A response that exceeds one is an error, and no part of it is written.
/// If it arrives in parts, earlier parts remain written, and all parts count together.
public struct ResponseLimits: Sendable, Hashable {
  /// The maximum nesting depth of a value that is read in one piece, such as a custom scalar. A
  /// number above 512 counts as 512, so that the stack of any thread is large enough to release
  /// such values.
  public var depth: Int { didSet { depth = Self.limited(depth: depth) } }
  /// The maximum number of bytes in a response.
  public var bytes: Int
  /// The maximum number of objects in a response, counting every occurrence.
  public var records: Int

  /// Creates limits: by default a depth of 512, 256 MiB and 4,000,000 objects. A `depth` above 512
  /// counts as 512.
  public init(depth: Int = 512, bytes: Int = 256 << 20, records: Int = 4_000_000) {
    self.depth = Self.limited(depth: depth)
    self.bytes = bytes
    self.records = records
  }

  private static func limited(depth: Int) -> Int { min(depth, 512) }
}
