#if os(Linux) && canImport(Glibc)
  import Foundation
  import FoundationNetworking
  import Synchronization

  /// A request in flight, and the received part of its response.
  ///
  /// `@unchecked Sendable`: ``CurlClient`` hands a new transfer to its ``CurlThread`` under the
  /// thread's lock, and only that thread uses it afterwards. ``isCancelled``, an atomic, is the one
  /// property that other threads set.
  final class CurlTransfer: @unchecked Sendable {
    let handle: LibCurl.Handle
    /// Whether the task that sent the request is cancelled.
    let isCancelled = Atomic(false)
    /// The continuation of the task that awaits the response.
    var continuation: CheckedContinuation<HTTPResponse, any Error>?
    /// The time at which the request fails unless data is sent or received before.
    private(set) var deadline: ContinuousClock.Instant

    private let curl: LibCurl
    private let timeout: Duration
    /// The number of bytes of the body; `nil` when it is unknown.
    private let bodySize: Int?
    /// The supply of a body that is read while it is sent.
    private let upload: CurlUpload?
    private let progress: TransferProgress?
    private var sentSize = 0
    private var receivedSize = 0
    private var headerFields: LibCurl.List?
    /// The buffer of `CURL_ERROR_SIZE` bytes for libcurl's description of a failure.
    ///
    /// `handle` writes into it until `deinit` destroys the handle, and then deallocates the buffer.
    private let errorText: UnsafeMutableBufferPointer<CChar>
    private var buffer: ResponseBuffer
    private var lastField: String?
    private var isInsideHeader = false
    /// Whether a line like a status line begins a header section.
    private var expectsStatusLine = true
    private var hasProgress = false

    /// - Throws: `URLError` for a request that cannot be sent.
    ///
    /// - Parameter wake: Ends the thread's poll; called from any thread.
    init(
      _ request: URLRequest, _ exchange: HTTPExchange, by curl: LibCurl,
      certificates: HTTPTransport.Certificates, wake: @escaping @Sendable () -> Void
    ) throws {
      guard let url = request.url, ["http", "https"].contains(url.scheme?.lowercased()) else {
        throw curl.error(LibCurl.Code.unsupportedProtocol)
      }
      guard let handle = curl.makeEasy() else { throw curl.error(LibCurl.Code.outOfMemory) }
      self.handle = handle
      self.curl = curl
      buffer = ResponseBuffer(byteLimit: exchange.byteLimit)
      progress = exchange.progress
      upload = exchange.body.map { CurlUpload($0, wake: wake) }
      timeout = .seconds(request.timeoutInterval)
      deadline = .now + timeout
      bodySize = exchange.body.map(\.length) ?? request.httpBody?.count ?? 0
      errorText = .allocate(capacity: 256)
      errorText.initialize(repeating: 0)
      try check(curl.set(LibCurl.Option.errorText, of: handle, to: errorText.baseAddress))
      try set(LibCurl.Option.url, url.absoluteString)
      try setHeaderFields(of: request)
      if let body = request.httpBody { try setBody(body) }
      if let upload { try setBody(upload) }
      try set(certificates)
      try setConstants()
    }

    deinit {
      curl.destroyEasy(handle)
      curl.destroyList(headerFields)
      errorText.deallocate()
    }

    // MARK: The request

    private func set(_ option: Int32, _ value: Int) throws {
      try check(curl.set(option, of: handle, to: value))
    }

    private func set(_ option: Int32, _ text: String) throws {
      try check(text.withCString { curl.set(option, of: handle, to: $0) })
    }

    private func check(_ code: Int32) throws {
      if code != 0 { throw curl.error(code) }
    }

    private func set(_ certificates: HTTPTransport.Certificates) throws {
      if let authorities = certificates.authorities {
        try set(LibCurl.Option.authorities, authorities.path)
      }
      if let client = certificates.client {
        try set(LibCurl.Option.clientCertificate, client.path)
        try set(LibCurl.Option.clientKey, client.path)
      }
    }

    private func setConstants() throws {
      let httpAndHTTPS = 3
      try set(LibCurl.Option.protocols, httpAndHTTPS)
      try set(LibCurl.Option.usesNoSignals, 1)
      try set(LibCurl.Option.suppressesProxyHeaders, 1)
      // The empty string accepts all encodings that libcurl decodes.
      try set(LibCurl.Option.encodings, "")
      let me = Unmanaged.passUnretained(self).toOpaque()
      try check(curl.set(LibCurl.Option.bodyData, of: handle, to: me))
      try check(curl.set(LibCurl.Option.headerData, of: handle, to: me))
      try check(
        curl.set(LibCurl.Option.receiveBody, of: handle) { bytes, _, count, context in
          let bytes = UnsafeRawBufferPointer(start: bytes, count: Int(count))
          return CurlTransfer.of(context)?.receiveBody(bytes) == true ? count : .max
        })
      try check(
        curl.set(LibCurl.Option.receiveHeader, of: handle) { bytes, _, count, context in
          let bytes = UnsafeRawBufferPointer(start: bytes, count: Int(count))
          return CurlTransfer.of(context)?.receiveLine(bytes) == true ? count : .max
        })
    }

    private func setBody(_ body: Data) throws {
      try set(LibCurl.Option.post, 1)
      try set(LibCurl.Option.bodySize, body.count)
      try check(
        body.withUnsafeBytes { bytes in
          // libcurl copies no byte of an empty body, but requires an address.
          curl.set(LibCurl.Option.copiedBody, of: handle, to: bytes.baseAddress ?? .init(handle))
        })
    }

    private func setBody(_ upload: CurlUpload) throws {
      try set(LibCurl.Option.post, 1)
      if let bodySize { try set(LibCurl.Option.bodySize, bodySize) }
      let upload = Unmanaged.passUnretained(upload).toOpaque()
      try check(curl.set(LibCurl.Option.uploadData, of: handle, to: upload))
      try check(curl.set(LibCurl.Option.seekData, of: handle, to: upload))
      try check(
        curl.set(LibCurl.Option.supplyBody, of: handle) { buffer, _, count, context in
          CurlUpload.supply(
            UnsafeMutableRawBufferPointer(start: buffer, count: Int(count)), of: context)
        })
      try check(
        curl.set(
          LibCurl.Option.seekBody, of: handle,
          toSeek: { context, offset, _ in
            CurlUpload.seek(to: Int(offset), in: context)
          }))
    }

    private func setHeaderFields(of request: URLRequest) throws {
      // Without "Expect:" libcurl waits up to a second for "100 Continue" before it sends a long
      // body.
      var lines = ["Expect:", "User-Agent: RelayStore \(curl.version)"]
      // HTTP/2 has no such field; libcurl leaves it out there.
      if bodySize == nil { lines.append("Transfer-Encoding: chunked") }
      for (name, value) in request.allHTTPHeaderFields ?? [:] {
        lines.removeAll { $0.lowercased().hasPrefix(name.lowercased() + ":") }
        // "name:" would remove the field; "name;" sends it without a value.
        lines.append(value.isEmpty ? name + ";" : name + ": " + value)
      }
      for line in lines.map(MultipartBody.withoutControls) {
        guard let longer = curl.append(line, to: headerFields) else {
          throw curl.error(LibCurl.Code.outOfMemory)
        }
        headerFields = longer
      }
      try check(
        curl.set(
          LibCurl.Option.headerFields, of: handle, to: headerFields.map { UnsafeRawPointer($0) }))
    }

    // MARK: The response

    private static func of(_ pointer: UnsafeMutableRawPointer?) -> CurlTransfer? {
      pointer.map { Unmanaged.fromOpaque($0).takeUnretainedValue() }
    }

    /// Appends a part of the body, and returns whether the transfer shall continue.
    private func receiveBody(_ bytes: UnsafeRawBufferPointer) -> Bool {
      hasProgress = true
      buffer.append(bytes)
      return !buffer.isEnded
    }

    /// Reads a line of a header section, with its line break, and returns whether the transfer
    /// shall continue.
    private func receiveLine(_ bytes: UnsafeRawBufferPointer) -> Bool {
      hasProgress = true
      buffer.countHeaderLine(size: bytes.count)
      if !buffer.isEnded { read(line: bytes) }
      return !buffer.isEnded
    }

    /// Reads a line of a header section. The last of several header sections, as after status 103,
    /// is the response's.
    private func read(line bytes: UnsafeRawBufferPointer) {
      let line = String(decoding: bytes, as: UTF8.self)
      let text = line.trimmingCharacters(in: .whitespacesAndNewlines)
      guard isInsideHeader else {
        // The trailer fields of a body follow the last header section, and can look like a status
        // line.
        if expectsStatusLine, text.hasPrefix("HTTP/") { beginHeader(statusLine: text) }
        return
      }
      if text.isEmpty {
        isInsideHeader = false
      } else if let lastField, line.first == " " || line.first == "\t" {
        buffer.response.headers[lastField, default: ""] += " " + text
      } else if let colon = text.firstIndex(of: ":") {
        let name = text[..<colon].lowercased()
        let value = text[text.index(after: colon)...].trimmingCharacters(in: .whitespaces)
        // Appends in place: a server may repeat one field many times.
        if buffer.response.headers[name]?.append(", " + value) == nil {
          buffer.response.headers[name] = value
        }
        lastField = name
      }
    }

    /// Begins a response with its status line. Only a status below 200 is followed by another
    /// header section.
    private func beginHeader(statusLine: String) {
      buffer.response = HTTPResponse()
      lastField = nil
      isInsideHeader = true
      let status = statusLine.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0
      buffer.response.status = status
      expectsStatusLine = status < 200
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
        throw curl.failure(code, of: handle, text: String(cString: Array(errorText)))
      }
      buffer.response.status = curl.integer(LibCurl.Info.status, of: handle)
      // libcurl accepts a connection that ends inside the header fields.
      guard !isInsideHeader, buffer.response.status >= 200 else {
        let text = "The connection ended inside the header fields of the response"
        throw URLError(.networkConnectionLost, userInfo: [NSLocalizedDescriptionKey: text])
      }
      return buffer.response
    }

    /// Whether the rest of the response is not needed.
    var hasEnded: Bool { buffer.isEnded }

    /// Continues to send a body whose next bytes are available, or that the server has rejected.
    func resumeIfPossible() {
      if upload?.endPause(isRejected: buffer.response.status >= 400) == true { curl.resume(handle) }
    }

    /// Stops reading the body.
    func endUpload() { upload?.stop() }

    /// Reports the bytes sent and received.
    func reportProgress() {
      guard let progress else { return }
      // With chunks libcurl counts their framing, too.
      let sent = curl.integer(LibCurl.Info.sentSize, of: handle)
      progress.report(
        .init(
          sent: .init(upload.map { min($0.suppliedSize, sent) } ?? sent, of: bodySize),
          received: .init(
            curl.integer(LibCurl.Info.receivedSize, of: handle),
            of: buffer.response.headers["content-length"].flatMap { Int($0) })))
    }

    /// Renews the deadline when data was sent or received since the last call, and counts the bytes
    /// received, before decoding, against the limit.
    func renewDeadline(_ now: ContinuousClock.Instant) {
      if sentSize < bodySize ?? .max {
        let size = curl.integer(LibCurl.Info.sentSize, of: handle)
        hasProgress = hasProgress || size != sentSize
        sentSize = size
      }
      let size = curl.integer(LibCurl.Info.receivedSize, of: handle)
      hasProgress = hasProgress || size != receivedSize
      receivedSize = size
      buffer.checkSize(received: size)
      // The server is not late while the app's stream is.
      if upload?.isPaused == true { hasProgress = true }
      if hasProgress { deadline = now + timeout }
      hasProgress = false
    }
  }
#endif
