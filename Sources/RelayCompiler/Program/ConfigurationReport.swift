import GraphQLLanguage

/// A collector of diagnostics about schema names in a configuration, located in its file.
struct ConfigurationReport {
  private let configuration: ConfigurationSource?
  private let rule: String
  private let member: String
  private let severity: Severity
  private let suggestionBudget = SuggestionBudget()
  private(set) var diagnostics: [Diagnostic] = []

  /// - Parameters:
  ///   - member: The configuration member that contains the names.
  ///   - configuration: The file to locate mistakes in; `nil` if there is none.
  init(
    of member: String, in configuration: ConfigurationSource?, rule: String,
    severity: Severity = .error
  ) {
    self.configuration = configuration
    self.member = member
    self.rule = rule
    self.severity = severity
  }

  /// Adds a mistake.
  ///
  /// - Parameters:
  ///   - name: The wrong name, as written in the file.
  ///   - owner: A name that precedes it in the member.
  ///   - misspelled: The component of the name that may be misspelled, if it is not the entire
  ///     name.
  ///   - names: The candidates for suggestions.
  mutating func add(
    _ message: String, at name: String, after owner: String? = nil,
    suggesting misspelled: String? = nil,
    among names: @autoclosure () -> [String] = []
  ) {
    let location = configuration?.location(of: name, in: member, after: owner)
    diagnostics.append(
      Diagnostic(
        severity: severity, rule: rule, message: message, locations: location.map { [$0] } ?? [],
        help: suggestionBudget.didYouMean(misspelled ?? name, among: names())))
  }
}

extension Schema {
  /// Returns the names of the types that satisfy a condition.
  func typeNames(where condition: (NamedType) -> Bool) -> [String] {
    types.filter(condition).map { symbols[$0.symbol] }
  }
}
