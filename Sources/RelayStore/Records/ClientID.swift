extension DataID {
  /// The root record of a response to a mutation or a subscription.
  static func responseRoot(_ number: UInt64) -> DataID { DataID("client:local:\(number)") }
}

/// Ids of objects that the client makes, such as those of an optimistic response.
///
///     let todo = AddTodoMutation.RawResponse.Todo_addTodo(id: ClientID.unique(), text: text)
///
/// A record with such an id exists until its optimistic update is reverted, or as long as something
/// reaches it. The response brings another record, with the server's id.
public enum ClientID {
  /// Returns an id that no other object has, in this or another process.
  public static func unique() -> String {
    let words = (0..<2).map { _ in String(UInt64.random(in: .min ... .max), radix: 36) }
    return "client:local:" + words.joined(separator: "-")
  }

  /// Returns the id of a record that no other object has, for updaters.
  @_disfavoredOverload
  public static func unique() -> DataID { DataID(unique() as String) }
}
