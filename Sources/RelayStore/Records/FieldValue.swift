/// What a record holds for one storage key. A field that was never written has none.
///
/// A link is a case of its own, so no JSON that a server sends can pass for one.
package enum FieldValue: Sendable {
  case null
  case bool(Bool)
  /// An integer that fits and is written as Swift writes it.
  case int(Int)
  /// Any other number, with its digits.
  case number(JSONNumber)
  case string(String)
  /// A custom scalar that is an object.
  case object(JSONObject)
  /// A list of scalars, or of lists.
  case list([FieldValue])
  /// A list inside so many others that only a custom scalar can have it.
  case array([JSONValue])
  /// Another record.
  case link(RecordIndex)
  /// A list of records; ``RecordIndex/none`` stands for null.
  case links([RecordIndex])

  /// How many lists may be inside one another before they are kept as JSON; what looks at those that
  /// are not may be recursive.
  package static let listDepthLimit = 16

  /// A scalar from JSON.
  package init(_ json: JSONValue) { self.init(json, depth: 0) }

  /// A scalar from JSON that is inside so many lists.
  private init(_ json: JSONValue, depth: Int) {
    switch json {
    case .null: self = .null
    case .bool(let value): self = .bool(value)
    case .number(let value): self = FieldValue(number: value)
    case .string(let value): self = .string(value)
    case .array(let values) where depth >= Self.listDepthLimit: self = .array(values)
    case .array(let values): self = .list(values.map { FieldValue($0, depth: depth + 1) })
    case .object(let value): self = .object(value)
    }
  }

  /// A number, as an integer where its digits are those of one.
  package init(number: JSONNumber) {
    if let int = Int(number.digits), String(int) == number.digits {
      self = .int(int)
    } else {
      self = .number(number)
    }
  }

  /// The scalar as JSON; `nil` where it is or contains a link.
  package var json: JSONValue? {
    switch self {
    case .null: .null
    case .bool(let value): .bool(value)
    case .int(let value): .number(JSONNumber(value))
    case .number(let value): .number(value)
    case .string(let value): .string(value)
    case .object(let value): .object(value)
    case .array(let values): .array(values)
    case .list(let values):
      values.reduce(into: [] as [JSONValue]?) { all, value in
        if let json = value.json { all?.append(json) } else { all = nil }
      }.map(JSONValue.array)
    case .link, .links: nil
    }
  }

  /// Whether this is a link, a list of links, or a list of such lists.
  package var isLinked: Bool {
    switch self {
    case .link, .links: true
    case .list(let values): values.contains(where: \.isLinked)
    default: false
    }
  }

  /// Every record linked from here.
  package func forEachLink(_ body: (RecordIndex) -> Void) {
    switch self {
    case .link(let index): body(index)
    case .links(let indexes): for index in indexes where index != .none { body(index) }
    case .list(let values): for value in values { value.forEachLink(body) }
    default: break
    }
  }

  /// The same value with its links renumbered.
  package func mapLinks(_ renumber: (RecordIndex) -> RecordIndex) -> FieldValue {
    switch self {
    case .link(let index): .link(renumber(index))
    case .links(let indexes): .links(indexes.map { $0 == .none ? .none : renumber($0) })
    case .list(let values) where isLinked: .list(values.map { $0.mapLinks(renumber) })
    default: self
    }
  }
}

extension FieldValue: Equatable {
  /// Strings are compared by their bytes.
  package static func == (left: FieldValue, right: FieldValue) -> Bool {
    switch (left, right) {
    case (.null, .null): true
    case (.bool(let a), .bool(let b)): a == b
    case (.int(let a), .int(let b)): a == b
    case (.number(let a), .number(let b)): a == b
    case (.string(let a), .string(let b)): a.hasSameBytes(as: b)
    case (.object(let a), .object(let b)): a == b
    case (.list(let a), .list(let b)): a == b
    case (.array(let a), .array(let b)): JSONValue.array(a) == .array(b)
    case (.list, .array), (.array, .list): left.json == right.json
    case (.link(let a), .link(let b)): a == b
    case (.links(let a), .links(let b)): a == b
    default: false
    }
  }
}
