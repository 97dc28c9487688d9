import GraphQLLanguage

/// A configuration file as a source, so that diagnostics can point into it.
package struct ConfigurationSource {
  private let source: SourceID
  private let tokens: [JSONScan.Token]

  /// Adds a configuration to a workspace.
  ///
  /// - Parameter configuration: A file that has already been read as JSON.
  init(_ configuration: Source, in workspace: Workspace) {
    source = workspace.add(configuration)
    tokens = JSONScan(configuration.bytes).tokens
  }

  /// Returns the location of a name within a member of the root object. Falls back to the member if
  /// the name is written with escapes, and to the start of the file if the member is as well.
  ///
  /// - Parameter owner: A name that precedes the searched one in the member.
  package func location(of name: String, in member: String, after owner: String? = nil) -> Span {
    let all = tokens.filter { $0.member == member }
    var rest = all.dropFirst()
    if let owner { rest = rest.drop { $0.text != owner }.dropFirst() }
    guard let found = rest.first(where: { $0.text == name }) ?? all.first else {
      return Span(start: 0, end: 0, source: source)
    }
    let start = UInt32(truncatingIfNeeded: found.start)
    return Span(start: start, end: start + UInt32(found.text.utf8.count), source: source)
  }
}
