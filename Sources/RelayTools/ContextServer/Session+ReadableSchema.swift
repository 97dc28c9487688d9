import GraphQLLanguage

extension Session {
  /// Checks that the tools see the entire schema: what follows a syntax error may be missing.
  ///
  /// - Throws: ``ToolFailure`` if the schema has a syntax error or no query type.
  func requireReadableSchema() throws(ToolFailure) {
    let errors = schema.diagnostics.count {
      $0.severity == .error && ["syntax", "introspection"].contains($0.rule)
    }
    if errors == 0, schema.schema.queryType != nil { return }
    let reason = errors == 0 ? "no query type" : errors.counted("error")
    throw ToolFailure(message: "The schema cannot be read: it has \(reason). Call validate.")
  }
}
