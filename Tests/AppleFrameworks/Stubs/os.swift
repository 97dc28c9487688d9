// The declarations of `os` that RelayStore and its example use, so that they can be type-checked on
// platforms without it. Apple allows an interpolated value without a privacy, but hides it in the
// log, so the stub makes it an error. The semantics are Apple's: they make a non-constant argument
// an error.

@available(macOS 11, iOS 14, tvOS 14, watchOS 7, *)
@frozen public struct OSLogPrivacy {
  @_semantics("constant_evaluable")
  public static var `public`: OSLogPrivacy { OSLogPrivacy() }
}

@available(macOS 11, iOS 14, tvOS 14, watchOS 7, *)
@frozen public struct OSLogInterpolation: StringInterpolationProtocol {
  @_semantics("oslog.interpolation.init")
  public init(literalCapacity: Int, interpolationCount: Int) {}
  @_semantics("constant_evaluable")
  public mutating func appendLiteral(_ literal: String) {}
  @_semantics("oslog.requires_constant_arguments")
  public mutating func appendInterpolation(
    _ argumentString: @autoclosure @escaping () -> String, privacy: OSLogPrivacy
  ) {}
}

@available(macOS 11, iOS 14, tvOS 14, watchOS 7, *)
@frozen public struct OSLogMessage: ExpressibleByStringInterpolation {
  @_semantics("constant_evaluable")
  public init(stringInterpolation: OSLogInterpolation) {}
  @_semantics("constant_evaluable")
  public init(stringLiteral value: String) {}
}

@available(macOS 11, iOS 14, tvOS 14, watchOS 7, *)
public struct Logger: @unchecked Sendable {
  public init(subsystem: String, category: String) {}
  @_semantics("oslog.requires_constant_arguments")
  public func debug(_ message: OSLogMessage) {}
  @_semantics("oslog.requires_constant_arguments")
  public func error(_ message: OSLogMessage) {}
}
