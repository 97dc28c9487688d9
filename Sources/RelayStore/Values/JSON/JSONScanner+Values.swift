extension JSONScanner {
  /// Reads the next value, of any kind.
  package mutating func value() throws(Failure) -> JSONValue {
    var containers: [Container] = []
    while true {
      var whole = try scalar()
      if whole == nil {
        let kind = try peekKind()
        try enter(kind, depth: containers.count)
        containers.append(Container(kind: kind))
      }
      while true {
        guard let last = containers.indices.last else { return whole ?? .null }
        if let value = whole { containers[last].append(value) }
        if try next(in: containers[last].kind, isFirst: containers[last].isEmpty) {
          if containers[last].kind == .object { containers[last].key = try key() }
          break
        }
        whole = containers.removeLast().value
      }
    }
  }

  /// Reads the next value if it is neither an array nor an object; otherwise reads no bytes.
  private mutating func scalar() throws(Failure) -> JSONValue? {
    switch try peekKind() {
    case .null:
      try null()
      return .null
    case .bool: return .bool(try bool())
    case .number: return .number(try number())
    case .string: return .string(try string())
    case .array, .object: return nil
    }
  }

  /// An array or object being read. A stack of containers replaces recursion, because the sender
  /// chooses the depth.
  private struct Container {
    let kind: Kind
    var elements: [JSONValue] = []
    var members = JSONObject()
    /// The key of the member being read.
    var key = ""

    var isEmpty: Bool { elements.isEmpty && members.isEmpty }
    var value: JSONValue { kind == .array ? .array(elements) : .object(members) }

    init(kind: Kind) { self.kind = kind }

    mutating func append(_ value: JSONValue) {
      if kind == .array { elements.append(value) } else { members[key] = value }
    }
  }

  /// Reads the opening of an object or array inside `depth` others.
  mutating func enter(_ kind: Kind, depth: Int) throws(Failure) {
    if depth >= depthLimit { throw failure("nested deeper than \(depthLimit.counted("level"))") }
    try open(kind)
  }
}

extension JSONValue {
  /// Parses bytes as one JSON value.
  ///
  /// - Throws: `JSONScanner.Failure` with the offset if the bytes are not valid JSON.
  package init(parsing bytes: UnsafeBufferPointer<UInt8>, depthLimit: Int = 512)
    throws(JSONScanner.Failure)
  {
    var scanner = JSONScanner(bytes)
    scanner.depthLimit = depthLimit
    self = try scanner.value()
    try scanner.end()
  }

  /// Parses a dump, which nests one response value inside a record and a field.
  package init(inDump bytes: [UInt8]) throws { try self.init(bytes, depthLimit: 512 + 4) }

  /// Parses bytes as one JSON value.
  ///
  /// - Throws: ``RelayError`` with code `response`, and the offset in its message, if the bytes are
  ///   not valid JSON.
  public init(parsing bytes: [UInt8]) throws { try self.init(bytes, depthLimit: 512) }

  private init(_ bytes: [UInt8], depthLimit: Int) throws {
    do {
      self = try bytes.withUnsafeBufferPointer {
        try JSONValue(parsing: $0, depthLimit: depthLimit)
      }
    } catch let failure as JSONScanner.Failure {
      throw RelayError(.response, "Not JSON: \(failure.reason) at byte \(failure.offset).")
    }
  }
}
