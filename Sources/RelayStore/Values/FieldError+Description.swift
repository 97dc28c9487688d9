extension FieldError: CustomStringConvertible, CustomReflectable {
  /// The path and the message, such as `user.name: Forbidden`.
  public var description: String { path.components.isEmpty ? message : "\(path): \(message)" }

  /// A mirror of the public properties.
  public var customMirror: Mirror {
    Mirror(
      self,
      children: [
        "kind": kind, "message": message, "path": path, "owner": owner,
        "underlying": underlying as Any,
      ], displayStyle: .struct)
  }
}
