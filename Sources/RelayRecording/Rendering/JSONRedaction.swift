import RelayStore

/// A copy of JSON in which the values of some keys are replaced.
///
/// The JSON may be cut off: the copy then ends with its last complete value. The containers are a
/// stack, because the sender chooses the depth.
struct JSONRedaction {
  private let names: Set<String>
  private var containers: [(kind: JSONScanner.Kind, isEmpty: Bool)] = []
  private var copy: [UInt8] = []

  /// Returns a copy without the values of `names`; nulls remain.
  static func copy(of json: [UInt8], without names: Set<String>) -> String {
    if names.isEmpty { return String(decoding: json, as: UTF8.self) }
    var redaction = JSONRedaction(names: names)
    json.withUnsafeBufferPointer { bytes in
      var scanner = JSONScanner(bytes)
      // The bytes before the failure are copied.
      try? redaction.copyValue(&scanner)
    }
    return String(decoding: redaction.copy, as: UTF8.self)
  }

  private init(names: Set<String>) { self.names = names }

  private mutating func copyValue(_ scanner: inout JSONScanner) throws(JSONScanner.Failure) {
    repeat {
      let kind = try scanner.peekKind()
      if kind == .object || kind == .array {
        try scanner.open(kind)
        copy.append(UInt8(ascii: kind == .object ? "{" : "["))
        containers.append((kind, true))
      } else {
        let start = scanner.position
        try scanner.skipValue()
        copy += scanner.bytes(in: start..<scanner.position)
      }
      while let last = containers.indices.last, try !copyNext(&scanner, in: last) {
        containers.removeLast()
      }
    } while !containers.isEmpty
  }

  /// Copies up to the next value of a container, including redacted members.
  ///
  /// - Returns: `false` after the end of the container.
  private mutating func copyNext(
    _ scanner: inout JSONScanner, in position: Int
  ) throws(JSONScanner.Failure) -> Bool {
    let kind = containers[position].kind
    while try scanner.next(in: kind, isFirst: containers[position].isEmpty) {
      if !containers[position].isEmpty { copy.append(UInt8(ascii: ",")) }
      containers[position].isEmpty = false
      guard kind == .object else { return true }
      let key = try scanner.key()
      copy += JSONValue.string(key).jsonBytes + [UInt8(ascii: ":")]
      guard names.contains(key), try scanner.peekKind() != .null else { return true }
      copy += JSONValue.string(StoreTimeline.FieldChange.redactedValue).jsonBytes
      try scanner.skipValue()
    }
    copy.append(UInt8(ascii: kind == .object ? "}" : "]"))
    return false
  }
}
