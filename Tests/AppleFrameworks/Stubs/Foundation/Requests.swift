public struct URLRequest: Hashable, Sendable {
  public enum CachePolicy: UInt, Sendable {
    case useProtocolCachePolicy = 0
    case reloadIgnoringLocalCacheData = 1
  }

  public init(
    url: URL, cachePolicy: CachePolicy = .useProtocolCachePolicy,
    timeoutInterval: TimeInterval = 60
  ) {}

  public var url: URL?
  public var cachePolicy = CachePolicy.useProtocolCachePolicy
  public var timeoutInterval: TimeInterval = 60
  public var httpMethod: String?
  public var allHTTPHeaderFields: [String: String]?
  public var httpBody: Data?
  public var httpBodyStream: InputStream? {
    get { nil }
    set {}
  }
  public var httpShouldHandleCookies = true
  public func value(forHTTPHeaderField field: String) -> String? { nil }
  public mutating func setValue(_ value: String?, forHTTPHeaderField field: String) {}
  public mutating func addValue(_ value: String, forHTTPHeaderField field: String) {}
}

open class URLResponse: NSObject, @unchecked Sendable {
  open var url: URL? { nil }
  open var mimeType: String? { nil }
  open var expectedContentLength: Int64 { 0 }
}

open class HTTPURLResponse: URLResponse, @unchecked Sendable {
  public init?(
    url: URL, statusCode: Int, httpVersion: String?, headerFields: [String: String]?
  ) {}
  open var statusCode: Int { 0 }
  open var allHeaderFields: [AnyHashable: Any] { [:] }
  open func value(forHTTPHeaderField field: String) -> String? { nil }
}

open class Stream: NSObject {
  open func open() {}
  open func close() {}
  open var streamError: (any Error)? { nil }
  open class func getBoundStreams(
    withBufferSize bufferSize: Int, inputStream: inout InputStream?,
    outputStream: inout OutputStream?
  ) {}
}

open class InputStream: Stream {
  public init(data: Data) {}
  public init?(url: URL) {}
  public convenience init?(fileAtPath path: String) { nil }
  open func read(_ buffer: UnsafeMutablePointer<UInt8>, maxLength len: Int) -> Int { 0 }
  open var hasBytesAvailable: Bool { false }
}

open class OutputStream: Stream {
  open func write(_ buffer: UnsafePointer<UInt8>, maxLength len: Int) -> Int { 0 }
}
