/// One value of a ``Row``, opaque to generated code.
public struct RowSlot: Sendable {
  package enum Value: Sendable {
    /// A slot under a condition that does not hold, or omitted from a value built by client code.
    case absent
    case null
    case bool(Bool)
    case int(Int)
    /// A number that does not fit `Int`, with its digits.
    case number(JSONNumber)
    case string(String)
    /// A custom scalar that is an object.
    case object(JSONObject)
    /// A deeply nested list of a custom scalar.
    case array([JSONValue])
    /// A custom scalar with its own Swift type.
    indirect case scalar(any JSONConvertible)
    case row(RowBox)
    case list(ListBuffer)
    /// A type condition that holds, or a spread that refers to this row's own record.
    case selfReference
    /// A spread that refers to something else, in a handmade row.
    indirect case spread(SpreadReference)
    /// The errors of a field with `@catch`, if a field inside it failed.
    indirect case failure(FieldErrors)
  }

  package var value: Value

  package init(_ value: Value) { self.value = value }

  /// A slot under a condition that does not hold.
  public static let absent = RowSlot(.absent)

  /// A type condition that holds.
  public static let matches = RowSlot(.selfReference)

  /// Creates the slot of a scalar. Links are null.
  package init(scalar: FieldValue) {
    switch scalar {
    case .null, .link, .links: value = .null
    case .bool(let bool): value = .bool(bool)
    case .int(let int): value = .int(int)
    case .number(let number): value = .number(number)
    case .string(let string): value = .string(string)
    case .object(let object): value = .object(object)
    case .array(let values): value = .array(values)
    case .list(let values): value = .list(ListBuffer(values.map(RowSlot.init(scalar:))))
    }
  }

  /// The row, if the slot holds one.
  @usableFromInline
  package var row: RowBox? { if case .row(let row) = value { row } else { nil } }

  /// Whether the slot is null or absent.
  package var isNil: Bool {
    switch value {
    case .absent, .null: true
    default: false
    }
  }

  var isSelfReference: Bool {
    if case .selfReference = value { true } else { false }
  }
}
