import GraphQLLanguage

/// The help of a program and its commands, for a terminal.
struct CommandHelp {
  let program: String
  let commands: [Command]
  let terminal: Terminal

  /// The narrowest column for explanations next to the names; they are below the names otherwise.
  private static let narrowest = 30

  /// The list of commands.
  var overview: String {
    let rows = commands.map { ($0.words, $0.brief) }
    let closing = "\"\(program) help COMMAND\" explains a command and its options."
    return terminal.bold("usage:") + " \(program) COMMAND …\n       \(program) --version\n\n"
      + list(rows) + "\n" + paragraph(closing)
  }

  /// Returns the commands that words name: one, or all with the same first word.
  ///
  /// - Throws: ``Arguments/Mistake`` if there is none.
  func commands(named words: [String]) throws(Arguments.Mistake) -> [Command] {
    let named = commands.filter { $0.name == words.first }
    guard let name = words.first, !named.isEmpty else {
      throw .init(unknown(words.first ?? ""))
    }
    if words.count < 2 || named.contains(where: \.action.isEmpty) { return named }
    let chosen = named.filter { $0.action == words[1] }
    if chosen.isEmpty { throw .init(Self.unknownAction(words[1], of: name, among: named)) }
    return chosen
  }

  /// Returns the message about an unknown command.
  func unknown(_ name: String) -> String {
    let question = didYouMean(suggestions(for: name, among: Set(commands.map(\.name)).sorted()))
    return
      "Unknown command \"\(name)\".\(question.map { " " + $0 } ?? "") \"\(program) help\" lists the commands."
  }

  static func unknownAction(_ action: String?, of name: String, among named: [Command]) -> String {
    let actions = named.map(\.action)
    let question = action.flatMap { didYouMean(suggestions(for: $0, among: actions)) }
    return "\"\(name)\" takes \(actions.joined(separator: " or "))."
      + (question.map { " " + $0 } ?? "")
  }

  /// Returns the complete help of commands.
  func text(of commands: [Command]) -> String {
    commands.map { command in
      let syntax = CommandSyntax(command.syntax)
      let operands = syntax.operands.compactMap { operand in
        command.explanation(of: operand.text).map { (operand.text, $0) }
      }
      let options = syntax.options.map { option in
        let words = [option.name] + option.values.map(\.text)
        return (words.joined(separator: " "), command.explanation(of: option.name) ?? "")
      }
      return usage(of: [command]) + "\n" + paragraph(command.summary)
        + section("Arguments", operands) + section("Options", options)
    }.joined(separator: "\n")
  }

  /// Returns the syntax of commands.
  func usage(of commands: [Command]) -> String {
    let lines = commands.enumerated().map { index, command in
      let start = (index == 0 ? "usage: " : "       ") + "\(program) \(command.words)"
      let words = [start] + Self.unbroken(command.syntax)
      return terminal.wrapped(words, start: 0, indentation: 11) + "\n"
    }
    let text = lines.joined()
    return terminal.bold("usage:") + text.dropFirst("usage:".count)
  }

  /// Splits a syntax string at the spaces where a line may end: outside of brackets, and not
  /// between an option and its value.
  private static func unbroken(_ syntax: String) -> [String] {
    var (depth, isQuoted) = (0, false)
    let words = syntax.split { character in
      switch character {
      case "[": depth += 1
      case "]": depth -= 1
      case "\"": isQuoted.toggle()
      default: break
      }
      return character == " " && depth == 0 && !isQuoted
    }
    return words.reduce(into: []) { atoms, word in
      if let last = atoms.last, last.hasPrefix("--"), !last.contains(" "), word != "|" {
        atoms[atoms.count - 1] += " " + word
      } else {
        atoms.append(String(word))
      }
    }
  }

  // MARK: Layout

  private func section(_ title: String, _ rows: [(String, String)]) -> String {
    rows.isEmpty ? "" : "\n" + terminal.bold(title) + "\n" + list(rows)
  }

  private func paragraph(_ text: String) -> String {
    terminal.wrapped(Self.words(text), start: 0, indentation: 0) + "\n"
  }

  /// Returns names with their explanations: in two columns, or below the names on a narrow
  /// terminal.
  private func list(_ rows: [(name: String, text: String)]) -> String {
    let widest = rows.map(\.name.count).max() ?? 0
    let column = min(widest, 24) + 4
    let isNarrow = terminal.width - column < Self.narrowest
    let indentation = isNarrow ? 6 : column
    return rows.map { name, text in
      let isBelow = isNarrow || name.count > column - 4
      let gap = isBelow ? indentation : column - name.count - 2
      return "  " + terminal.bold(name) + (isBelow ? "\n" : "") + String(repeating: " ", count: gap)
        + terminal.wrapped(Self.words(text), start: indentation, indentation: indentation) + "\n"
    }.joined()
  }

  private static func words(_ text: String) -> [String] {
    text.split(separator: " ").map(String.init)
  }
}
