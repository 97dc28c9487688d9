public import RelayStore

extension JSONValue {
  /// Creates JSON from a value that a variable can have: a string, number, Boolean, enum, or an
  /// array or optional of such values; `nil` becomes null.
  ///
  ///     ["id": JSONValue(todo.id), "tags": JSONValue(todo.tags)]
  public init(_ value: some GraphQLInput) { self = value.__json ?? .null }
}
