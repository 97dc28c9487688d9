#if DEBUG || RELAY_INSPECTOR
  /// The head of an HTTP request, reduced to the inspector's needs.
  struct InspectorRequest {
    /// The kind of request, or the reason why it is rejected.
    enum Target: Equatable {
      case page
      case timeline
      /// The token is missing or wrong, or the path is unknown.
      case notFound
      /// The request is for another host, or comes from a page of another origin.
      case forbidden
      /// The method is neither GET nor HEAD.
      case notAllowed
      /// The bytes are not the head of an HTTP request.
      case malformed
    }

    /// The maximum number of bytes of a head.
    static let byteLimit = 16_384

    let target: Target
    /// Whether to send only the header fields of the response.
    let isHead: Bool

    /// Parses a head, which ends with an empty line. Ignores the bytes after it.
    ///
    /// Checks the host, so that another site whose name resolves to this machine cannot send
    /// requests (DNS rebinding). Also checks the origin that a browser reports for the requesting
    /// page.
    ///
    /// - Parameters:
    ///   - head: The bytes of the head.
    ///   - token: The token that the path must start with.
    ///   - port: The port of the server.
    init(_ head: some Collection<UInt8>, token: String, port: UInt16) {
      let lines = String(decoding: head, as: UTF8.self).split(
        separator: "\r\n", omittingEmptySubsequences: false
      ).prefix { !$0.isEmpty }
      let first = lines.first?.split(separator: " ") ?? []
      // Another parser could read such a line as two lines.
      let isAmbiguous = lines.contains { $0.utf8.contains { $0 == 10 || $0 == 13 } }
      guard first.count == 3, first[2].hasPrefix("HTTP/1."), !isAmbiguous else {
        (target, isHead) = (.malformed, false)
        return
      }
      isHead = first[0] == "HEAD"
      target =
        first[0] == "GET" || isHead
        ? Self.target(String(first[1]), Self.fields(lines.dropFirst()), token: token, port: port)
        : .notAllowed
    }

    private static func fields(_ lines: ArraySlice<Substring>) -> [(name: String, value: String)] {
      lines.compactMap { line in
        // Compares bytes, because a combining mark after the colon would hide it.
        guard let colon = line.utf8.firstIndex(of: UInt8(ascii: ":")) else { return nil }
        let value = line[line.utf8.index(after: colon)...]
        return (trimmed(line[..<colon]).lowercased(), trimmed(value))
      }
    }

    private static func trimmed(_ text: Substring) -> String {
      let isSpace = { (character: Character) in character == " " || character == "\t" }
      return String(text.drop(while: isSpace).reversed().drop(while: isSpace).reversed())
    }

    private static func target(
      _ path: String, _ fields: [(name: String, value: String)], token: String, port: UInt16
    ) -> Target {
      func values(_ name: String) -> [String] { fields.filter { $0.name == name }.map(\.value) }
      let hosts = values("host")
      let own = ["127.0.0.1:\(port)", "localhost:\(port)"]
      guard hosts.count == 1, own.contains(hosts[0]) else { return .forbidden }
      guard values("origin").allSatisfy({ own.map { "http://" + $0 }.contains($0) }),
        values("sec-fetch-site").allSatisfy({ ["same-origin", "none"].contains($0) })
      else { return .forbidden }
      let parts = path.split(separator: "/", omittingEmptySubsequences: false)
      guard parts.count == 3, parts[0].isEmpty, isEqual(String(parts[1]), token) else {
        return .notFound
      }
      switch parts[2] {
      case "": return .page
      case "timeline.json": return .timeline
      default: return .notFound
      }
    }

    /// Compares a string with a secret, in a time that depends only on the string's length.
    static func isEqual(_ text: String, _ secret: String) -> Bool {
      let (bytes, expected) = (Array(text.utf8), Array(secret.utf8))
      var difference = UInt8(bytes.count == expected.count ? 0 : 1)
      for position in bytes.indices {
        difference |= bytes[position] ^ (position < expected.count ? expected[position] : 0)
      }
      return difference == 0
    }
  }
#endif
