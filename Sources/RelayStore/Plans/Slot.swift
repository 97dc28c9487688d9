/// One value of a ``Row``, for generated code to pass on.
public struct Slot: Sendable {
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
    indirect case scalar(any CustomScalar)
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
  public static let absent = Slot(.absent)

  /// A type condition that holds.
  public static let matches = Slot(.here)

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
    case .list(let values): value = .list(ListStorage(values.map(Slot.init(scalar:))))
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

extension Slot: Hashable {
  public static func == (left: Slot, right: Slot) -> Bool {
    switch (left.value, right.value) {
    // Both are `nil` to who reads them, and what is built by hand cannot tell them apart.
    case (.absent, .absent), (.null, .null), (.absent, .null), (.null, .absent): true
    case (.here, .here): true
    case (.bool(let a), .bool(let b)): a == b
    case (.int(let a), .int(let b)): a == b
    case (.number(let a), .number(let b)): a == b
    case (.string(let a), .string(let b)): a.hasSameBytes(as: b)
    case (.object(let a), .object(let b)): a == b
    case (.array(let a), .array(let b)): JSONValue.array(a) == .array(b)
    case (.list, .array), (.array, .list): JSONValue(left) == JSONValue(right)
    case (.scalar(let a), .scalar(let b)): a.isEqual(to: b)
    case (.row(let a), .row(let b)): Row(a) == Row(b)
    case (.list(let a), .list(let b)): a.isEqual(to: b)
    case (.spread(let a), .spread(let b)): a == b
    case (.failure(let a), .failure(let b)): a == b
    default: false
    }
  }

  public func hash(into hasher: inout Hasher) {
    switch value {
    case .absent, .null: hasher.combine(0 as UInt8)
    // A spread of a row that was read may equal one of a row built by hand.
    case .here, .spread: hasher.combine(2 as UInt8)
    case .bool(let value): hasher.combine(value)
    // Numbers of one value may have different digits.
    case .int(let value): hasher.combine(Double(value))
    case .number(let value): hasher.combine(value.double ?? 0)
    case .string(let value): value.hashBytes(into: &hasher)
    case .object(let value): hasher.combine(value)
    case .array(let values): hasher.combine(JSONValue.array(values))
    case .scalar(let value): hasher.combine(value)
    case .row(let row): hasher.combine(row.slots)
    case .list(let list): hasher.combine(list.slots)
    case .failure(let errors): hasher.combine(errors)
    }
  }
}
