import Testing

@testable import RelayPersistence
@testable import RelayStore

/// Persisted texts. Only the decoder checks them.
@Suite(.timeLimit(.minutes(1))) struct StoredTextTests {
  /// Decodes a record with one field, whose value is a text of these bytes.
  private func value(ofText bytes: [UInt8]) -> FieldValue? {
    let keys = KeyTable()
    let name = keys.intern("a")
    let decoder = RecordDecoder(
      numbering: RecordNumbering(), numbers: RecordSet(), names: [.key(name)],
      shapes: [.init(shape: RecordShape(typeName: "T", keys: .init([name])), positions: nil)],
      parts: [:])
    var writer = ByteWriter()
    writer.byte(PersistedRecord.Flags.present.rawValue)
    writer.number(0)
    writer.number(UInt64(bytes.count))
    writer.byte(PersistedRecord.Tag.string.rawValue)
    writer.number(UInt64(bytes.count))
    for byte in bytes { writer.byte(byte) }
    let record = writer.bytes.withUnsafeBytes { row in
      Array("id".utf8).withUnsafeBytes { decoder.decode(row, number: 0, id: $0) }
    }
    return record?.value(of: name)
  }

  @Test("a text is read as it was written", arguments: ["", "abc", "grüße, 日本, 👩‍👩‍👧", "é"])
  func texts(_ text: String) { #expect(value(ofText: Array(text.utf8)) == .string(text)) }

  @Test(
    "a text that is not UTF-8 is damage",
    arguments: [
      [0xFF], [0x61, 0xC3], [0xC0, 0x80], [0xED, 0xA0, 0x80], [0xF4, 0x90, 0x80, 0x80],
    ] as [[UInt8]])
  func damage(_ bytes: [UInt8]) {
    for count in 0...17 {
      let plain = [UInt8](repeating: UInt8(ascii: "a"), count: count)
      #expect(value(ofText: plain + bytes) == nil, "after \(count) bytes")
      #expect(value(ofText: bytes + plain) == nil, "before \(count) bytes")
    }
  }
}
