#if os(Linux) && canImport(Glibc)
  import RelayStore
  internal import CLibCurl
  import Foundation
  import Synchronization

  /// A request in flight, and the received part of its response.
  ///
  /// `@unchecked Sendable`: ``CurlClient`` hands a new transfer to its ``CurlThread`` under the
  /// thread's lock, and only that thread uses it afterwards. ``isCancelled`` and
  /// ``isDraining``, atomics, are the properties that other threads set.
  package final class CurlTransfer: @unchecked Sendable {
    let easy: CurlEasy
    var handle: LibCurl.Handle { easy.handle }
    /// Whether the task that sent the request is cancelled.
    let isCancelled = Atomic(false)
    /// Whether the task has all it needs, and the rest of the response is only received so that the
    /// connection can be used again.
    let isDraining = Atomic(false)
    /// The time at which the transfer ends if it is still draining; `nil` before it drains.
    private var drainEnd: ContinuousClock.Instant?
    private static let drainTime = Duration.seconds(1)
    /// The kept connections of the thread; set before the transfer is started.
    var idleConnections: CurlIdleConnections?
    /// The ends of the connection that the request is sent on.
    private var connection: CurlIdleConnections.Ends?
    /// Whether the request was not sent, because there was something to read on its connection.
    private var hasRefusedConnection = false
    /// The continuation of the task that awaits the response.
    var continuation: CheckedContinuation<HTTPResponse, any Error>?
    /// The buffer to the task that awaits a streamed response; `nil` when the whole response is
    /// awaited.
    private let pipe: ResponsePipe?
    /// Whether the body is passed on while it is received.
    private var isStreaming = false
    /// The time at which the request fails unless data is sent or received before.
    private(set) var deadline: ContinuousClock.Instant

    private let timeout: Duration
    /// The idle timeout of a streamed body, if any.
    private let streamTimeout: Duration?
    /// The number of bytes of the body; `nil` when it is unknown.
    private let bodySize: Int?
    /// The supply of a body that is read while it is sent.
    private let upload: CurlUpload?
    private let progress: TransferProgress?
    private var sentSize = 0
    private var receivedSize = 0
    private var buffer: ResponseBuffer
    private var header = CurlHeader()
    private var hasProgress = false

    /// - Throws: `URLError` for a request that cannot be sent.
    ///
    /// - Parameter wake: Ends the thread's poll; called from any thread.
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
      deadline = .now + timeout
      bodySize = exchange.body.map(\.length) ?? request.body?.count ?? 0
      try setHeaderFields(of: request)
      if let body = request.body { try setBody(body) }
      if let upload { try setBody(upload) }
      // A transfer is a POST if it has a body, and a GET otherwise.
      if request.method != "GET", request.method != "POST" {
        try easy.set(LibCurl.Option.method, to: request.method)
      }
      try setReceivers()
      if pipe != nil { try setKeepAlive() }
      // libcurl has the option from 7.80 on; earlier versions check the connections themselves.
      try? setBeforeRequest()
    }

    // MARK: The request

    /// Makes the system probe an idle connection, so that a stream ends when its server is gone.
    private func setKeepAlive() throws {
      try easy.set(LibCurl.Option.keepsAlive, to: 1)
      try easy.set(LibCurl.Option.keepAliveIdleSeconds, to: 30)
      try easy.set(LibCurl.Option.keepAliveIntervalSeconds, to: 15)
    }

    private func setReceivers() throws {
      // The empty string accepts all encodings that libcurl decodes.
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

    /// Checks each kept connection before the request is sent on it.
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

    private func accepts(_ connection: CurlIdleConnections.Ends) -> Bool {
      self.connection = connection
      hasRefusedConnection = idleConnections?.removeReadable(connection) == true
      return !hasRefusedConnection
    }

    /// Returns whether the transfer has ended before its request was sent, so that it can be started
    /// again.
    func endRefusal() -> Bool {
      defer { hasRefusedConnection = false }
      return hasRefusedConnection
    }

    /// Adds the connection to those that are kept, if libcurl keeps it.
    func keepConnection() {
      guard let connection, let socket = easy.idleSocket else { return }
      idleConnections?.insert(connection, socket: socket)
    }

    private func setBody(_ body: [UInt8]) throws {
      try easy.set(LibCurl.Option.post, to: 1)
      try easy.set(LibCurl.Option.bodySize, to: body.count)
      try body.withUnsafeBytes { bytes in
        // libcurl copies no byte of an empty body, but requires an address.
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
      // Without "Expect:" libcurl waits up to a second for "100 Continue" before it sends a long
      // body.
      // An empty body has no media type, unless the request names one.
      var lines = ["Expect:", "Content-Type:", "User-Agent: RelayStore \(easy.curl.version)"]
      // HTTP/2 has no such field; libcurl leaves it out there.
      if bodySize == nil { lines.append("Transfer-Encoding: chunked") }
      for (name, value) in request.headers {
        lines.removeAll { $0.lowercased().hasPrefix(name.lowercased() + ":") }
        // "name:" would remove the field; "name;" sends it without a value.
        lines.append(value.isEmpty ? name + ";" : name + ": " + value)
      }
      try easy.setHeaderFields(lines.map(HeaderFields.withoutControls))
    }

    // MARK: The response

    private static func of(_ pointer: UnsafeMutableRawPointer?) -> CurlTransfer? {
      pointer.map { Unmanaged.fromOpaque($0).takeUnretainedValue() }
    }

    /// Receives a part of the body.
    ///
    /// - Returns: The number of bytes; ``relay_curl_pause`` when they shall be offered again later;
    ///   another number when the transfer shall end.
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

    /// Reads a line of a header section, with its line break, and returns whether the transfer
    /// shall continue.
    private func receiveLine(_ bytes: UnsafeRawBufferPointer) -> Bool {
      hasProgress = true
      buffer.countHeaderLine(size: bytes.count)
      if !buffer.isEnded, header.read(line: bytes, into: &buffer.response) { beginStream() }
      return !buffer.isEnded
    }

    /// Begins to pass on the body if the response is a stream, which the end of its header section
    /// decides.
    private func beginStream() {
      guard let pipe, buffer.response.isStreamed else { return }
      isStreaming = true
      pipe.begin(buffer.response)
    }

    /// Passes the result on, once.
    func complete(_ result: Result<HTTPResponse, any Error>) {
      continuation?.resume(with: result)
      continuation = nil
      pipe?.end(result)
    }

    /// The response of an ended transfer.
    ///
    /// - Throws: `URLError` for a code other than 0 and for a header section without an end;
    ///   ``ResponseBuffer/Rejection``.
    func result(_ code: Int32) throws -> HTTPResponse {
      if LibCurl.Code.lineTooLong.contains(code) { buffer.rejectOverlongHeaderLine() }
      if let rejection = buffer.rejection { throw rejection }
      if code != 0, let failure = upload?.failure { throw failure }
      // libcurl fails a transfer that a callback ended early.
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

    /// Whether the rest of the response is not needed.
    var hasEnded: Bool { buffer.isEnded }

    /// Continues to send a body whose next bytes are available, or that the server has rejected;
    /// continues to receive a body when what was received is consumed.
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
      // With chunks libcurl counts their framing, too.
      let sent = easy.integer(LibCurl.Info.sentSize)
      progress.report(
        .init(
          sent: .init(upload.map { min($0.suppliedSize, sent) } ?? sent, of: bodySize),
          received: .init(
            easy.integer(LibCurl.Info.receivedSize),
            of: buffer.response.headers["content-length"].flatMap { Int($0) })))
    }

    /// Renews the deadline when data was sent or received since the last call, and counts the bytes
    /// received, before decoding, against the limit.
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
      // The server is not late while the app's stream is, or the consumer of the response.
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
