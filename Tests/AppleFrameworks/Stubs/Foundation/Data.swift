@frozen
public struct Data: Hashable, Sendable, Codable, RandomAccessCollection, MutableCollection,
  RangeReplaceableCollection
{
  public typealias Index = Int
  public typealias SubSequence = Data

  public struct Base64DecodingOptions: OptionSet, Sendable {
    public let rawValue: UInt
    public init(rawValue: UInt) { self.rawValue = rawValue }
  }

  public struct Base64EncodingOptions: OptionSet, Sendable {
    public let rawValue: UInt
    public init(rawValue: UInt) { self.rawValue = rawValue }
  }

  public struct ReadingOptions: OptionSet, Sendable {
    public let rawValue: UInt
    public init(rawValue: UInt) { self.rawValue = rawValue }
    public static let mappedIfSafe = ReadingOptions(rawValue: 1)
  }

  public struct WritingOptions: OptionSet, Sendable {
    public let rawValue: UInt
    public init(rawValue: UInt) { self.rawValue = rawValue }
    public static let atomic = WritingOptions(rawValue: 1)
  }

  public init() {}
  public init<S: Sequence>(_ elements: S) where S.Element == UInt8 {}
  public init(count: Int) {}
  public init(capacity: Int) {}
  public init(bytes: UnsafeRawPointer, count: Int) {}
  public init(contentsOf url: URL, options: ReadingOptions = []) throws {}
  public init?(base64Encoded: String, options: Base64DecodingOptions = []) {}

  public var startIndex: Int { 0 }
  public var endIndex: Int { 0 }

  public subscript(index: Int) -> UInt8 {
    get { 0 }
    set {}
  }

  public subscript(bounds: Range<Int>) -> Data {
    get { self }
    set {}
  }

  public mutating func append(_ other: Data) {}
  public mutating func append(_ bytes: UnsafePointer<UInt8>, count: Int) {}
  public mutating func append(contentsOf bytes: [UInt8]) {}
  public mutating func replaceSubrange<C: Collection>(_ range: Range<Int>, with elements: C)
  where C.Element == UInt8 {}
  public func withUnsafeBytes<Result>(
    _ body: (UnsafeRawBufferPointer) throws -> Result
  ) rethrows -> Result { try body(UnsafeRawBufferPointer(start: nil, count: 0)) }
  public func range(of dataToFind: Data, in range: Range<Index>? = nil) -> Range<Index>? { nil }
  public func write(to url: URL, options: WritingOptions = []) throws {}
  public func base64EncodedString(options: Base64EncodingOptions = []) -> String { "" }
}

public protocol DataProtocol: RandomAccessCollection where Element == UInt8 {}

extension Data: DataProtocol {}
extension Array: DataProtocol where Element == UInt8 {}
extension ArraySlice: DataProtocol where Element == UInt8 {}
extension ContiguousArray: DataProtocol where Element == UInt8 {}
extension UnsafeBufferPointer: DataProtocol where Element == UInt8 {}
extension UnsafeRawBufferPointer: DataProtocol {}
