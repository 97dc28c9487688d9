/// The members of a payload of a response that may arrive in parts. The data is read later.
///
/// The initializer reads the members of every format (see ``IncrementalDecoder``) and skips all
/// others. A new format adds its members here.
struct PayloadMembers {
  /// The members of one part.
  package struct Entry {
    var part = PartEvent.Part()
    /// The fields of an object, and the elements of a list; `nil` if they are absent.
    var data: UnreadValue?
    var items: UnreadValue?
  }

  /// The value of `data` at the top.
  var data: UnreadValue?
  var errors: [GraphQLError] = []
  var extensions: JSONObject = [:]
  var hasNext: Bool?
  /// `path`, `label` and `items` at the top.
  var top = Entry()
  var incremental: [Entry] = []
  var pending: [PartEvent.Announcement]?
  var completed: [PartEvent] = []

  /// Reads a payload to its end.
  ///
  /// - Parameter readData: Reads or skips the value of `data` at the top.
  init(
    _ scanner: inout JSONScanner, readData: (inout JSONScanner) throws -> Void
  ) throws {
    var last = LastMembers()
    try scanner.members { key, scanner in
      switch key {
      case "data":
        let start = scanner
        try readData(&scanner)
        data = UnreadValue(start, end: scanner.position)
      case "errors": errors = Self.errors(try scanner.value())
      case "extensions": extensions = try scanner.value().object ?? [:]
      case "hasNext": hasNext = try scanner.value().bool
      case "path": top.part.path = try last.path(&scanner)
      case "label": top.part.label = try last.label(&scanner)
      case "items": top.items = try UnreadValue(&scanner, instead: top.items)
      case "incremental": try scanner.elements { incremental.append(try Entry(&$0, &last)) }
      case "pending":
        var announced: [PartEvent.Announcement] = []
        try scanner.elements { scanner in
          if let part = try PartEvent.Announcement(&scanner, &last) { announced.append(part) }
        }
        pending = announced
      case "completed": completed = try Self.completed(&scanner)
      default: try scanner.skipValue()
      }
    }
  }

  private static func completed(_ scanner: inout JSONScanner) throws -> [PartEvent] {
    var completed: [PartEvent] = []
    try scanner.elements { scanner in
      var (id, failures): (String?, [GraphQLError]) = (nil, [])
      try scanner.members { key, scanner in
        switch key {
        case "id": id = try scanner.value().partID
        case "errors": failures = errors(try scanner.value())
        default: try scanner.skipValue()
        }
      }
      if let id { completed.append(.complete(id: id, errors: failures)) }
    }
    return completed
  }

  fileprivate static func errors(_ json: JSONValue) -> [GraphQLError] {
    json.array?.map(GraphQLError.init(json:)) ?? []
  }
}

extension PayloadMembers.Entry {
  fileprivate init(_ scanner: inout JSONScanner, _ last: inout LastMembers) throws {
    try scanner.members { key, scanner in
      switch key {
      case "id": part.id = try scanner.value().partID
      case "path": part.path = try last.path(&scanner)
      case "subPath": part.subPath = try last.path(&scanner) ?? []
      case "label": part.label = try last.label(&scanner)
      case "data": data = try UnreadValue(&scanner, instead: data)
      case "items": items = try UnreadValue(&scanner, instead: items)
      case "errors": part.errors = PayloadMembers.errors(try scanner.value())
      default: try scanner.skipValue()
      }
    }
  }

  /// Returns the event of the part.
  func event() throws -> PartEvent {
    guard let items else { return .fields(data, of: part) }
    try data?.skip()
    return .items(items, of: part)
  }
}

extension PartEvent.Announcement {
  fileprivate init?(_ scanner: inout JSONScanner, _ last: inout LastMembers) throws {
    var found: (id: String?, path: ResponsePath?, label: String?)
    try scanner.members { key, scanner in
      switch key {
      case "id": found.id = try scanner.value().partID
      case "path": found.path = try last.path(&scanner)
      case "label": found.label = try last.label(&scanner)
      default: try scanner.skipValue()
      }
    }
    guard let id = found.id else { return nil }
    self.init(id: id, path: found.path ?? [], label: found.label)
  }
}

/// The label and the path that were read last. Many parts have the same label, and paths that
/// differ only in their last index. Both are then recognized by their bytes.
private struct LastMembers {
  private var label = (text: "", bytes: 0..<0)
  private var path: [ResponsePath.Component] = []
  /// The bytes of the path before its last index; empty if it does not end with one.
  private var pathPrefix = 0..<0

  /// Reads a label; `nil` if the value is not a string.
  mutating func label(_ scanner: inout JSONScanner) throws -> String? {
    guard try scanner.peekKind() == .string else {
      try scanner.skipValue()
      return nil
    }
    let start = scanner
    let found = try scanner.text().range
    if found.isEmpty { return "" }
    if !scanner.bytes(in: found).hasSameBytes(as: scanner.bytes(in: label.bytes)) {
      scanner = start
      label = (try scanner.string(), found)
    }
    return label.text
  }

  /// Reads a path; `nil` if the value is not a list.
  mutating func path(_ scanner: inout JSONScanner) throws -> ResponsePath? {
    guard try scanner.peekKind() == .array else {
      try scanner.skipValue()
      return nil
    }
    if let index = lastIndex(&scanner) {
      path[path.count - 1] = .index(index)
      return ResponsePath(path)
    }
    let start = scanner.position
    (path, pathPrefix) = ([], 0..<0)
    try scanner.elements { scanner in
      _ = try scanner.peekKind()
      let prefix = start..<scanner.position
      let component = try scanner.value().pathComponent
      if let component { path.append(component) }
      if case .index? = component { pathPrefix = prefix } else { pathPrefix = 0..<0 }
    }
    return ResponsePath(path)
  }

  /// Reads a path that differs from the last one only in its last index, and returns the index.
  private func lastIndex(_ scanner: inout JSONScanner) -> Int? {
    let start = scanner.position
    var end = start + pathPrefix.count
    guard !pathPrefix.isEmpty, end < scanner.count,
      scanner.bytes(in: start..<end).hasSameBytes(as: scanner.bytes(in: pathPrefix)),
      let index = scanner.shortInteger(&end), scanner.byte(at: end) == UInt8(ascii: "]")
    else { return nil }
    scanner.rewind(to: end + 1)
    return index
  }
}

extension JSONScanner {
  /// Calls a closure with each key of an object; the closure reads the value. Skips any other
  /// value.
  fileprivate mutating func members(
    _ body: (String, inout JSONScanner) throws -> Void
  ) throws {
    guard try peekKind() == .object else { return try skipValue() }
    try open(.object)
    var isFirst = true
    while try next(in: .object, isFirst: isFirst) {
      isFirst = false
      try body(try key(), &self)
    }
  }

  /// Calls a closure for each element of an array; the closure reads the element. Skips any other
  /// value.
  fileprivate mutating func elements(_ body: (inout JSONScanner) throws -> Void) throws {
    guard try peekKind() == .array else { return try skipValue() }
    try open(.array)
    var isFirst = true
    while try next(in: .array, isFirst: isFirst) {
      isFirst = false
      try body(&self)
    }
  }
}

extension JSONValue {
  /// The id of a part: a string, or the digits of a number.
  fileprivate var partID: String? {
    if case .number(let number) = self { return number.digits }
    return string
  }
}
