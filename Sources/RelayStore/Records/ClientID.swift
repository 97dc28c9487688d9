extension DataID {
  /// The root record of a response to a mutation or a subscription.
  static func responseRoot(_ number: UInt64) -> DataID { DataID("client:local:\(number)") }
}

/// Ids for objects that the client creates, for example in an optimistic response.
///
///     let todo = AddTodoMutation.RawResponse.Todo_addTodo(id: ClientID.unique(), text: text)
///
/// Reverting the optimistic update removes its records. A record with a client id in the base is
/// collected once it is unreachable. The server's response creates a separate record under the
/// server's id. With an outbox, the client's id then stands for that record.
public enum ClientID {
  /// Returns an id that no other object has, in this process or any other.
  public static func unique() -> String {
    let words = (0..<2).map { _ in String(UInt64.random(in: .min ... .max), radix: 36) }
    return "client:local:" + words.joined(separator: "-")
  }

  /// Returns a record id that no other object has, for use in updaters.
  @_disfavoredOverload
  public static func unique() -> DataID { DataID(unique() as String) }
}
