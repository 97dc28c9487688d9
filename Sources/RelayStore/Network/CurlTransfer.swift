#if os(Linux) && canImport(Glibc) && (arch(x86_64) || arch(arm64))
  import Foundation
  import FoundationNetworking
  import Synchronization

  /// One request on its way, and what has come of its answer.
  ///
  /// `@unchecked Sendable`: who makes it hands it to a client's thread, through a lock, and the thread
  /// alone uses it from then on; only `isCancelled` is for all.
  final class CurlTransfer: @unchecked Sendable {
    let handle: LibCurl.Handle
    /// Whether its caller has gone.
    let isCancelled = Atomic(false)
    /// Who waits for the answer.
    var continuation: CheckedContinuation<HTTPAnswer, any Error>?
    /// When it has waited too long for the next data.
    private(set) var deadline: ContinuousClock.Instant

    private let curl: LibCurl
    private let timeout: Duration
    private let bodySize: Int
    private var sentSize = 0
    private var receivedSize = 0
    private var fields: LibCurl.List?
    /// What libcurl says of a failure, at most `CURL_ERROR_SIZE` bytes; the handle writes into it.
    private let errorText: UnsafeMutableBufferPointer<CChar>
    private var arriving: ArrivingAnswer
    private var lastField: String?
    private var isInsideHead = false
    /// Whether a status line is one.
    private var expectsHead = true
    private var hasMoved = false

    /// - Throws: `URLError` for a request that cannot be sent.
    init(
      _ request: URLRequest, by curl: LibCurl, certificates: HTTPTransport.Certificates,
      byteLimit: Int
    ) throws {
      guard let url = request.url, ["http", "https"].contains(url.scheme?.lowercased()) else {
        throw curl.error(LibCurl.Code.unsupportedProtocol)
      }
      guard let handle = curl.makeEasy() else { throw curl.error(LibCurl.Code.outOfMemory) }
      self.handle = handle
      self.curl = curl
      arriving = ArrivingAnswer(byteLimit: byteLimit)
      timeout = .seconds(request.timeoutInterval)
      deadline = .now + timeout
      bodySize = request.httpBody?.count ?? 0
      errorText = .allocate(capacity: 256)
      errorText.initialize(repeating: 0)
      try check(curl.setPointer(handle, LibCurl.Option.errorText, errorText.baseAddress))
      try set(LibCurl.Option.url, url.absoluteString)
      try setFields(of: request)
      if let body = request.httpBody { try setBody(body) }
      try set(certificates)
      try setConstants()
    }

    deinit {
      curl.destroyEasy(handle)
      curl.destroyList(fields)
      errorText.deallocate()
    }

    // MARK: The request

    private func set(_ option: Int32, _ value: Int) throws {
      try check(curl.setInteger(handle, option, value))
    }

    private func set(_ option: Int32, _ text: String) throws {
      try check(text.withCString { curl.setPointer(handle, option, $0) })
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
      try set(LibCurl.Option.hidesProxyHeads, 1)
      // Any that libcurl can decode.
      try set(LibCurl.Option.encodings, "")
      let me = Unmanaged.passUnretained(self).toOpaque()
      try check(curl.setPointer(handle, LibCurl.Option.bodyData, me))
      try check(curl.setPointer(handle, LibCurl.Option.headerData, me))
      try check(
        curl.setReceive(handle, LibCurl.Option.receiveBody) { bytes, _, count, me in
          let bytes = UnsafeBufferPointer(start: bytes, count: count)
          return CurlTransfer.of(me)?.receiveBody(bytes) == true ? count : -1
        })
      try check(
        curl.setReceive(handle, LibCurl.Option.receiveHeader) { bytes, _, count, me in
          let bytes = UnsafeBufferPointer(start: bytes, count: count)
          return CurlTransfer.of(me)?.receiveLine(bytes) == true ? count : -1
        })
    }

    private func setBody(_ body: Data) throws {
      try set(LibCurl.Option.post, 1)
      try set(LibCurl.Option.bodySize, body.count)
      try check(
        body.withUnsafeBytes { bytes in
          // Of an empty body libcurl copies nothing, but it wants an address.
          curl.setPointer(handle, LibCurl.Option.copiedBody, bytes.baseAddress ?? .init(handle))
        })
    }

    private func setFields(of request: URLRequest) throws {
      // libcurl asks for a "100 Continue" before a long body otherwise, and waits a second for it.
      var lines = ["Expect:", "User-Agent: RelayStore \(curl.version)"]
      for (name, value) in request.allHTTPHeaderFields ?? [:] {
        lines.removeAll { $0.lowercased().hasPrefix(name.lowercased() + ":") }
        // A name with nothing after its ":" would take the field away.
        lines.append(value.isEmpty ? name + ";" : name + ": " + value)
      }
      for line in lines.map(MultipartBody.withoutControls) {
        guard let longer = curl.appending(fields, line) else {
          throw curl.error(LibCurl.Code.outOfMemory)
        }
        fields = longer
      }
      try check(curl.setPointer(handle, LibCurl.Option.fields, fields))
    }

    // MARK: The answer

    private static func of(_ pointer: UnsafeMutableRawPointer?) -> CurlTransfer? {
      pointer.map { Unmanaged.fromOpaque($0).takeUnretainedValue() }
    }

    /// Takes a part of the body, and says whether more is wanted.
    private func receiveBody(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
      hasMoved = true
      arriving.append(bytes)
      return !arriving.isEnded
    }

    /// Takes a line of a head, with its end, and says whether more is wanted.
    private func receiveLine(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
      hasMoved = true
      arriving.note(line: bytes.count)
      if !arriving.isEnded { read(line: bytes) }
      return !arriving.isEnded
    }

    /// Reads a line of a head; of several heads, as with status 103, the last one counts.
    private func read(line bytes: UnsafeBufferPointer<UInt8>) {
      let line = String(decoding: bytes, as: UTF8.self)
      let text = line.trimmingCharacters(in: .whitespacesAndNewlines)
      guard isInsideHead else {
        // After the last head come the body's trailer fields, which can look like a status line.
        if expectsHead, text.hasPrefix("HTTP/") { beginHead(text) }
        return
      }
      if text.isEmpty {
        isInsideHead = false
      } else if let lastField, line.first == " " || line.first == "\t" {
        arriving.answer.headers[lastField, default: ""] += " " + text
      } else if let colon = text.firstIndex(of: ":") {
        let name = text[..<colon].lowercased()
        let value = text[text.index(after: colon)...].trimmingCharacters(in: .whitespaces)
        // In place: a server may send one field very often.
        if arriving.answer.headers[name]?.append(", " + value) == nil {
          arriving.answer.headers[name] = value
        }
        lastField = name
      }
    }

    /// Begins an answer with its status line; another head follows only one of a status below 200.
    private func beginHead(_ statusLine: String) {
      arriving.answer = HTTPAnswer()
      lastField = nil
      isInsideHead = true
      let status = statusLine.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0
      arriving.answer.status = status
      expectsHead = status < 200
    }

    /// The answer once libcurl is done.
    ///
    /// - Throws: `URLError` for its code, and when the head has no end; ``ArrivingAnswer/Refusal``.
    func result(_ code: Int32) throws -> HTTPAnswer {
      if LibCurl.Code.lineTooLong.contains(code) { arriving.refuseEndlessLine() }
      if let refusal = arriving.refusal { throw refusal }
      // To libcurl it is a fault when not all of an answer is taken.
      if code != 0, !arriving.isCut {
        throw curl.failure(code, of: handle, text: String(cString: Array(errorText)))
      }
      _ = curl.getInteger(handle, LibCurl.Option.status, &arriving.answer.status)
      // To libcurl a connection that ends in the fields has answered.
      guard !isInsideHead, arriving.answer.status >= 200 else {
        let text = "The connection ended inside the header fields of the response"
        throw URLError(.networkConnectionLost, userInfo: [NSLocalizedDescriptionKey: text])
      }
      return arriving.answer
    }

    /// Whether no more of the answer is wanted.
    var hasEnded: Bool { arriving.isEnded }

    /// Puts the deadline off when data has come or gone since the last time, and counts what has come as it was sent.
    func renewDeadline(_ now: ContinuousClock.Instant) {
      if sentSize < bodySize {
        var size = 0
        _ = curl.getInteger(handle, LibCurl.Option.sentSize, &size)
        hasMoved = hasMoved || size != sentSize
        sentSize = size
      }
      var size = 0
      _ = curl.getInteger(handle, LibCurl.Option.receivedSize, &size)
      hasMoved = hasMoved || size != receivedSize
      receivedSize = size
      arriving.note(received: size)
      if hasMoved { deadline = now + timeout }
      hasMoved = false
    }
  }
#endif
