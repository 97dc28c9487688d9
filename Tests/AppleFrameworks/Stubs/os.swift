// The part of the interface of `os` that RelayStore and its example use, so that they can be
// type-checked on platforms without it. As with Apple's, an interpolated value that is no number
// needs a privacy to be visible.

@available(macOS 11, iOS 14, tvOS 14, watchOS 7, *)
public struct OSLogPrivacy: Sendable {
  public static let `public` = OSLogPrivacy()
}

@available(macOS 11, iOS 14, tvOS 14, watchOS 7, *)
public struct OSLogMessage: ExpressibleByStringInterpolation {
  public struct StringInterpolation: StringInterpolationProtocol {
    public init(literalCapacity: Int, interpolationCount: Int) {}
    public mutating func appendLiteral(_ literal: String) {}
    public mutating func appendInterpolation(
      _ text: @autoclosure @escaping () -> String, privacy: OSLogPrivacy
    ) {}
  }

  public init(stringLiteral value: String) {}
  public init(stringInterpolation: StringInterpolation) {}
}

@available(macOS 11, iOS 14, tvOS 14, watchOS 7, *)
public struct Logger: Sendable {
  public init(subsystem: String, category: String) {}
  public func debug(_ message: OSLogMessage) {}
  public func error(_ message: OSLogMessage) {}
}
