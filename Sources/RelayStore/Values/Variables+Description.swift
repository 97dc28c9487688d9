extension Variables: CustomStringConvertible, CustomReflectable {
  /// The names and values, without omitted ones, such as `["first": 10]`.
  public var description: String {
    let entries = given.map { "\"\($0.name)\": \(String(reflecting: $0.value))" }
    return entries.isEmpty ? "[:]" : "[\(entries.joined(separator: ", "))]"
  }

  /// A mirror of the values that are not omitted.
  public var customMirror: Mirror {
    Mirror(self, children: given.map { ($0.name, $0.value) }, displayStyle: .struct)
  }

  /// The Swift values; the JSON values if there are none.
  private var given: [(name: String, value: Any)] {
    inputs.isEmpty
      ? json.keys.map { ($0, json[$0] as Any) }
      : inputs.filter { $0.value.__json != nil || !$0.value.__uploads.isEmpty }
        .map { ($0.name, $0.value) }
  }
}

extension GraphQLNullable: CustomDebugStringConvertible {
  /// `none`, `null`, or `some` with the value, such as `some(10)`.
  public var debugDescription: String {
    switch self {
    case .none: "none"
    case .null: "null"
    case .some(let value): "some(\(String(reflecting: value)))"
    }
  }
}
