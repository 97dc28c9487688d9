/// Appends JSON text to a buffer of bytes.
package struct JSONWriter {
  package private(set) var bytes: [UInt8] = []

  package init() {}

  package mutating func write(_ value: JSONValue) {
    switch value {
    case .null: raw("null")
    case .bool(let value): raw(value ? "true" : "false")
    case .number(let value): raw(value.digits)
    case .string(let value): string(value)
    case .array(let values): list(values) { $0.write($1) }
    case .object(let object): write(object)
    }
  }

  package mutating func write(_ object: JSONObject) {
    raw("{")
    for (position, member) in object.members.enumerated() {
      if position > 0 { raw(",") }
      key(member.key)
      write(member.value)
    }
    raw("}")
  }

  /// A list in brackets, each element written by the closure.
  package mutating func list<Element>(
    _ elements: some Sequence<Element>, _ write: (inout JSONWriter, Element) -> Void
  ) {
    raw("[")
    var isFirst = true
    for element in elements {
      if !isFirst { raw(",") }
      isFirst = false
      write(&self, element)
    }
    raw("]")
  }

  /// A member's key and the colon.
  package mutating func key(_ key: String) {
    string(key)
    raw(":")
  }

  /// Text that is already JSON.
  package mutating func raw(_ text: String) { bytes.append(contentsOf: text.utf8) }

  /// A string in quotes; only what JSON demands is escaped.
  package mutating func string(_ text: String) {
    bytes.append(UInt8(ascii: "\""))
    for byte in text.utf8 {
      switch byte {
      case UInt8(ascii: "\""): raw("\\\"")
      case UInt8(ascii: "\\"): raw("\\\\")
      case 0x08: raw("\\b")
      case 0x09: raw("\\t")
      case 0x0A: raw("\\n")
      case 0x0C: raw("\\f")
      case 0x0D: raw("\\r")
      case 0..<0x20:
        let hex = Array("0123456789abcdef".utf8)
        raw("\\u00")
        bytes += [hex[Int(byte >> 4)], hex[Int(byte & 15)]]
      default: bytes.append(byte)
      }
    }
    bytes.append(UInt8(ascii: "\""))
  }
}
