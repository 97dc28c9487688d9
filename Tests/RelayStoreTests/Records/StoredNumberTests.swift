import Testing

@testable import RelayPersistence
@testable import RelayStore

/// The bytes of persisted numbers. Platforms with a 32-bit and a 64-bit `Int` can both read them.
@Suite(.timeLimit(.minutes(1))) struct StoredNumberTests {
  private func bytes(_ write: (inout ByteWriter) -> Void) -> [UInt8] {
    var writer = ByteWriter()
    write(&writer)
    return writer.bytes
  }

  private func read<Value>(_ bytes: [UInt8], _ read: (inout ByteReader) -> Value) -> Value? {
    bytes.withUnsafeBytes {
      var reader = ByteReader($0)
      let value = read(&reader)
      return reader.isValid && reader.isAtEnd ? value : nil
    }
  }

  @Test(
    "a signed number has the same bytes on every platform",
    arguments: [
      (0, [0]), (-1, [1]), (1, [2]), (-64, [127]), (64, [0x80, 1]),
      (Int(Int32.max), [0xFE, 0xFF, 0xFF, 0xFF, 0x0F]),
      (Int(Int32.min), [0xFF, 0xFF, 0xFF, 0xFF, 0x0F]),
    ] as [(Int, [UInt8])])
  func signedBytes(_ number: Int, _ expected: [UInt8]) {
    #expect(bytes { $0.signed(number) } == expected)
    #expect(read(expected) { $0.signed() } == Int64(number))
  }

  @Test("the greatest and the least number are read as they were written")
  func extremes() {
    #expect(read(bytes { $0.signed(.max) }) { $0.signed() } == Int64(Int.max))
    #expect(read(bytes { $0.signed(.min) }) { $0.signed() } == Int64(Int.min))
  }

  @Test("an index of more than 31 bits is damage on every platform")
  func indexes() {
    for number in [0, 1, UInt64(Int32.max)] {
      #expect(read(bytes { $0.number(number) }) { $0.index() } == Int(number))
    }
    for number in [UInt64(Int32.max) + 1, UInt64(UInt32.max), UInt64.max] {
      #expect(read(bytes { $0.number(number) }) { $0.index() } == nil)
    }
  }

  @Test("a page of ids whose numbers need more than 31 bits is damage")
  func pages() {
    for (page, isValid) in [(1, true), (1 << 25 - 1, false), (1 << 25, false), (-1, false)] {
      var ids = PersistedIDs()
      let row = bytes {
        $0.fixed(1)
        $0.text("a")
      }
      let isLoaded = row.withUnsafeBytes {
        var reader = ByteReader($0)
        return ids.load(&reader, page: Int64(page))
      }
      #expect(isLoaded == isValid, "page \(page)")
    }
  }

  @Test("an integer that is too large for a cell keeps its digits beside texts")
  func wideIntegers() throws {
    let keys = KeyTable()
    let names = ["a", "b", "c"].map { keys.intern($0) }
    let decoder = RecordDecoder(
      numbering: RecordNumbering(), numbers: RecordSet(), names: names.map { .key($0) },
      shapes: [.init(shape: RecordShape(typeName: "T", keys: .init(names)), positions: nil)],
      parts: [:])
    let row = bytes {
      $0.byte(PersistedRecord.Flags.present.rawValue)
      $0.number(0)
      $0.number(3)
      $0.byte(PersistedRecord.Tag.string.rawValue)
      $0.text("xyz")
      $0.byte(PersistedRecord.Tag.int.rawValue)
      $0.signed(.max)
      $0.byte(PersistedRecord.Tag.int.rawValue)
      $0.signed(-7)
    }
    let record = row.withUnsafeBytes { row in
      "id".utf8.withContiguousStorageIfAvailable {
        decoder.decode(row, number: 0, id: UnsafeRawBufferPointer($0))
      }
    }
    let decoded = try #require(record ?? nil)
    #expect(names.map { decoded.value(of: $0) } == [.string("xyz"), .int(.max), .int(-7)])
  }
}
