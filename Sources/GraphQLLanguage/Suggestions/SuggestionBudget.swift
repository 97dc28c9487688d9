/// A limit on the time one run spends on suggestions. A file can have many mistakes, and a schema
/// many names.
package final class SuggestionBudget {
  /// The number of candidate names that one run may compare.
  package static let limit = 100_000

  private var rest: Int

  package init(_ limit: Int = SuggestionBudget.limit) { rest = limit }

  /// Spends the comparison of `count` names.
  ///
  /// - Returns: Whether the names may be compared; always `false` once the budget is exhausted.
  func spend(_ count: Int) -> Bool {
    if rest <= 0 || count > rest {
      rest = 0
      return false
    }
    rest -= count
    return true
  }

  /// Returns the names most similar to a misspelled one, at most five; none if the budget is
  /// exhausted.
  ///
  /// - Parameter names: The candidates; not evaluated once the budget is exhausted.
  func suggestions(
    for name: String, among names: @autoclosure () -> some Collection<String>
  ) -> [String] {
    if rest <= 0 { return [] }
    let names = names()
    guard spend(names.count) else { return [] }
    return Array(GraphQLLanguage.suggestions(for: name, among: names).prefix(5))
  }

  /// Returns a question such as `Did you mean "a"?`, or `nil` if no name is similar or the budget
  /// is exhausted.
  ///
  /// - Parameters:
  ///   - names: The candidates; not evaluated once the budget is exhausted.
  ///   - subject: The kind of name suggested, such as `the enum value`.
  package func didYouMean(
    _ name: String, among names: @autoclosure () -> some Collection<String>, subject: String? = nil
  ) -> String? {
    GraphQLLanguage.didYouMean(suggestions(for: name, among: names()), subject: subject)
  }
}
