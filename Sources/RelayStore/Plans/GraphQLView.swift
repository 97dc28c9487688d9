/// A struct over a row: every generated struct that shows data.
public protocol GraphQLView: Sendable, Hashable, CustomReflectable {
  /// What the properties are computed from.
  var __row: Row { get }
  init(__row: Row)
}

extension GraphQLView {
  public static func == (left: Self, right: Self) -> Bool { left.__row == right.__row }

  public func hash(into hasher: inout Hasher) { hasher.combine(__row) }

  /// Declared so that a field called `hashValue` does not take its place.
  public var hashValue: Int { __row.hashValue }

  /// The fields with their values, for `print`, `dump`, the debugger and failing tests.
  public var customMirror: Mirror { __row.storage.mirror(of: self) }
}

/// A struct with a plan of its own: data of an operation, a fragment, or an object inside one.
public protocol GraphQLSelection: GraphQLView, RowValue {
  /// What the row's slots are.
  static var __plan: Plan { get }
}

extension GraphQLSelection {
  public init?(__slot: Slot) {
    guard case .row(let row) = __slot.value else { return nil }
    self.init(__row: Row(row))
  }

  public var __slot: Slot { Slot(.row(__row.storage)) }
}

/// A named fragment; the struct is a snapshot of its data.
public protocol GraphQLFragment: GraphQLSelection {
  /// What reading it throws.
  associatedtype __Failure: ReadFailure = Never
  /// The values of the variables that providers fill.
  static var __provided: Variables { get }
}

extension GraphQLFragment {
  public static var __provided: Variables { [:] }
}

extension RowStorage {
  /// A mirror with the fields of the row as children.
  func mirror(of subject: Any) -> Mirror {
    let children = zip(plan.slots, slots).compactMap { slot, value -> Mirror.Child? in
      guard case .field(let field) = slot.content else { return nil }
      if case .absent = value.value { return nil }
      return (field.responseKey, value.reflected)
    }
    return Mirror(subject, children: children, displayStyle: .struct)
  }
}

extension Slot {
  /// The value as it is shown in a mirror.
  fileprivate var reflected: Any {
    switch value {
    case .absent, .null, .here, .spread: Optional<Any>.none as Any
    case .bool(let value): value
    case .int(let value): value
    case .number(let value): value
    case .string(let value): value
    case .object(let value): JSONValue.object(value)
    case .scalar(let value): value
    case .row(let row): ReflectedRow(row: row)
    case .list(let list): list.slots.map(\.reflected)
    case .failure(let errors): errors
    }
  }
}

/// A nested object in a mirror; printed as its type with the fields.
private struct ReflectedRow: CustomReflectable, CustomDebugStringConvertible {
  let row: RowStorage

  var debugDescription: String {
    let fields = customMirror.children.map { child in
      (child.label.map { $0 + ": " } ?? "") + String(reflecting: child.value)
    }
    return "\(row.plan.typeName)(\(fields.joined(separator: ", ")))"
  }

  var customMirror: Mirror { row.mirror(of: self) }
}
