/// The members of a payload of a response that may arrive in parts, with the positions of the data
/// in it, which is read later.
///
/// There are three formats, and the members tell them apart:
///
/// - 2020: each part is a payload with `path`, `label` and `data` at the top.
/// - 2022: a payload has a list of parts, `incremental`, each with `path`, `label`, and `data` or
///   `items`.
/// - 2023 and later: parts are announced in `pending` with an `id`; those in `incremental` name it,
///   and the path below it in `subPath`; `completed` ends a part.
///
/// Source: GraphQL specification, incremental delivery RFC, and its earlier drafts.
struct PayloadMembers {
  /// A part of a payload.
  struct Part {
    var id: String?
    var path: ResponsePath?
    var subPath: ResponsePath = []
    var label: String?
    /// The position of an object, or of the elements of a list; `nil` if it is absent.
    var data: JSONScanner?
    var items: JSONScanner?
    var errors: [GraphQLError] = []
  }

  /// An announced part.
  struct Announcement {
    var id: String
    var path: ResponsePath
    var label: String?
  }

  /// The position of `data` at the top.
  var data: JSONScanner?
  var errors: [GraphQLError] = []
  var extensions: JSONObject = [:]
  var hasNext: Bool?
  /// The part at the top, as the format of 2020 has it.
  var top = Part()
  var incremental: [Part] = []
  var pending: [Announcement]?
  var completed: [(id: String, errors: [GraphQLError])]?

  /// Reads a payload to its end.
  ///
  /// - Parameter readData: Reads or skips the value of `data` at the top.
  init(
    _ scanner: inout JSONScanner, readData: (inout JSONScanner) throws -> Void
  ) throws {
    try scanner.members { key, scanner in
      switch key {
      case "data":
        data = scanner
        try readData(&scanner)
      case "errors": errors = Self.errors(try scanner.value())
      case "extensions": extensions = try scanner.value().object ?? [:]
      case "hasNext": hasNext = try scanner.value().bool
      case "path": top.path = try scanner.path()
      case "label": top.label = try scanner.value().string
      case "items":
        top.items = scanner
        try scanner.skipValue()
      case "incremental": try scanner.elements { incremental.append(try Part(&$0)) }
      case "pending":
        var announced: [Announcement] = []
        try scanner.elements { if let part = try Announcement(&$0) { announced.append(part) } }
        pending = announced
      case "completed":
        var ended: [(id: String, errors: [GraphQLError])] = []
        try scanner.elements { scanner in
          var found: (id: String?, errors: [GraphQLError]) = (nil, [])
          try scanner.members { key, scanner in
            switch key {
            case "id": found.id = try scanner.value().partID
            case "errors": found.errors = Self.errors(try scanner.value())
            default: try scanner.skipValue()
            }
          }
          if let id = found.id { ended.append((id, found.errors)) }
        }
        completed = ended
      default: try scanner.skipValue()
      }
    }
  }

  fileprivate static func errors(_ json: JSONValue) -> [GraphQLError] {
    json.array?.map(GraphQLError.init(json:)) ?? []
  }
}

extension PayloadMembers.Part {
  fileprivate init(_ scanner: inout JSONScanner) throws {
    try scanner.members { key, scanner in
      switch key {
      case "id": id = try scanner.value().partID
      case "path": path = try scanner.path()
      case "subPath": subPath = try scanner.path() ?? []
      case "label": label = try scanner.value().string
      case "data":
        data = scanner
        try scanner.skipValue()
      case "items":
        items = scanner
        try scanner.skipValue()
      case "errors": errors = PayloadMembers.errors(try scanner.value())
      default: try scanner.skipValue()
      }
    }
  }
}

extension PayloadMembers.Announcement {
  fileprivate init?(_ scanner: inout JSONScanner) throws {
    var found: (id: String?, path: ResponsePath?, label: String?)
    try scanner.members { key, scanner in
      switch key {
      case "id": found.id = try scanner.value().partID
      case "path": found.path = try scanner.path()
      case "label": found.label = try scanner.value().string
      default: try scanner.skipValue()
      }
    }
    guard let id = found.id else { return nil }
    self.init(id: id, path: found.path ?? [], label: found.label)
  }
}

extension JSONScanner {
  /// Calls a closure with each key of an object; it reads the value. Any other value is skipped.
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

  /// Reads a path; `nil` if the value is not a list.
  fileprivate mutating func path() throws -> ResponsePath? {
    guard try peekKind() == .array else {
      try skipValue()
      return nil
    }
    var components: [ResponsePath.Component] = []
    try elements { scanner in
      if let component = try scanner.value().pathComponent { components.append(component) }
    }
    return ResponsePath(components)
  }

  /// Calls a closure for each element of an array; it reads the element. Any other value is skipped.
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
