public typealias TimeInterval = Double

public struct Date: Hashable, Sendable, Codable, Comparable, CustomStringConvertible {
  public init() {}
  public init(timeIntervalSince1970: TimeInterval) {}
  public init(timeIntervalSinceReferenceDate: TimeInterval) {}
  public init(timeIntervalSinceNow: TimeInterval) {}

  @available(macOS 12, iOS 15, tvOS 15, watchOS 8, *)
  public static var now: Date { Date() }
  public static let distantPast = Date()
  public static let distantFuture = Date()

  public var timeIntervalSince1970: TimeInterval { 0 }
  public var timeIntervalSinceReferenceDate: TimeInterval { 0 }
  public var timeIntervalSinceNow: TimeInterval { 0 }
  public var description: String { "" }

  public func timeIntervalSince(_ date: Date) -> TimeInterval { 0 }
  public func addingTimeInterval(_ interval: TimeInterval) -> Date { self }
  public static func < (left: Date, right: Date) -> Bool { false }
  public static func + (date: Date, interval: TimeInterval) -> Date { date }
  public static func - (date: Date, interval: TimeInterval) -> Date { date }
}

extension Date {
  @available(macOS 12, iOS 15, tvOS 15, watchOS 8, *)
  public struct ISO8601FormatStyle: Sendable, Hashable, Codable {
    public enum TimeZoneSeparator: String, Codable, Sendable { case colon, omitted }
    public enum DateSeparator: String, Codable, Sendable { case dash, omitted }
    public enum TimeSeparator: String, Codable, Sendable { case colon, omitted }
    public enum DateTimeSeparator: String, Codable, Sendable { case space, standard }

    public init(
      dateSeparator: DateSeparator = .dash, dateTimeSeparator: DateTimeSeparator = .standard,
      timeSeparator: TimeSeparator = .colon, timeZoneSeparator: TimeZoneSeparator = .omitted,
      includingFractionalSeconds: Bool = false, timeZone: TimeZone = .gmt
    ) {}

    public static var iso8601: ISO8601FormatStyle { ISO8601FormatStyle() }
    public func format(_ date: Date) -> String { "" }
    public func parse(_ string: String) throws -> Date { Date() }
  }

  @available(macOS 12, iOS 15, tvOS 15, watchOS 8, *)
  public init(_ value: String, strategy: ISO8601FormatStyle) throws {}

  @available(macOS 12, iOS 15, tvOS 15, watchOS 8, *)
  public func formatted(_ format: ISO8601FormatStyle) -> String { "" }

  @available(macOS 12, iOS 15, tvOS 15, watchOS 8, *)
  public func ISO8601Format(_ style: ISO8601FormatStyle = .init()) -> String { "" }
}

public struct TimeZone: Hashable, Sendable, Codable {
  public init?(identifier: String) {}
  public init?(secondsFromGMT seconds: Int) {}
  @available(macOS 13, iOS 16, tvOS 16, watchOS 9, *)
  public static var gmt: TimeZone { TimeZone(secondsFromGMT: 0)! }
}

public struct Locale: Hashable, Sendable, Codable {
  public init(identifier: String) {}
}

public struct UUID: Hashable, Sendable, Codable, CustomStringConvertible {
  public init() {}
  public init?(uuidString: String) {}
  public init(uuid: uuid_t) {}
  public var uuid: uuid_t { UUID_NULL }
  public var uuidString: String { "" }
  public var description: String { "" }
}

@available(macOS 14, iOS 17, tvOS 17, watchOS 10, *)
extension UUID: Comparable {
  public static func < (left: UUID, right: UUID) -> Bool { false }
}

public typealias uuid_t = (
  UInt8, UInt8, UInt8, UInt8, UInt8, UInt8, UInt8, UInt8, UInt8, UInt8, UInt8, UInt8, UInt8, UInt8,
  UInt8, UInt8
)
public let UUID_NULL: uuid_t = (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)

@frozen
public struct Decimal: Hashable, Sendable, Codable, Comparable, SignedNumeric,
  ExpressibleByFloatLiteral, CustomStringConvertible
{
  public init() {}
  public init(_ value: Int) {}
  public init(_ value: Double) {}
  public init(integerLiteral value: Int) {}
  public init(floatLiteral value: Double) {}
  public init?(string: String, locale: Locale? = nil) {}
  public init?<T: BinaryInteger>(exactly source: T) {}

  public var magnitude: Decimal { self }
  public var description: String { "" }
  public var isNaN: Bool { false }
  public var isFinite: Bool { true }
  public static func < (left: Decimal, right: Decimal) -> Bool { false }
  public static func + (left: Decimal, right: Decimal) -> Decimal { left }
  public static func - (left: Decimal, right: Decimal) -> Decimal { left }
  public static func * (left: Decimal, right: Decimal) -> Decimal { left }
  public static func *= (left: inout Decimal, right: Decimal) {}
}

@available(macOS 12, iOS 15, tvOS 15, watchOS 8, *)
public enum SortOrder: Hashable, Codable, Sendable { case forward, reverse }

@available(macOS 12, iOS 15, tvOS 15, watchOS 8, *)
public struct SortDescriptor<Compared> {
  public init<Value: Comparable>(
    _ keyPath: any KeyPath<Compared, Value> & Sendable, order: SortOrder = .forward
  ) {}
}
