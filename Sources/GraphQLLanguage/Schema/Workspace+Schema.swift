extension Workspace {
  /// Parses a schema file: SDL, or the answer to an introspection query as JSON.
  ///
  /// A text whose first character is `{`, followed by a string, is JSON; no SDL begins like that.
  public func parseSchema(_ source: Source) -> Parsed {
    parse(source)
  }
}
