/// A bound of the time that one run spends on suggestions: a file can have many mistakes, and a
/// schema many names.
package final class SuggestionBudget {
  /// The number of names that are compared with misspelled ones in one run.
  package static let limit = 100_000

  private var rest: Int

  package init(_ limit: Int = SuggestionBudget.limit) { rest = limit }

  /// Spends the comparison of a number of names.
  ///
  /// - Returns: Whether they may be compared. Once the budget is spent, none are.
  func spend(_ count: Int) -> Bool {
    if rest <= 0 || count > rest {
      rest = 0
      return false
    }
    rest -= count
    return true
  }

  /// Returns a question such as `Did you mean "a"?`; `nil` if no name is similar, or the budget is
  /// spent.
  ///
  /// - Parameters:
  ///   - names: Not evaluated once the budget is spent.
  ///   - subject: The kind of name that is suggested, such as `the enum value`.
  package func didYouMean(
    _ name: String, among names: @autoclosure () -> some Collection<String>, subject: String? = nil
  ) -> String? {
    if rest <= 0 { return nil }
    let names = names()
    guard spend(names.count) else { return nil }
    return GraphQLLanguage.didYouMean(suggestions(for: name, among: names), subject: subject)
  }
}
