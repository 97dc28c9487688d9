/// One value of a ``Row``, for generated code to pass on.
public struct RowSlot: Sendable {
  package enum Value: Sendable {
    /// Under a condition that does not hold, or left out by hand.
    case absent
    case null
    case bool(Bool)
    case int(Int)
    /// A number that is no `Int`, with its digits.
    case number(JSONNumber)
    case string(String)
    /// A custom scalar that is an object.
    case object(JSONObject)
    /// A list of a custom scalar, inside many others.
    case array([JSONValue])
    /// A custom scalar with a Swift type of its own.
    indirect case scalar(any JSONConvertible)
    case row(RowStorage)
    case list(ListStorage)
    /// A type condition that holds, or a spread that refers to this row's own record.
    case here
    /// A spread that refers to something else, in a row built by hand.
    indirect case spread(SpreadReference)
    /// A field with `@catch` in which something failed.
    indirect case failure(FieldErrors)
  }

  package var value: Value

  package init(_ value: Value) { self.value = value }

  /// A slot under a condition that does not hold.
  public static let absent = RowSlot(.absent)

  /// A type condition that holds.
  public static let matches = RowSlot(.here)

  /// A scalar; `nil` in lists of lists of anything else.
  package init(scalar: FieldValue) {
    switch scalar {
    case .null, .link, .links: value = .null
    case .bool(let bool): value = .bool(bool)
    case .int(let int): value = .int(int)
    case .number(let number): value = .number(number)
    case .string(let string): value = .string(string)
    case .object(let object): value = .object(object)
    case .array(let values): value = .array(values)
    case .list(let values): value = .list(ListStorage(values.map(RowSlot.init(scalar:))))
    }
  }

  /// The row, where this is one.
  @usableFromInline
  package var row: RowStorage? { if case .row(let row) = value { row } else { nil } }

  /// Whether there is nothing: null, or absent.
  package var isNil: Bool {
    switch value {
    case .absent, .null: true
    default: false
    }
  }

  package var isReference: Bool {
    if case .here = value { true } else { false }
  }
}
