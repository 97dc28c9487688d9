/// A masked fragment: an opaque reference to the fragment's data.
///
/// A parent holds references to its children's data; only `read` and `observe` turn a reference
/// into the fragment's struct. References are equal if they refer to the same record with equal
/// values of the variables that the fragment uses, directly or through the fragments it spreads.
public struct FragmentRef<Fragment: GraphQLFragment>: SlotValue, Hashable {
  @usableFromInline package let target: SpreadReference

  package init(_ target: SpreadReference) { self.target = target }

  /// Creates a reference to a record of the store.
  ///
  /// - Parameters:
  ///   - id: The id of a record of the fragment's type.
  ///   - variables: The values of the variables that the fragment uses, including its own
  ///     arguments; an omitted argument takes its default.
  public init(id: DataID, variables: Variables = [:]) {
    var values = Fragment.__provided.json
    for member in variables.json.members { values[member.key] = member.value }
    target = .record(
      id,
      VariableScope(
        operation: values.only(Fragment.__plan.used),
        arguments: Fragment.__plan.arguments(from: values)))
  }

  /// Creates a reference that contains the fragment's data, for previews and tests. Reading it
  /// needs no store.
  public init(_ value: Fragment) { target = .value(value.__row.box) }

  /// Returns a reference that contains the fragment's data, for previews and tests.
  public static func value(_ value: Fragment) -> FragmentRef { FragmentRef(value) }

  public init?(__slot: RowSlot) {
    guard case .spread(let spread) = __slot.value else { return nil }
    target = spread
  }

  public var __slot: RowSlot { RowSlot(.spread(target)) }

  /// The id of the record; `nil` if the reference contains its data.
  public var id: DataID? {
    if case .record(let id, _) = target { id } else { nil }
  }
}

extension FragmentRef: CustomStringConvertible, CustomReflectable {
  /// The fragment's name with the record's id, or with the data in the reference.
  public var description: String {
    switch target {
    case .record(let id, let scope):
      let arguments = scope.arguments.isEmpty ? "" : ", \(JSONValue.object(scope.arguments))"
      return "\(Fragment.self)(\(id)\(arguments))"
    case .value(let row): return row.description(of: "\(Fragment.self)")
    case .nothing: return "\(Fragment.self)()"
    }
  }

  /// A mirror without children, because the data is masked.
  public var customMirror: Mirror { Mirror(self, children: []) }
}
