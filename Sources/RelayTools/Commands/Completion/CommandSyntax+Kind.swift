import RelayCompiler

extension CommandSyntax.Value {
  /// How a shell completes a value.
  enum Kind { case file, directory, choice, other }

  var kind: Kind {
    if !choices.isEmpty { return .choice }
    if text.contains("DIRECTORY") { return .directory }
    let names = ["FILE", "PATH", "DOCUMENT", "CONFIGURATION"]
    return names.contains(where: text.contains) ? .file : .other
  }
}
