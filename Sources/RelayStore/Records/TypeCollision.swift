/// Two types that were written under one id, which only one object can have.
public struct TypeCollision: Hashable, Sendable {
  /// The type whose fields were dropped.
  public var old: String
  /// The type that replaced it.
  public var new: String

  package init(old: String, new: String) {
    self.old = old
    self.new = new
  }
}
