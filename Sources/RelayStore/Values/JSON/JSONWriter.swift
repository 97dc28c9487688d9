/// A buffer of bytes that JSON is appended to.
struct JSONWriter {
  private(set) var bytes: [UInt8] = []

  /// A piece of a value still to be written. The last step on the stack is written first.
  private enum Step {
    case value(JSONValue)
    case member(JSONObject.Member)
    case text(String)
  }

  /// Writes a value iteratively, because its sender chooses the depth.
  mutating func write(_ value: JSONValue) {
    var steps = [Step.value(value)]
    while let step = steps.popLast() {
      switch step {
      case .text(let text): raw(text)
      case .member(let member):
        string(member.key)
        raw(":")
        steps.append(.value(member.value))
      case .value(.null): raw("null")
      case .value(.bool(let value)): raw(value ? "true" : "false")
      case .value(.number(let value)): raw(value.digits)
      case .value(.string(let value)): string(value)
      case .value(.array(let values)):
        raw("[")
        Self.push(values.lazy.map { .value($0) }, end: "]", to: &steps)
      case .value(.object(let object)):
        raw("{")
        Self.push(object.members.lazy.map { .member($0) }, end: "}", to: &steps)
      }
    }
  }

  /// Pushes the parts of a value in reverse, with commas between them and `end` below them.
  private static func push(
    _ parts: some BidirectionalCollection<Step>, end: String, to steps: inout [Step]
  ) {
    steps.append(.text(end))
    var isLast = true
    for part in parts.reversed() {
      if !isLast { steps.append(.text(",")) }
      isLast = false
      steps.append(part)
    }
  }

  /// Appends a string that is already valid JSON.
  mutating func raw(_ text: String) { bytes.append(contentsOf: text.utf8) }

  /// Writes a string in quotes, escaping only what JSON requires.
  private mutating func string(_ text: String) {
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
      case 0..<0x20: raw("\\u" + byte.padded(to: 4, radix: 16))
      default: bytes.append(byte)
      }
    }
    bytes.append(UInt8(ascii: "\""))
  }
}
