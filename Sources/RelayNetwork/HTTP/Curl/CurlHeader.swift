#if os(Linux) && canImport(Glibc)
  import RelayStore
  import Foundation

  /// A reader of the header sections that precede the body of a response.
  ///
  /// The last of several header sections, as after status 103, is the response's.
  struct CurlHeader {
    /// Whether a header section has begun and not ended.
    private(set) var isInside = false
    /// The name of the field of the line before.
    private var lastField: String?
    /// Whether a line like a status line begins a header section.
    private var expectsStatusLine = true

    /// Reads a line with its line break.
    ///
    /// - Parameters:
    ///   - bytes: Read only during the call; libcurl keeps them valid until it returns.
    ///   - response: The response of which the line is part.
    /// - Returns: Whether the line ends a header section.
    mutating func read(line bytes: UnsafeRawBufferPointer, into response: inout HTTPResponse)
      -> Bool
    {
      let line = String(decoding: bytes, as: UTF8.self)
      let text = line.trimmingCharacters(in: .whitespacesAndNewlines)
      guard isInside else {
        // The trailer fields of a body follow the last header section, and can look like a status
        // line.
        if expectsStatusLine, text.hasPrefix("HTTP/") { begin(&response, statusLine: text) }
        return false
      }
      if text.isEmpty {
        isInside = false
      } else if let lastField, line.first == " " || line.first == "\t" {
        response.headers[lastField, default: ""] += " " + text
      } else if let colon = text.firstIndex(of: ":") {
        let name = text[..<colon].lowercased()
        let value = text[text.index(after: colon)...].trimmingCharacters(in: .whitespaces)
        // Appends in place: a server may repeat one field many times.
        if response.headers[name]?.append(", " + value) == nil { response.headers[name] = value }
        lastField = name
      }
      return !isInside
    }

    /// Begins a response with its status line. Only a status below 200 is followed by another
    /// header section.
    private mutating func begin(_ response: inout HTTPResponse, statusLine: String) {
      response = HTTPResponse()
      lastField = nil
      isInside = true
      let status = statusLine.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0
      response.status = status
      expectsStatusLine = status < 200
    }
  }
#endif
