import GraphQLLanguage

extension [Diagnostic] {
  /// Appends a diagnostic at a span, with an optional label at another one.
  mutating func report(
    severity: Severity = .error, rule: String, message: String, at span: Span,
    label: Diagnostic.Label? = nil, help: String? = nil, correction: Correction? = nil
  ) {
    var diagnostic = Diagnostic(
      severity: severity, rule: rule, message: message, at: span,
      labels: label.map { [$0] } ?? [], help: help)
    diagnostic.correction = correction
    append(diagnostic)
  }
}
