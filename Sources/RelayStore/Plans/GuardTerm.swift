/// One alternative of a guard.
enum GuardTerm: Hashable, Sendable {
  /// `@include(if: $name)`, or `@skip(if: $name)` if `passes` is `false`.
  case variable(name: String, passes: Bool)
  /// `@defer`: the selection is included, but may be missing until the part has arrived.
  case deferred(DeferredPart)

  /// The deferred part; `nil` for a variable.
  package var deferredPart: DeferredPart? {
    if case .deferred(let part) = self { part } else { nil }
  }

  /// Whether the variables satisfy the term.
  func holds(_ variables: JSONObject) -> Bool {
    guard case .variable(let name, let passes) = self else { return false }
    return variables[name]?.bool == passes
  }
}
