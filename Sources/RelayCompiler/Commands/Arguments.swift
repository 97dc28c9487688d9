import GraphQLLanguage

/// A command's arguments, parsed by the options in its ``CommandSyntax``.
///
/// An option's values must not be empty; the first may follow an equals sign, as in
/// `--schema=FILE`. All other arguments are operands, if the syntax has any.
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
      if argument.hasPrefix("--") {
        let parts = argument.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        let name = String(parts[0])
        guard let option = syntax[option: name] else {
          let names = syntax.options.map(\.name).sorted()
          let question = didYouMean(suggestions(for: name, among: names))
          throw Mistake("Unknown option \"\(name)\"." + (question.map { " " + $0 } ?? ""))
        }
        if parts.count > 1 {
          if option.values.isEmpty { throw Mistake("\"\(name)\" takes no value.") }
          rest.insert(String(parts[1]), at: rest.startIndex)
        }
        var found: [String] = []
        for value in option.values {
          found.append(try Self.value(rest.popFirst(), of: name, as: value))
        }
        values[name, default: []].append(found)
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
    if let last = choices.last {
      let list = choices.count > 1 ? choices.dropLast().joined(separator: ", ") + " or " : ""
      let question = value.flatMap { didYouMean(suggestions(for: $0, among: choices)) }
      throw Mistake("\"\(option)\" takes \(list)\(last)." + (question.map { " " + $0 } ?? ""))
    }
    let expected =
      switch (placeholder.text, value) {
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
