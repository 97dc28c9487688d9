import Testing

@Suite("Requests that a raw server reads in pieces", .timeLimit(.minutes(1)))
struct RawRequestTests {
  /// Requests with pieces that may look like the end, and the sizes of their bodies.
  private static let requests = [
    ("POST / HTTP/1.1\r\nHost: 127.0.0.1:8080\r\n\r\n", 0),
    ("POST / HTTP/1.1\r\nContent-Length: 12\r\n\r\n0\r\n\r\n0\r\n\r\n..", 12),
    (
      "POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\nHost: 127.0.0.1:8080\r\n\r\n"
        + "7\r\n10\r\n\r\n0\r\n1c;x=y\r\n\r\n0\r\n\r\n0123456789abcdef0\r\n\r\n\r\n0\r\n\r\n", 55
    ),
    (
      "POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n"
        + "1\r\n0\r\n0\r\nDigest: 0\r\nLast: 0\r\n\r\n", 31
    ),
  ]

  @Test("a request is complete with its last byte, wherever it is cut", arguments: requests)
  func cut(text: String, bodySize: Int) {
    let bytes = Array(text.utf8)
    for keepsBody in [true, false] {
      for index in bytes.indices {
        var request = RawRequest(keepsBody: keepsBody)
        request.add(bytes[..<index])
        #expect(!request.isComplete, "cut at \(index)")
        request.add(bytes[index...])
        #expect(request.isComplete && request.bodySize == bodySize, "cut at \(index)")
        #expect(!keepsBody || request.text == text)
        #expect(request.head.map { text.lowercased().hasPrefix($0) } == true)
      }
    }
  }
}
