extension String {
  public struct Encoding: RawRepresentable, Hashable, Sendable {
    public let rawValue: UInt
    public init(rawValue: UInt) { self.rawValue = rawValue }
    public static let utf8 = Encoding(rawValue: 4)
  }

  public init?(data: Data, encoding: Encoding) { nil }
  public init?<S: Sequence>(bytes: S, encoding: Encoding) where S.Element == UInt8 { nil }
  public init(contentsOf url: URL, encoding enc: Encoding) throws { self = "" }
  public init(contentsOfFile path: String, encoding enc: Encoding) throws { self = "" }
  public init(format: String, _ arguments: any CVarArg...) { self = "" }
}

extension StringProtocol {
  public func addingPercentEncoding(withAllowedCharacters allowed: CharacterSet) -> String? { nil }
  public var removingPercentEncoding: String? { nil }
  public func components<T: StringProtocol>(separatedBy separator: T) -> [String] { [] }
  public func data(using encoding: String.Encoding, allowLossyConversion: Bool = false) -> Data? {
    nil
  }
  public func replacingOccurrences<Target: StringProtocol, Replacement: StringProtocol>(
    of target: Target, with replacement: Replacement
  ) -> String { "" }
  public func range<T: StringProtocol>(of aString: T) -> Range<Index>? { nil }
  public var capitalized: String { "" }
  public func trimmingCharacters(in set: CharacterSet) -> String { "" }
  public func write(to url: URL, atomically: Bool, encoding: String.Encoding) throws {}
  public func write<T: StringProtocol>(
    toFile path: T, atomically: Bool, encoding: String.Encoding
  ) throws {}
}

@available(macOS 13, iOS 16, tvOS 16, watchOS 9, *)
public struct LocalizedStringResource: Equatable, Sendable, ExpressibleByStringLiteral {
  public init(stringLiteral value: String) {}
}
