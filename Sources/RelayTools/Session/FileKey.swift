/// The identity of a file in a session: its path, and the module that it belongs to.
struct FileKey: Hashable {
  /// The module; `nil` for the module being compiled.
  var module: String?
  let path: String
}
