/// Two types that were written under one id, although an id belongs to one object.
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
