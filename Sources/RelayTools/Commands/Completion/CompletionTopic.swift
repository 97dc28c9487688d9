import RelayCompiler

/// A first argument of `relay-compiler`, with what may follow.
struct CompletionTopic {
  /// An option, with the first sentence of its explanation.
  struct Option {
    let name: String
    let values: [CommandSyntax.Value]
    let isRepeatable: Bool
    let brief: String
  }

  /// A command, after all of its words.
  struct Variant {
    /// The second word; empty if the command has none.
    let action: String
    let brief: String
    let options: [Option]
    let operands: [CommandSyntax.Value]

    init(_ command: Command) {
      let syntax = CommandSyntax(command.syntax)
      action = command.action
      brief = command.brief
      options =
        syntax.options.map {
          let text = command.explanation(of: $0.name) ?? ""
          return Option(
            name: $0.name, values: $0.values, isRepeatable: $0.isRepeatable,
            brief: CompletionTopic.firstSentence(of: text))
        } + [Option(name: "--help", values: [], isRepeatable: false, brief: "Explains the command")]
      operands = syntax.operands
    }

    /// The choices among the operands.
    var choices: [String] { operands.flatMap(\.choices) }
    /// The kind of the operands; `nil` if the command has none.
    var operandKind: CommandSyntax.Value.Kind? {
      operands.contains { $0.kind == .file } ? .file : operands.first?.kind
    }
  }

  let name: String
  let brief: String
  /// The commands with the name: several if a second word chooses one.
  let variants: [Variant]

  /// Returns the topics in the order of help. The last one is `help`.
  static func all(of commands: [Command]) -> [CompletionTopic] {
    var names: [String] = []
    for command in commands where !names.contains(command.name) { names.append(command.name) }
    let topics = names.map { name in
      let variants = commands.filter { $0.name == name }.map(Variant.init)
      let brief = variants.map(\.brief).joined(separator: "; ")
      return CompletionTopic(name: name, brief: brief, variants: variants)
    }
    return topics + [CompletionTopic(name: "help", brief: "Explains a command", variants: [])]
  }

  /// The words that choose a variant.
  var actions: [String] { variants.map(\.action).filter { !$0.isEmpty } }

  private static func firstSentence(of text: String) -> String {
    let end = text.firstRange(of: ". ")?.lowerBound ?? text.endIndex
    let sentence = text[..<end]
    return String(sentence.hasSuffix(".") ? sentence.dropLast() : sentence)
  }

  /// Returns a string in single quotes for a shell.
  static func quoted(_ text: String) -> String {
    "'" + text.replacing("'", with: "'\\''") + "'"
  }
}
