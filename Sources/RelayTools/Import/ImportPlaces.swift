import GraphQLLanguage

/// The locations of an imported project's items, relative to the configuration's folder.
struct ImportPlaces {
  private let renderer: DiagnosticRenderer
  /// The common prefix of all source paths, which ends with the configuration's folder.
  private let prefix: String

  init(_ workspace: Workspace, prefix: String) {
    renderer = DiagnosticRenderer(workspace)
    self.prefix = prefix
  }

  /// Returns `path:line`, or an empty string for a span that is in no source.
  func place(of span: Span) -> String {
    guard let location = renderer.location(of: span) else { return "" }
    let path = location.path
    let name = path.hasPrefix(prefix) ? String(path.dropFirst(prefix.count)) : path
    return "\(name):\(location.line)"
  }
}
