import GraphQLLanguage

/// A command's arguments, parsed by the options in its ``CommandSyntax``.
///
/// An option's values must not be empty. All other arguments are operands, if the syntax has any.
package struct Arguments {
  /// An error in the arguments.
  package struct Mistake: Error {
    let message: String

    package init(_ message: String) { self.message = message.onOneLine }
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
    let syntax = CommandSyntax(syntax)
    var rest = arguments[...]
    while let argument = rest.popFirst() {
      if let option = syntax[option: argument] {
        var found: [String] = []
        for value in option.values {
          found.append(try Self.value(rest.popFirst(), of: argument, as: value))
        }
        values[argument, default: []].append(found)
      } else if argument.hasPrefix("--") {
        let names = syntax.options.map(\.name).sorted()
        let question = didYouMean(suggestions(for: argument, among: names))
        throw Mistake("Unknown option \"\(argument)\"." + (question.map { " " + $0 } ?? ""))
      } else if !syntax.operands.isEmpty {
        operands.append(argument)
      } else {
        throw Mistake("Unknown argument \"\(argument)\".")
      }
    }
  }

  /// Returns `value` if the option accepts it; otherwise throws an error.
  private static func value(
    _ value: String?, of option: String, as placeholder: CommandSyntax.Value
  ) throws(Mistake) -> String {
    let choices = placeholder.choices
    if let value, choices.isEmpty ? !value.isEmpty : choices.contains(value) { return value }
    let expected =
      switch (placeholder.text, value) {
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
