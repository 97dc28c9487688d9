open class URLCache: NSObject, @unchecked Sendable {}

open class HTTPCookieStorage: NSObject, @unchecked Sendable {}

open class URLSessionConfiguration: NSObject, @unchecked Sendable {
  open class var `default`: URLSessionConfiguration { URLSessionConfiguration() }
  open class var ephemeral: URLSessionConfiguration { URLSessionConfiguration() }
  open var timeoutIntervalForRequest: TimeInterval = 60
  open var timeoutIntervalForResource: TimeInterval = 60
  open var httpMaximumConnectionsPerHost = 6
  open var httpAdditionalHeaders: [AnyHashable: Any]?
  open var httpCookieStorage: HTTPCookieStorage?
  open var httpShouldSetCookies = true
  open var requestCachePolicy = URLRequest.CachePolicy.useProtocolCachePolicy
  open var urlCache: URLCache?
  open var waitsForConnectivity = false
}

open class URLSession: NSObject, @unchecked Sendable {
  public enum ResponseDisposition: Int, Sendable { case cancel, allow }

  open class var shared: URLSession { URLSession(configuration: .default) }

  public init(configuration: URLSessionConfiguration) {}
  public init(
    configuration: URLSessionConfiguration, delegate: (any URLSessionDelegate)?,
    delegateQueue queue: OperationQueue?
  ) {}

  open var configuration: URLSessionConfiguration { URLSessionConfiguration() }
  open var delegate: (any URLSessionDelegate)? { nil }

  open func dataTask(with request: URLRequest) -> URLSessionDataTask { URLSessionDataTask() }
  @preconcurrency
  open func dataTask(
    with request: URLRequest,
    completionHandler: @escaping @Sendable (Data?, URLResponse?, (any Error)?) -> Void
  ) -> URLSessionDataTask { URLSessionDataTask() }
  open func uploadTask(withStreamedRequest request: URLRequest) -> URLSessionUploadTask {
    URLSessionUploadTask()
  }
  open func uploadTask(with request: URLRequest, fromFile fileURL: URL) -> URLSessionUploadTask {
    URLSessionUploadTask()
  }
  open func webSocketTask(with request: URLRequest) -> URLSessionWebSocketTask {
    URLSessionWebSocketTask()
  }
  @available(macOS 12, iOS 15, tvOS 15, watchOS 8, *)
  public func data(
    for request: URLRequest, delegate: (any URLSessionTaskDelegate)? = nil
  ) async throws -> (Data, URLResponse) { throw URLError(.unknown) }
  open func finishTasksAndInvalidate() {}
  open func invalidateAndCancel() {}
}

open class URLSessionTask: NSObject, @unchecked Sendable {
  public enum State: Int, Sendable { case running, suspended, canceling, completed }

  open var taskIdentifier: Int { 0 }
  open var originalRequest: URLRequest? { nil }
  open var currentRequest: URLRequest? { nil }
  open var response: URLResponse? { nil }
  open var error: (any Error)? { nil }
  open var state: State { .running }
  open var countOfBytesSent: Int64 { 0 }
  open var countOfBytesReceived: Int64 { 0 }
  open var countOfBytesExpectedToSend: Int64 { 0 }
  open var taskDescription: String?
  @available(macOS 12, iOS 15, tvOS 15, watchOS 8, *)
  open var delegate: (any URLSessionTaskDelegate)?
  open func cancel() {}
  open func suspend() {}
  open func resume() {}
}

open class URLSessionDataTask: URLSessionTask, @unchecked Sendable {}

open class URLSessionUploadTask: URLSessionDataTask, @unchecked Sendable {}

open class URLSessionWebSocketTask: URLSessionTask, @unchecked Sendable {
  public enum Message: Sendable {
    case data(Data)
    case string(String)
  }

  public enum CloseCode: Int, Sendable {
    case invalid = 0
    case normalClosure = 1000
    case goingAway = 1001
    case protocolError = 1002
    case unsupportedData = 1003
    case noStatusReceived = 1005
    case abnormalClosure = 1006
    case invalidFramePayloadData = 1007
    case policyViolation = 1008
    case messageTooBig = 1009
    case mandatoryExtensionMissing = 1010
    case internalServerError = 1011
    case tlsHandshakeFailure = 1015
  }

  open var maximumMessageSize = 1 << 20
  open var closeCode: CloseCode { .invalid }
  open var closeReason: Data? { nil }

  open func send(_ message: Message) async throws {}
  @preconcurrency
  open func send(
    _ message: Message, completionHandler: @escaping @Sendable ((any Error)?) -> Void
  ) {}
  open func receive() async throws -> Message { .string("") }
  @preconcurrency
  open func receive(
    completionHandler: @escaping @Sendable (Result<Message, any Error>) -> Void
  ) {}
  @preconcurrency
  open func sendPing(pongReceiveHandler: @escaping @Sendable ((any Error)?) -> Void) {}
  open func cancel(with closeCode: CloseCode, reason: Data?) {}
}
