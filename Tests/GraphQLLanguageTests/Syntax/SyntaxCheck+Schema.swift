#if !FUZZING
  import GraphQLLanguage
#endif

extension SyntaxCheck {
  /// Checks the invariants of a schema that was read from SDL or introspection JSON.
  ///
  /// The schema is built and validated. Operations in the same document are validated against it in
  /// both modes. The printed schema must have exactly the same errors, so a valid schema remains
  /// valid.
  static func schemaOutcome(of document: Document, in workspace: Workspace) -> Outcome {
    guard document.definitions.contains(where: { !$0.isExecutable }) else { return .document }
    let result = Schema.validated(from: [document], in: workspace)
    if let failure = failure(of: result.diagnostics, in: workspace) { return .failed(failure) }
    if document.definitions.contains(where: \.isExecutable) {
      for mode in [ValidationMode.specification, .relay] {
        let found = result.schema.validate([document], mode: mode)
        if let failure = failure(of: found, in: workspace) { return .failed(failure) }
      }
    }
    let text = document.text()
    let printed = workspace.parse(Source(path: "printed", text))
    guard printed.diagnostics.isEmpty else {
      return .failed("The printed schema cannot be read:\n\(text)")
    }
    let again = Schema.validated(from: [printed.document], in: workspace)
    guard messages(of: again.diagnostics) == messages(of: result.diagnostics) else {
      return .failed("The printed schema has other errors:\n\(text)")
    }
    guard again.schema.types.map(\.symbol) == result.schema.types.map(\.symbol) else {
      return .failed("The printed schema has other types:\n\(text)")
    }
    return result.diagnostics.isEmpty ? .schema : .document
  }

  /// Checks the invariants of a source that may be introspection JSON.
  static func introspectionOutcome(_ bytes: ContiguousArray<UInt8>, in workspace: Workspace)
    -> Outcome
  {
    guard bytes.first == UInt8(ascii: "{") else { return .rejected }
    let parsed = workspace.parseIntrospection(Source(path: "input", bytes: bytes))
    if let failure = failure(of: parsed.diagnostics, in: workspace) { return .failed(failure) }
    // A partial schema is built as well, but it need not be printable.
    guard parsed.diagnostics.isEmpty, !parsed.document.definitions.isEmpty else {
      if !parsed.document.definitions.isEmpty {
        _ = Schema.validated(from: [parsed.document], in: workspace)
      }
      return .rejected
    }
    return schemaOutcome(of: parsed.document, in: workspace)
  }

  private static func failure(of diagnostics: [Diagnostic], in workspace: Workspace) -> String? {
    if let bad = diagnostics.first(where: { !".?".contains($0.message.last ?? " ") }) {
      return "The message is not a sentence: \(bad.message)"
    }
    let shown = Array(diagnostics.prefix(2))
    return DiagnosticRenderer(workspace).text(shown).isEmpty && !shown.isEmpty
      ? "The rendered diagnostics are empty." : nil
  }

  /// Returns rules and messages in an order independent of locations, because introspection JSON
  /// has none.
  private static func messages(of diagnostics: [Diagnostic]) -> [String] {
    diagnostics.map { "\($0.rule): \($0.message)" }.sorted()
  }
}
