/// The value of one field of a record. A field that was never written has no value.
///
/// Links are separate cases, so no JSON from a server can be mistaken for a link.
package enum FieldValue: Sendable {
  case null
  case bool(Bool)
  /// An integer that fits in `Int` and is spelled as Swift prints it.
  case int(Int)
  /// Any other number, as its digits.
  case number(JSONNumber)
  case string(String)
  /// A custom scalar that is an object.
  case object(JSONObject)
  /// A list of scalars, or a list of lists.
  case list([FieldValue])
  /// A list nested beyond ``listDepthLimit``. Only a custom scalar can contain one.
  case array([JSONValue])
  /// A link to a record.
  case link(RecordIndex)
  /// A list of links to records; ``RecordIndex/none`` stands for null.
  case links([RecordIndex])

  /// The depth at which nested lists are stored as JSON. It bounds the recursion of functions over
  /// a value.
  package static let listDepthLimit = 16

  /// Creates a scalar from JSON.
  package init(_ json: JSONValue) { self.init(json, depth: 0) }

  /// Creates a scalar from JSON that is nested in `depth` lists.
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

  /// Creates a number: an integer if it is spelled as Swift prints it.
  package init(number: JSONNumber) {
    if let int = Int(number.digits), String(int) == number.digits {
      self = .int(int)
    } else {
      self = .number(number)
    }
  }

  /// The scalar as JSON; `nil` if the value is or contains a link.
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

  /// Whether this is a link, a list of links, or a list that contains one.
  package var isLinked: Bool {
    switch self {
    case .link, .links: true
    case .list(let values): values.contains(where: \.isLinked)
    default: false
    }
  }

  /// Calls the closure with every linked record.
  package func forEachLink(_ body: (RecordIndex) -> Void) {
    switch self {
    case .link(let index): body(index)
    case .links(let indexes): for index in indexes where index != .none { body(index) }
    case .list(let values): for value in values { value.forEachLink(body) }
    default: break
    }
  }

  /// Returns the same value with each link's index mapped.
  package func mapLinks(_ transform: (RecordIndex) -> RecordIndex) -> FieldValue {
    switch self {
    case .link(let index): .link(transform(index))
    case .links(let indexes): .links(indexes.map { $0 == .none ? .none : transform($0) })
    case .list(let values) where isLinked: .list(values.map { $0.mapLinks(transform) })
    default: self
    }
  }
}

extension FieldValue: Equatable {
  /// Compares strings by their bytes.
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
