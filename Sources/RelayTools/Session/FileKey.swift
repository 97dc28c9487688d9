/// The identity of a file in a session: its path, and the module that it belongs to.
struct FileKey: Hashable {
  /// The module, or `nil` for the module that is compiled.
  var module: String?
  let path: String
}
