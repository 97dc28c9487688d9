import GraphQLLanguage

extension [Diagnostic] {
  /// Appends an error at a span, with an optional label at another one.
  mutating func report(
    rule: String, message: String, at span: Span, label: Diagnostic.Label? = nil,
    help: String? = nil
  ) {
    append(
      Diagnostic(
        rule: rule, message: message, at: span, labels: label.map { [$0] } ?? [], help: help))
  }
}
