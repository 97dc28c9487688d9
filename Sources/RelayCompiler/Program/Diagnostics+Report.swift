import GraphQLLanguage

extension [Diagnostic] {
  /// Appends a diagnostic at a span, with an optional label at another one.
  mutating func report(
    severity: Severity = .error, rule: String, message: String, at span: Span,
    label: Diagnostic.Label? = nil, help: String? = nil
  ) {
    append(
      Diagnostic(
        severity: severity, rule: rule, message: message, at: span,
        labels: label.map { [$0] } ?? [], help: help))
  }
}
