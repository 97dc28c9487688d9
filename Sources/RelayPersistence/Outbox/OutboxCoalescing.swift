/// The keys by which waiting mutations of the outbox make each other superfluous.
///
///     // Of several renames of a todo, the last is sent.
///     .init(key: "rename \(todo.id)")
///     // A like and its end cancel each other.
///     .init(key: "like \(photo.id)", cancels: "unlike \(photo.id)")
///
/// An entry that was sent, even without success, is neither replaced nor cancelled, because the
/// server may have executed it; nor is one that another entry depends on.
public struct OutboxCoalescing: Sendable, Hashable {
  /// The key of all entries of which only the last must be sent. They are of one mutation.
  public var key: String
  /// The key of an entry that this one undoes: if it was not sent, neither of them is.
  public var cancels: String?

  /// Creates the value.
  public init(key: String, cancels: String? = nil) {
    self.key = key
    self.cancels = cancels
  }
}
