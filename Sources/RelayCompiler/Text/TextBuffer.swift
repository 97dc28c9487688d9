/// UTF-8 text that is made by adding to its end.
///
/// Generated code is made of millions of short pieces; adding one here costs a fifth of adding it to a `String`.
package struct TextBuffer: Equatable, Sendable {
  package private(set) var bytes: [UInt8] = []

  package init() {}

  package var isEmpty: Bool { bytes.isEmpty }
  package var text: String { String(decoding: bytes, as: UTF8.self) }

  package mutating func reserveCapacity(_ count: Int) { bytes.reserveCapacity(count) }

  package static func += (buffer: inout TextBuffer, text: String) {
    let isAdded: Void? = text.utf8.withContiguousStorageIfAvailable {
      buffer.bytes.append(contentsOf: $0)
    }
    if isAdded == nil { buffer.bytes.append(contentsOf: text.utf8) }
  }

  package static func += (buffer: inout TextBuffer, other: TextBuffer) {
    buffer.bytes.append(contentsOf: other.bytes)
  }

  /// Adds the digits of a number.
  package static func += (buffer: inout TextBuffer, number: Int) {
    if number >= 0, number < 10 {
      buffer.bytes.append(UInt8(ascii: "0") + UInt8(truncatingIfNeeded: number))
    } else {
      buffer += String(number)
    }
  }

  package mutating func append(_ byte: UInt8) { bytes.append(byte) }

  /// Adds the items with commas between them.
  mutating func list<Items: Sequence>(
    _ items: Items, _ add: (Items.Element, inout TextBuffer) -> Void
  ) {
    var isFirst = true
    for item in items {
      if !isFirst { self += ", " }
      isFirst = false
      add(item, &self)
    }
  }

  /// Whether it is printable ASCII without what a literal escapes: nearly every text is.
  var isPlain: Bool { bytes.withUnsafeBufferPointer { SwiftText.isPlain($0) } }
}
