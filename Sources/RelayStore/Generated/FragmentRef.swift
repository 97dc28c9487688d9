/// A masked fragment: something that has the fragment's data, without showing it.
///
/// Parents hold references to what their children need; only `read` and `observe` turn one into
/// the fragment's struct. References are equal when they lead to the same record with the same
/// values for the variables that the fragment uses, itself or through those it spreads.
public struct FragmentRef<Fragment: GraphQLFragment>: SlotValue, Hashable {
  package let target: SpreadReference

  package init(_ target: SpreadReference) { self.target = target }

  /// A reference to any record of the store.
  ///
  /// - Parameter variables: Values for the variables that the fragment uses, its own arguments
  ///   included; an argument that is left out has its default.
  public init(id: DataID, variables: Variables = [:]) {
    var values = Fragment.__provided.json
    for member in variables.json.members { values[member.key] = member.value }
    target = .record(
      id,
      VariableScope(
        operation: values.only(Fragment.__plan.used),
        arguments: Fragment.__plan.arguments(from: values)))
  }

  /// A reference that holds the fragment's data itself, for previews and tests; reading it needs
  /// no store.
  public init(_ value: Fragment) { target = .value(value.__row.storage) }

  /// A reference that holds the fragment's data itself, for previews and tests.
  public static func value(_ value: Fragment) -> FragmentRef { FragmentRef(value) }

  public init?(__slot: RowSlot) {
    guard case .spread(let spread) = __slot.value else { return nil }
    target = spread
  }

  public var __slot: RowSlot { RowSlot(.spread(target)) }

  /// The record referred to; `nil` where the reference holds its data itself.
  public var id: DataID? {
    if case .record(let id, _) = target { id } else { nil }
  }
}

extension FragmentRef: CustomStringConvertible, CustomReflectable {
  /// The fragment with the record's id, or with the data that the reference holds.
  public var description: String {
    switch target {
    case .record(let id, let scope):
      let arguments = scope.arguments.isEmpty ? "" : ", \(JSONValue.object(scope.arguments))"
      return "\(Fragment.self)(\(id)\(arguments))"
    case .value(let row): return row.description(of: "\(Fragment.self)")
    case .nothing: return "\(Fragment.self)()"
    }
  }

  /// Nothing inside of it is for readers.
  public var customMirror: Mirror { Mirror(self, children: []) }
}
