import Testing

@testable import RelayStore

/// Payloads with damaged bytes. The reader finds the end of a part's data before it checks the
/// contents, so everything in between must be checked later, whether or not it is read.
@Suite("Damaged parts", .timeLimit(.minutes(1)))
struct MalformedPartsTests {
  private static let document = """
    query TestQuery {
      me { id ...Slow_user @defer friends @stream(initialCount: 0) { id } }
    }
    fragment Slow_user on User { name }
    """

  /// Returns a reader that has read the first payload.
  private static func begin() throws -> IncrementalReader {
    var reader = IncrementalReader(PartsFixture(document).request.reader())
    _ = try reader.payload(
      Array(
        """
        {"data": {"me": {"id": "1", "friends": []}}, "hasNext": true}
        """.utf8))
    return reader
  }

  @Test(
    "a payload that is not JSON is refused, whether its parts are read or not",
    arguments: [
      #"{"incremental": [{"data": {"name": "An\"n"}, "path": ["me"], "label": "TestQuery$defer$Slow_user"}]}"#,
      #"{"incremental": [{"path": ["me", "friends", 0], "items": [{"id": "2"}, null], "label": "TestQuery$stream$friends"}]}"#,
      #"{"incremental": [{"data": {"name": ["\\"]}, "path": ["you"], "label": "x"}, {"items": [1], "path": []}]}"#,
      #"{"incremental": [{"data": 1, "items": [2], "data": [3], "items": {}, "path": ["me"]}]}"#,
      #"{"incremental": [{"data": null, "path": ["me"]}, {"items": null, "path": ["me", "friends"]}]}"#,
      #"{"items": [{"id": "3"}], "hasNext": true}"#,
      #"{"path": ["me", "friends", 0], "data": {"id": "4"}, "items": {"a": 1}, "label": "TestQuery$stream$friends"}"#,
    ])
  func damaged(text: String) throws {
    let start = try Self.begin()
    let whole = Array(text.utf8)
    var damaged = whole.indices.map { Array(whole[..<$0]) }
    for position in whole.indices {
      for byte in "{]\"\\x".utf8 {
        var bytes = whole
        bytes[position] = byte
        damaged.append(bytes)
        bytes.insert(whole[position], at: position)
        damaged.append(bytes)
      }
    }
    var refusedCount = 0
    for bytes in damaged where (try? JSONValue(parsing: bytes)) == nil {
      refusedCount += 1
      var reader = start
      let error = #expect(throws: RelayError.self, "\(String(decoding: bytes, as: UTF8.self))") {
        _ = try reader.payload(bytes)
      }
      #expect(error?.code == .response)
    }
    #expect(refusedCount > 200)
  }

  @Test("paths that differ from the last one in more than an index are read as they are")
  func paths() throws {
    let texts = [
      #"[1]"#, #"["a",3,{}]"#, #"["a",3,5]"#, #"["a",3,6]"#, #"["a",3,"6"]"#, #"["a",3]"#,
      #"["a",-4]"#, #"["a",7 ]"#, #"["a",7.5]"#, #"["a",9]"#, #"["b",8]"#, "[]", #"["a", 1]"#,
    ]
    for first in texts {
      for second in texts {
        let parts = [first, second, first].map { "{\"path\":\($0)}" }.joined(separator: ",")
        let bytes = Array("{\"incremental\":[\(parts)]}".utf8)
        let members = try bytes.withUnsafeBufferPointer { buffer in
          var scanner = JSONScanner(buffer)
          return try PayloadMembers(&scanner) { try $0.skipValue() }
        }
        let expected = try [first, second, first].map {
          ResponsePath(json: try JSONValue(parsing: Array($0.utf8)))
        }
        #expect(members.incremental.map(\.part.path) == expected)
      }
    }
  }
}
