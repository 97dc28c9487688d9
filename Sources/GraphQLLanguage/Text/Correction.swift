/// The names in a diagnostic's message that a tool needs to correct the mistake.
package enum Correction: Hashable, Sendable {
  /// A name or value is wrong, and resembles others; the most similar comes first.
  case replacement(of: Span, with: [String])
  /// The field belongs to these types instead of its parent type.
  case inlineFragment(on: [String])
  /// A required argument is missing.
  case argument(String)
}
