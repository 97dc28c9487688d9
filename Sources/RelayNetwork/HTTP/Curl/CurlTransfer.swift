#if os(Linux) && canImport(Glibc)
  import RelayStore
  internal import CLibCurl
  import Foundation
  import Synchronization

  /// A request in flight and the part of its response received until now.
  ///
  /// `@unchecked Sendable`: ``CurlClient`` hands a new transfer to its ``CurlThread`` under the
  /// thread's lock, and only that thread uses it afterwards. Other threads set only the atomics
  /// ``isCancelled`` and ``isDraining``.
  package final class CurlTransfer: @unchecked Sendable {
    let easy: CurlEasy
    var handle: LibCurl.Handle { easy.handle }
    /// Whether the task that sent the request is cancelled.
    let isCancelled = Atomic(false)
    /// Whether the task needs no more data. The rest of the response is received only to make the
    /// connection reusable.
    let isDraining = Atomic(false)
    /// The time at which a draining transfer ends; `nil` before draining starts.
    private var drainEnd: ContinuousClock.Instant?
    private static let drainTime = Duration.seconds(1)
    /// The idle connections of the thread; set before the transfer starts.
    var idleConnections: CurlIdleConnections? {
      didSet { avoidOldConnections() }
    }
    /// The two ends of the connection that carries the request.
    private var connection: CurlIdleConnections.Ends?
    private let isIdempotent: Bool
    /// Whether the request was not sent because of its connection; see ``CurlIdleConnections``.
    private var hasRefusedConnection = false
    /// Whether the request, or the start of it, was sent.
    private var hasSent = false
    /// Whether libcurl was about to send a request again that may be sent only once.
    private var isLost = false
    /// The continuation of the task that awaits the response.
    var continuation: CheckedContinuation<HTTPResponse, any Error>?
    /// The buffer to the task that awaits a streamed response; `nil` for a response returned only
    /// when complete.
    private let pipe: ResponsePipe?
    /// Whether the body is passed on as it arrives.
    private var isStreaming = false
    /// The deadline of the idle timeout, renewed whenever data is sent or received.
    private(set) var deadline: ContinuousClock.Instant

    private let timeout: Duration
    /// The idle timeout of a streamed body; `nil` for none.
    private let streamTimeout: Duration?
    /// The size of the body in bytes; `nil` when unknown.
    private let bodySize: Int?
    /// The supply of a body that is read while it is sent.
    private let upload: CurlUpload?
    private let progress: TransferProgress?
    private var sentSize = 0
    private var receivedSize = 0
    private var buffer: ResponseBuffer
    private var header = CurlHeader()
    private var hasProgress = false

    /// - Parameter wake: Interrupts the thread's poll; called from any thread.
    /// - Throws: `URLError` when the request cannot be sent.
    init(
      _ request: HTTPRequest, _ exchange: HTTPExchange, by curl: LibCurl,
      certificates: HTTPTransport.Certificates, pipe: ResponsePipe? = nil,
      wake: @escaping @Sendable () -> Void
    ) throws {
      guard ["http", "https"].contains(request.url.scheme?.lowercased()) else {
        throw curl.error(LibCurl.Code.unsupportedProtocol)
      }
      easy = try CurlEasy(curl, url: request.url.absoluteString, certificates: certificates)
      self.pipe = pipe
      streamTimeout = exchange.streamTimeout?.clampedForSleep
      buffer = ResponseBuffer(byteLimit: exchange.byteLimit)
      progress = exchange.progress
      upload = exchange.body.map { CurlUpload($0, wake: wake) }
      timeout = request.timeout
      isIdempotent = request.isIdempotent
      deadline = .now + timeout
      bodySize = exchange.body.map(\.length) ?? request.body?.count ?? 0
      try setHeaderFields(of: request)
      if let body = request.body { try setBody(body) }
      if let upload { try setBody(upload) }
      // libcurl sends a POST when there is a body, and a GET otherwise.
      if request.method != "GET", request.method != "POST" {
        try easy.set(LibCurl.Option.method, to: request.method)
      }
      try setReceivers()
      if pipe != nil { try setKeepAlive() }
      // Supported from libcurl 7.80 on. Earlier versions check their connections themselves, and
      // send a request again only if its connection was not a new one.
      do { try setBeforeRequest() } catch {
        if !isIdempotent { try easy.set(LibCurl.Option.usesNewConnection, to: 1) }
      }
    }

    // MARK: The request

    /// Enables TCP keep-alive, so that a stream ends when its server disappears.
    private func setKeepAlive() throws {
      try easy.set(LibCurl.Option.keepsAlive, to: 1)
      try easy.set(LibCurl.Option.keepAliveIdleSeconds, to: 30)
      try easy.set(LibCurl.Option.keepAliveIntervalSeconds, to: 15)
    }

    private func setReceivers() throws {
      // The empty string accepts every encoding that libcurl can decode.
      try easy.set(LibCurl.Option.encodings, to: "")
      let me = Unmanaged.passUnretained(self).toOpaque()
      try easy.set(LibCurl.Option.bodyData, to: me)
      try easy.set(LibCurl.Option.headerData, to: me)
      try easy.set(LibCurl.Option.receiveBody) { bytes, _, count, context in
        let bytes = UnsafeRawBufferPointer(start: bytes, count: Int(count))
        return CurlTransfer.of(context)?.receiveBody(bytes) ?? .max
      }
      try easy.set(LibCurl.Option.receiveHeader) { bytes, _, count, context in
        let bytes = UnsafeRawBufferPointer(start: bytes, count: Int(count))
        return CurlTransfer.of(context)?.receiveLine(bytes) == true ? count : .max
      }
    }

    /// Checks each idle connection before the request is sent on it.
    private func setBeforeRequest() throws {
      let me = Unmanaged.passUnretained(self).toOpaque()
      try easy.set(LibCurl.Option.beforeRequestData, to: me)
      try easy.set(
        LibCurl.Option.beforeRequest,
        toBeforeRequest: { context, remote, local, remotePort, localPort in
          guard let transfer = CurlTransfer.of(context), let remote, let local else { return 0 }
          let ends = CurlIdleConnections.Ends(
            remote: String(cString: remote), local: String(cString: local), remotePort: remotePort,
            localPort: localPort)
          return transfer.accepts(ends) ? 0 : 1
        })
    }

    private func avoidOldConnections() {
      guard !isIdempotent, let limit = idleConnections?.ageLimit.duration else { return }
      // libcurl closes such a connection even if it is multiplexed. From 7.80 on, ``accepts(_:)``
      // refuses those that it could not close.
      try? easy.set(LibCurl.Option.longestIdleSeconds, to: Int(limit.components.seconds))
    }

    private func accepts(_ connection: CurlIdleConnections.Ends) -> Bool {
      self.connection = connection
      if hasSent, !isIdempotent {
        isLost = true
        return false
      }
      hasSent = idleConnections?.take(connection, isIdempotent: isIdempotent) ?? true
      hasRefusedConnection = !hasSent
      return hasSent
    }

    /// Returns whether the transfer ended before sending its request, so that it can be restarted.
    func endRefusal() -> Bool {
      if !hasRefusedConnection { return false }
      hasRefusedConnection = false
      // libcurl keeps a multiplexed connection.
      if !isIdempotent { try? easy.set(LibCurl.Option.usesNewConnection, to: 1) }
      return true
    }

    /// Registers the connection as idle if libcurl leaves it open.
    func keepConnection() {
      guard let connection, let socket = easy.socket else { return }
      idleConnections?.insert(connection, socket: socket, isMultiplexed: easy.isMultiplexed)
    }

    private func setBody(_ body: [UInt8]) throws {
      try easy.set(LibCurl.Option.post, to: 1)
      try easy.set(LibCurl.Option.bodySize, to: body.count)
      try body.withUnsafeBytes { bytes in
        // libcurl copies zero bytes of an empty body, but requires a non-null address.
        try easy.set(LibCurl.Option.copiedBody, to: bytes.baseAddress ?? .init(handle))
      }
    }

    private func setBody(_ upload: CurlUpload) throws {
      try easy.set(LibCurl.Option.post, to: 1)
      if let bodySize { try easy.set(LibCurl.Option.bodySize, to: bodySize) }
      let upload = Unmanaged.passUnretained(upload).toOpaque()
      try easy.set(LibCurl.Option.uploadData, to: upload)
      try easy.set(LibCurl.Option.seekData, to: upload)
      try easy.set(LibCurl.Option.supplyBody) { buffer, _, count, context in
        CurlUpload.supply(
          UnsafeMutableRawBufferPointer(start: buffer, count: Int(count)), of: context)
      }
      try easy.set(
        LibCurl.Option.seekBody,
        toSeek: { context, offset, _ in CurlUpload.seek(to: Int(offset), in: context) })
    }

    private func setHeaderFields(of request: HTTPRequest) throws {
      // Without "Expect:" libcurl waits up to a second for "100 Continue" before a long body. An
      // empty body gets no media type unless the request sets one.
      var lines = ["Expect:", "Content-Type:", "User-Agent: RelayStore \(easy.curl.version)"]
      // HTTP/2 does not have this field; libcurl omits it there.
      if bodySize == nil { lines.append("Transfer-Encoding: chunked") }
      for (name, value) in request.headers {
        lines.removeAll { $0.lowercased().hasPrefix(name.lowercased() + ":") }
        // "name:" would remove the field; "name;" sends it with an empty value.
        lines.append(value.isEmpty ? name + ";" : name + ": " + value)
      }
      try easy.setHeaderFields(lines.map(HeaderFields.withoutControls))
    }

    // MARK: The response

    private static func of(_ pointer: UnsafeMutableRawPointer?) -> CurlTransfer? {
      pointer.map { Unmanaged.fromOpaque($0).takeUnretainedValue() }
    }

    /// Receives a chunk of the body.
    ///
    /// - Returns: The number of bytes to accept them; ``relay_curl_pause`` to be offered them again
    ///   later; any other number to end the transfer.
    private func receiveBody(_ bytes: UnsafeRawBufferPointer) -> relay_curl_size {
      hasProgress = true
      if isStreaming, let pipe {
        if pipe.pauseIfFull() { return relay_curl_pause }
        pipe.append(bytes)
        return relay_curl_size(bytes.count)
      }
      buffer.append(bytes)
      return buffer.isEnded ? .max : relay_curl_size(bytes.count)
    }

    /// Reads a line of the header fields, including its line break. Returns whether to continue the
    /// transfer.
    private func receiveLine(_ bytes: UnsafeRawBufferPointer) -> Bool {
      hasProgress = true
      buffer.countHeaderLine(size: bytes.count)
      if !buffer.isEnded, header.read(line: bytes, into: &buffer.response) { beginStream() }
      return !buffer.isEnded
    }

    /// Starts passing on the body if the complete header fields identify the response as a stream.
    private func beginStream() {
      guard let pipe, buffer.response.isStreamed else { return }
      isStreaming = true
      pipe.begin(buffer.response)
    }

    /// Delivers the result, once.
    func complete(_ result: Result<HTTPResponse, any Error>) {
      continuation?.resume(with: result)
      continuation = nil
      pipe?.end(result)
    }

    /// Returns the response of a finished transfer.
    ///
    /// - Throws: `URLError` for a code other than 0, or when the connection ended inside the header
    ///   fields; ``ResponseBuffer/Rejection``.
    func result(_ code: Int32) throws -> HTTPResponse {
      if LibCurl.Code.lineTooLong.contains(code) { buffer.rejectOverlongHeaderLine() }
      if let rejection = buffer.rejection { throw rejection }
      if code != 0, let failure = upload?.failure { throw failure }
      if isLost {
        let text = "The server closed the connection without a response"
        throw URLError(.networkConnectionLost, userInfo: [NSLocalizedDescriptionKey: text])
      }
      // libcurl also fails a transfer that a callback ended early.
      if code != 0, !buffer.isTruncated {
        throw easy.failure(code)
      }
      buffer.response.status = easy.integer(LibCurl.Info.status)
      // libcurl accepts a connection that ends inside the header fields.
      guard !header.isInside, buffer.response.status >= 200 else {
        let text = "The connection ended inside the header fields of the response"
        throw URLError(.networkConnectionLost, userInfo: [NSLocalizedDescriptionKey: text])
      }
      return buffer.response
    }

    /// Whether the rest of the response can be discarded.
    var hasEnded: Bool { buffer.isEnded }

    /// Resumes sending when the body's next bytes are available or the server has rejected the
    /// request. Resumes receiving when the buffered bytes are consumed.
    func resumeIfPossible() {
      let canSend = upload?.endPause(isRejected: buffer.response.status >= 400) == true
      let canReceive = pipe?.endPause() == true
      if canSend || canReceive { easy.resume() }
    }

    /// Stops reading the body.
    func endUpload() { upload?.stop() }

    /// Reports the bytes sent and received.
    func reportProgress() {
      guard let progress else { return }
      // With chunked encoding, libcurl also counts the framing.
      let sent = easy.integer(LibCurl.Info.sentSize)
      progress.report(
        .init(
          sent: .init(upload.map { min($0.suppliedSize, sent) } ?? sent, of: bodySize),
          received: .init(
            easy.integer(LibCurl.Info.receivedSize),
            of: buffer.response.headers["content-length"].flatMap { Int($0) })))
    }

    /// Renews the deadline when data was sent or received since the last call. Checks the number of
    /// bytes received, before decoding, against the limit.
    func renewDeadline(_ now: ContinuousClock.Instant) {
      if sentSize < bodySize ?? .max {
        let size = easy.integer(LibCurl.Info.sentSize)
        hasProgress = hasProgress || size != sentSize
        sentSize = size
      }
      let size = easy.integer(LibCurl.Info.receivedSize)
      hasProgress = hasProgress || size != receivedSize
      receivedSize = size
      if !isStreaming { buffer.checkSize(received: size) }
      // The server is not late while the app's upload stream or the response's consumer is slow.
      if upload?.isPaused == true || pipe?.isPaused == true { hasProgress = true }
      if hasProgress { deadline = now + (isStreaming ? streamTimeout ?? .longestSleep : timeout) }
      hasProgress = false
      if isDraining.load(ordering: .relaxed) {
        let end = drainEnd ?? now + Self.drainTime
        (drainEnd, deadline) = (end, end)
      }
    }
  }
#endif
