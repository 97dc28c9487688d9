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
  init(_ scanner: inout JSONScanner) throws {
    try scanner.members { key, scanner in
      switch key {
      case "data":
        data = scanner
        try scanner.skipValue()
      case "errors": errors = Self.errors(try scanner.value())
      case "extensions": extensions = try scanner.value().object ?? [:]
      case "hasNext": hasNext = try scanner.value().bool
      case "path": top.path = ResponsePath(json: try scanner.value())
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
          let json = try scanner.value()
          guard let id = json["id"]?.partID else { return }
          ended.append((id, json["errors"].map(Self.errors) ?? []))
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
      case "path": path = ResponsePath(json: try scanner.value())
      case "subPath": subPath = ResponsePath(json: try scanner.value()) ?? []
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
    let json = try scanner.value()
    guard let id = json["id"]?.partID else { return nil }
    self.id = id
    path = json["path"].flatMap(ResponsePath.init(json:)) ?? []
    label = json["label"]?.string
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
