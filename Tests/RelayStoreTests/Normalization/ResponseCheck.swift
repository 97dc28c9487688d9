#if !FUZZING
  import RelayStore
#endif

/// The properties that hold for any bytes: either the response is rejected and the store is
/// unchanged, or the same response in another form leaves the same records.
///
/// Used by the tests, and by the fuzzer (`Fuzz/Response`), which is compiled together with the
/// module's sources.
enum ResponseCheck {
  static let plan = SelectionPlan(
    "Query{me User{id ID! __typename String! name String age Int score Float done Boolean born Date tags [String] grid [[Int]] theKeyThatIsLong Int best User{id ID! name String} friends [User{__typename String! id ID! name String home Home{city String}}] __isNode:__typename String} pets [*Pet{__typename String! ...on Cat{id ID! name String lives Int home Home{city String} owner User{id ID! name String}} ...on Dog{id ID! name String tricks [String] home Home{city String} owner User{id ID! age Int}}}]}"
  )

  /// A plan with eight levels of lists of the same objects; responses may link them in circles.
  static let deepPlan = SelectionPlan(
    "Query{me User{id ID! name String friends [User{id ID! name String friends [User{id ID! age Int best User{id ID! name String} friends [User{id ID! friends [User{id ID! name String friends [User{id ID! friends [User{id ID! friends [User{id ID! name String friends [User{id ID! age Int}]}]}]}]}]}]}]}]}}"
  )

  /// Returns the property that a read of the store violates, or `nil`: two reads must give the same
  /// snapshot, within the limits.
  static func failure(reading store: RecordStore) -> String? {
    let limits = store.configuration.readLimits
    let reads = (0..<2).map { _ in
      store.read(.record(.root, deepPlan, in: VariableScope(operation: [:])))
    }
    let (first, second) = (reads[0], reads[1])
    if first.isDifferent(from: second) || first.row.map(Row.init) != second.row.map(Row.init) {
      return "Two reads differ"
    }
    if first.row.map(Row.init).hashValue != second.row.map(Row.init).hashValue {
      return "Equal rows have different hashes"
    }
    let tooLarge = first.errors.contains { $0.kind == .limit && !$0.path.components.isEmpty }
    if tooLarge != (first.errors.contains { $0.kind == .limit } && first.row == nil) {
      return "A read that exceeds a limit has data"
    }
    if first.missing.count > limits.paths {
      return "More missing paths are reported than the limit allows"
    }
    let text = first.row.map { "\(Row($0))" } ?? ""
    return text.utf8.count > 100 << 20 ? "The text is unbounded" : nil
  }

  /// Returns the property that a response violates, or `nil`.
  static func failure(_ bytes: [UInt8]) -> String? {
    let response = try? bytes.withUnsafeBufferPointer { try JSONValue(parsing: $0) }
    guard let dump = dump(bytes, reads: true) else { return nil }
    if !dump.hasPrefix("{") { return dump }
    guard let response else { return "A response that is not JSON is accepted" }
    if hasRepeatedKeys(bytes, response) { return nil }
    let forms = [
      Form(space: "", order: .same, isEscaped: false),
      Form(space: " ", order: .same, isEscaped: true),
      Form(space: "\n\t", order: .reversed, isEscaped: false),
      Form(space: "", order: .nestedFirst, isEscaped: false),
      Form(space: " ", order: .nestedFirst, isEscaped: true),
    ]
    for form in forms {
      var text: [UInt8] = []
      form.write(response, to: &text)
      guard let other = self.dump(text) else {
        return "The response is refused in the form \(form)"
      }
      // Objects of custom scalars preserve the order of their members.
      if other != dump, value(other) != value(dump) {
        return "The response in the form \(form) leaves\n\(other)\ninstead of\n\(dump)"
      }
    }
    return nil
  }

  /// Returns the records that a response leaves in an empty store, or the property that the
  /// response violates; `nil` if it is rejected. Read properties are checked only on request,
  /// because a response that links its objects in circles has very many rows.
  static func dump(_ bytes: [UInt8], reads: Bool = false) -> String? {
    let store = RecordStore(
      configuration: .init(
        readLimits: ReadLimits(rows: 2_000, paths: 100), garbageCollection: .manual))
    let reader = ResponseReader(
      plan: store.bind(plan, variables: [:]), root: .root, operationName: "FuzzQuery")
    let empty = store.dump()
    do {
      let response = try reader.response(bytes)
      try store.publish([.commit(response.payload)])
      if reads, let failure = failure(reading: store) { return failure }
      // Publishing the same payload again is a no-op.
      let first = store.dump()
      try store.publish([.commit(response.payload)])
      return store.dump() == first ? first : "Publishing the payload again changes the store"
    } catch {
      return store.dump() == empty ? nil : "A refused response has changed the store"
    }
  }

  private static func value(_ dump: String) -> JSONValue? {
    try? JSONValue(parsing: Array(dump.utf8))
  }

  /// Whether an object has two members with the same key. The value only has the last one.
  private static func hasRepeatedKeys(_ bytes: [UInt8], _ value: JSONValue) -> Bool {
    let count = try? bytes.withUnsafeBufferPointer { buffer in
      var scanner = JSONScanner(buffer)
      return try memberCount(&scanner)
    }
    return count != memberCount(value)
  }

  private static func memberCount(_ scanner: inout JSONScanner) throws -> Int {
    let kind = try scanner.peekKind()
    guard kind == .object || kind == .array else {
      try scanner.skipValue()
      return 0
    }
    try scanner.open(kind)
    var (count, isFirst) = (0, true)
    while try scanner.next(in: kind, isFirst: isFirst) {
      isFirst = false
      if kind == .object {
        _ = try scanner.key()
        count += 1
      }
      count += try memberCount(&scanner)
    }
    return count
  }

  private static func memberCount(_ value: JSONValue) -> Int {
    switch value {
    case .array(let elements): elements.reduce(0) { $0 + memberCount($1) }
    case .object(let object): object.members.reduce(0) { $0 + 1 + memberCount($1.value) }
    default: 0
    }
  }

  /// A form of the same JSON: white space, order of members, escapes.
  private struct Form {
    let space: String
    let order: Order
    let isEscaped: Bool

    /// The order of an object's members. Nested objects keep their order: if two have the same id,
    /// the later one's values win.
    enum Order { case same, reversed, nestedFirst }

    func write(_ value: JSONValue, to text: inout [UInt8]) {
      switch value {
      case .array(let elements):
        list(elements, open: "[", close: "]", to: &text) { write($0, to: &$1) }
      case .object(let object):
        let scalars = object.members.filter { !$0.value.isNested }
        let nested = object.members.filter(\.value.isNested)
        let members =
          switch order {
          case .same: Array(object.members)
          case .reversed: scalars.reversed() + nested
          case .nestedFirst: nested + scalars.reversed()
          }
        list(members, open: "{", close: "}", to: &text) { member, text in
          string(member.key, to: &text)
          text += Array("\(space):\(space)".utf8)
          write(member.value, to: &text)
        }
      case .string(let string): self.string(string, to: &text)
      default: text += Array(value.description.utf8)
      }
    }

    private func list<Element>(
      _ elements: [Element], open: String, close: String, to text: inout [UInt8],
      _ write: (Element, inout [UInt8]) -> Void
    ) {
      text += Array((open + space).utf8)
      for (position, element) in elements.enumerated() {
        if position > 0 { text += Array("\(space),\(space)".utf8) }
        write(element, &text)
      }
      text += Array((space + close).utf8)
    }

    private func string(_ string: String, to text: inout [UInt8]) {
      guard isEscaped else { return text += Array(JSONValue.string(string).description.utf8) }
      text.append(UInt8(ascii: "\""))
      for unit in string.utf16 {
        let digits = String(unit, radix: 16)
        text += Array(("\\u" + String(repeating: "0", count: 4 - digits.count) + digits).utf8)
      }
      text.append(UInt8(ascii: "\""))
    }
  }
}

extension JSONValue {
  fileprivate var isNested: Bool {
    switch self {
    case .array, .object: true
    default: false
    }
  }
}
