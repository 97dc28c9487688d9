/// The options and operands of a command, parsed from its syntax string.
///
/// In `[--config FILE] [--format text|json] [--file PATH NAME]… [DOCUMENT…]`, an option is a name
/// with two dashes followed by its values. If the values are lowercase, as in `text|json`, the
/// option accepts only those. All other words are operands.
package struct CommandSyntax {
  package struct Option {
    package let name: String
    /// The placeholders of the values.
    package fileprivate(set) var values: [Value] = []
    package fileprivate(set) var isRepeatable = false
  }

  /// The placeholder of an option's value or of an operand.
  package struct Value: Equatable {
    /// The placeholder as help shows it, such as `FILE` or `"NAME: VALUE"`.
    package let text: String

    /// The accepted values; empty if any value is.
    package var choices: [String] {
      let parts = text.split(separator: "|").map(String.init)
      return parts.filter { $0.first?.isLowercase == true }
    }
  }

  /// The options, in the order of their first occurrences.
  package private(set) var options: [Option] = []
  package private(set) var operands: [Value] = []

  package init(_ syntax: String) {
    for group in syntax.split(whereSeparator: "[]()".contains) {
      let words = Self.words(of: group)
      // A group of its own that only repeats the group before.
      if words == ["…"], let last = options.indices.last { options[last].isRepeatable = true }
      read(words.filter { $0 != "…" })
    }
  }

  package subscript(option name: String) -> Option? { options.first { $0.name == name } }

  private mutating func read(_ words: [String]) {
    var current: Int?
    for word in words {
      if word.hasPrefix("--") {
        current = options.firstIndex { $0.name == word }
        if let current {
          options[current] = Option(name: word, isRepeatable: true)
        } else {
          current = options.count
          options.append(Option(name: word))
        }
      } else if word == "|" {
        current = nil
      } else {
        let value = Value(text: word.filter { $0 != "…" })
        if let current {
          options[current].values.append(value)
          if word.hasSuffix("…") { options[current].isRepeatable = true }
        } else if !operands.contains(value) {
          operands.append(value)
        }
      }
    }
  }

  /// Splits a string at spaces that are not inside quotes.
  private static func words(of text: Substring) -> [String] {
    var isQuoted = false
    return text.split { character in
      if character == "\"" { isQuoted.toggle() }
      return character == " " && !isQuoted
    }.map(String.init)
  }
}
