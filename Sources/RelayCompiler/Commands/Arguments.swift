import GraphQLLanguage

/// A command's arguments, parsed by the options in its syntax string.
///
/// In `[--config FILE] [--format text|json] [--file PATH NAME]… [DOCUMENT…]`, an option is a name
/// with two dashes followed by its values, which must not be empty. If the values are lowercase, as
/// in `text|json`, the option accepts only those. All other arguments are operands, if the syntax
/// has any.
package struct Arguments {
  /// An error in the arguments.
  package struct Mistake: Error {
    let message: String

    package init(_ message: String) { self.message = message }
  }

  /// The arguments that are neither options nor option values.
  package private(set) var operands: [String] = []
  /// The values of each option, one array per occurrence.
  private var values: [String: [[String]]] = [:]

  /// Reads command-line arguments.
  ///
  /// - Throws: ``Mistake`` when an argument is unknown, or an option's value is missing or not
  ///   accepted.
  init(_ arguments: [String], syntax: String) throws(Mistake) {
    let (options, hasOperands) = Self.read(syntax)
    var rest = arguments[...]
    while let argument = rest.popFirst() {
      if let parameters = options[argument] {
        var found: [String] = []
        for parameter in parameters {
          found.append(try Self.value(rest.popFirst(), of: argument, as: parameter))
        }
        values[argument, default: []].append(found)
      } else if argument.hasPrefix("--") {
        let question = didYouMean(suggestions(for: argument, among: options.keys.sorted()))
        throw Mistake("Unknown option \"\(argument)\"." + (question.map { " " + $0 } ?? ""))
      } else if hasOperands {
        operands.append(argument)
      } else {
        throw Mistake("Unknown argument \"\(argument)\".")
      }
    }
  }

  /// Returns the value placeholders of each option, and whether the syntax has operands.
  private static func read(_ syntax: String) -> (options: [String: [String]], hasOperands: Bool) {
    var options: [String: [String]] = [:]
    var hasOperands = false
    for part in syntax.split(whereSeparator: "[]()".contains) {
      var option: String?
      // Skip the first word of a quoted placeholder such as `"NAME: VALUE"`.
      for word in part.split(separator: " ") where word != "…" && !word.hasSuffix(":") {
        if word.hasPrefix("--") {
          option = String(word)
          options[String(word)] = []
        } else if word == "|" {
          option = nil
        } else if let option {
          options[option]?.append(word.filter { $0 != "…" })
        } else {
          hasOperands = true
        }
      }
    }
    return (options, hasOperands)
  }

  /// Returns `value` if the option accepts it; otherwise throws an error.
  private static func value(
    _ value: String?, of option: String, as parameter: String
  ) throws(Mistake) -> String {
    let choices = parameter.split(separator: "|").filter { $0.first?.isLowercase == true }
    if let value, choices.isEmpty ? !value.isEmpty : choices.contains(Substring(value)) {
      return value
    }
    let expected =
      switch (parameter, value) {
      case _ where !choices.isEmpty: "takes " + choices.joined(separator: " or ")
      case ("FILE", nil): "takes a file"
      case ("DIRECTORY", nil): "takes a directory"
      default: "needs a value"
      }
    throw Mistake("\"\(option)\" \(expected).")
  }

  /// The value of a single-value option; the last one if the option is repeated.
  package subscript(option: String) -> String? { values[option]?.last?.first }

  /// Returns whether an option is given.
  package func has(_ option: String) -> Bool { values[option] != nil }

  /// Returns the values of a repeatable option.
  package func all(_ option: String) -> [[String]] { values[option] ?? [] }
}
