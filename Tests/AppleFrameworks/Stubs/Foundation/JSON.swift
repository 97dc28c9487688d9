open class JSONEncoder: @unchecked Sendable {
  public struct OutputFormatting: OptionSet, Sendable {
    public let rawValue: UInt
    public init(rawValue: UInt) { self.rawValue = rawValue }
    public static let prettyPrinted = OutputFormatting(rawValue: 1)
    public static let sortedKeys = OutputFormatting(rawValue: 2)
    public static let withoutEscapingSlashes = OutputFormatting(rawValue: 8)
  }

  public enum DateEncodingStrategy: Sendable {
    case deferredToDate, secondsSince1970, iso8601
  }

  public enum NonConformingFloatEncodingStrategy: Sendable {
    case `throw`
    case convertToString(positiveInfinity: String, negativeInfinity: String, nan: String)
  }

  public init() {}
  open var outputFormatting: OutputFormatting = []
  open var dateEncodingStrategy = DateEncodingStrategy.deferredToDate
  open var nonConformingFloatEncodingStrategy = NonConformingFloatEncodingStrategy.throw
  open func encode<T: Encodable>(_ value: T) throws -> Data { Data() }
}

open class JSONDecoder: @unchecked Sendable {
  public enum DateDecodingStrategy: Sendable {
    case deferredToDate, secondsSince1970, iso8601
  }

  public enum NonConformingFloatDecodingStrategy: Sendable {
    case `throw`
    case convertFromString(positiveInfinity: String, negativeInfinity: String, nan: String)
  }

  public init() {}
  open var dateDecodingStrategy = DateDecodingStrategy.deferredToDate
  open var nonConformingFloatDecodingStrategy = NonConformingFloatDecodingStrategy.throw
  open func decode<T: Decodable>(_ type: T.Type, from data: Data) throws -> T {
    throw CocoaError(.fileReadUnknown)
  }
}
