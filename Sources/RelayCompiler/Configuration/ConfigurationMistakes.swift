/// Mistakes in the values of a configuration, before they are located in its text.
struct ConfigurationMistakes: Error {
  /// The messages, each with the keys that lead to its value, such as `persistConfig.url`; at least one.
  private let mistakes: [(message: String, key: String)]

  init(_ mistakes: [(message: String, key: String)]) { self.mistakes = mistakes }

  init(_ message: String, at key: String) { mistakes = [(message, key)] }

  /// Returns the error for the user.
  func error(in file: JSONFile) -> ConfigurationError {
    ConfigurationError(mistakes.map { ($0.message, file.location(ofKey: $0.key)) })
  }
}
