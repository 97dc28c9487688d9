public import RelayStore

extension JSONValue {
  /// The JSON of a value that variables may have: a string, number, truth value, enum, or an array
  /// or optional of such; nothing is null.
  ///
  ///     ["id": JSONValue(todo.id), "tags": JSONValue(todo.tags)]
  public init(_ value: some GraphQLInput) { self = value.__json ?? .null }
}
