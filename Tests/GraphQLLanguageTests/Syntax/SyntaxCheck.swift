#if !FUZZING
  import GraphQLFormatting
  @testable import GraphQLLanguage
#endif

/// A check of the invariants that hold for any bytes.
///
/// A source has errors in source order, or a tree that is the same after printing and parsing. A
/// schema can be built and validated. Both the tests and the fuzzer (`Fuzz/Syntax`) use the check;
/// the fuzzer compiles it together with the module's sources.
enum SyntaxCheck {
  /// The outcome of checking a source.
  enum Outcome: Equatable {
    /// The source has syntax errors, and the errors satisfy the invariants.
    case rejected
    /// The source is a document, or a schema with errors.
    case document
    /// The source is a valid schema.
    case schema
    /// The source violates an invariant.
    case failed(String)
  }

  /// Returns the invariant that a source violates, or `nil` if it satisfies all.
  static func failure(_ bytes: ContiguousArray<UInt8>, in workspace: Workspace = Workspace())
    -> String?
  {
    guard case .failed(let failure) = outcome(bytes, in: workspace) else { return nil }
    return failure
  }

  /// Checks the invariants of a source.
  static func outcome(_ bytes: ContiguousArray<UInt8>, in workspace: Workspace) -> Outcome {
    let parsed = workspace.parse(Source(path: "input", bytes: bytes))
    if let failure = syntaxFailure(of: parsed, bytes, in: workspace) { return .failed(failure) }
    guard parsed.diagnostics.isEmpty else { return introspectionOutcome(bytes, in: workspace) }
    return schemaOutcome(of: parsed.document, in: workspace)
  }

  private static func syntaxFailure(
    of parsed: Parsed, _ bytes: ContiguousArray<UInt8>, in workspace: Workspace
  ) -> String? {
    guard parsed.diagnostics.isEmpty else { return failure(of: parsed, in: workspace) }
    guard !parsed.document.definitions.isEmpty else {
      return "The text has neither a tree nor an error."
    }
    let expected = tree(bytes, workspace)
    let text = parsed.document.text()
    guard tree(ContiguousArray(text.utf8), workspace) == expected else {
      return "The printed text parses as another tree:\n\(text)"
    }
    let again = workspace.parse(Source(text)).document.text()
    guard again.utf8.elementsEqual(text.utf8) else {
      return "The second printing differs from the first:\n\(again)"
    }
    let compact = parsed.document.compactText()
    guard tree(ContiguousArray(compact.utf8), workspace) == expected else {
      return "The compact text parses as another tree:\n\(compact)"
    }
    return formattingFailure(of: bytes)
  }

  private static func formattingFailure(of bytes: ContiguousArray<UInt8>) -> String? {
    guard let formatted = Formatting.format(bytes) else { return "The text cannot be formatted." }
    let text = String(decoding: formatted, as: UTF8.self)
    guard Formatting.isEquivalent(bytes, to: formatted) else {
      return "The formatted text has other tokens:\n\(text)"
    }
    guard Formatting.format(formatted) == formatted else {
      return "Formatting is not idempotent:\n\(text)"
    }
    guard let line = Formatting.formatOnOneLine(bytes) else { return nil }
    let isEqual =
      Formatting.isEquivalent(bytes, to: line) && Formatting.formatOnOneLine(line) == line
    return isEqual ? nil : "The line has other tokens:\n\(String(decoding: line, as: UTF8.self))"
  }

  private static func failure(of parsed: Parsed, in workspace: Workspace) -> String? {
    var last: UInt32?
    for diagnostic in parsed.diagnostics {
      if let last, diagnostic.primarySpan.start <= last { return "Errors are out of order." }
      last = diagnostic.primarySpan.start
      if !diagnostic.message.hasSuffix(".") {
        return "The message is not a sentence: \(diagnostic.message)"
      }
    }
    let renderer = DiagnosticRenderer(workspace)
    let shown = Array(parsed.diagnostics.prefix(2))
    let isEmpty = renderer.text(shown).isEmpty || renderer.json(shown).isEmpty
    // A partial tree must be printable too.
    _ = parsed.document.text()
    return isEmpty ? "The rendered diagnostics are empty." : nil
  }

  private static func tree(_ bytes: ContiguousArray<UInt8>, _ workspace: Workspace) -> [Definition]?
  {
    let source = Source(path: "input", bytes: bytes)
    let parsed = workspace.parse(source, limits: ParserLimits(), recordsSpans: false)
    return parsed.diagnostics.isEmpty ? parsed.document.definitions : nil
  }
}
