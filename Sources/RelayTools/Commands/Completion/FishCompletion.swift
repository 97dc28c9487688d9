import RelayCompiler

/// The completion script for fish.
struct FishCompletion {
  private let topics: [CompletionTopic]

  init(_ topics: [CompletionTopic]) { self.topics = topics }

  var script: String {
    """
    # Completes relay-compiler in fish. In ~/.config/fish/config.fish:
    # relay-compiler completion fish | source
    function __relay_compiler_is
        # Whether the words before the cursor start with these.
        set -l words (commandline -opc)
        set -l last (math (count $argv) + 1)
        test (count $words) -ge $last; and test "$words[2..$last]" = "$argv"
    end
    complete -c relay-compiler -e
    complete -c relay-compiler -f
    complete -c relay-compiler -n __fish_use_subcommand -l help -d 'Lists the commands'
    complete -c relay-compiler -n __fish_use_subcommand -l version -d 'Prints the version'
    \(topics.map(topic).joined())
    """
  }

  private func topic(_ topic: CompletionTopic) -> String {
    var text = line("-a \(topic.name)", if: "__fish_use_subcommand", topic.brief)
    if topic.variants.isEmpty {
      let names = topics.dropLast().map(\.name).joined(separator: " ")
      return text
        + line("-a \(CompletionTopic.quoted(names))", if: "'__relay_compiler_is \(topic.name)'")
    }
    for variant in topic.variants where !variant.action.isEmpty {
      let others = "not __fish_seen_subcommand_from \(topic.actions.joined(separator: " "))"
      text += line(
        "-a \(variant.action)", if: "'__relay_compiler_is \(topic.name); and \(others)'",
        variant.brief)
    }
    return text + topic.variants.map { self.variant(topic.name, $0) }.joined()
  }

  private func variant(_ name: String, _ variant: CompletionTopic.Variant) -> String {
    let words = variant.action.isEmpty ? name : "\(name) \(variant.action)"
    let condition = "'__relay_compiler_is \(words)'"
    var text = variant.options.map { option in
      let value = option.values.first.map { " -r " + arguments($0.kind, $0.choices) } ?? ""
      return line("-l \(option.name.dropFirst(2))\(value)", if: condition, option.brief)
    }.joined()
    if let kind = variant.operandKind, kind != .other {
      text += line(arguments(kind, variant.choices), if: condition)
    }
    return text
  }

  private func arguments(_ kind: CommandSyntax.Value.Kind, _ choices: [String]) -> String {
    switch kind {
    case .file: "-F"
    case .directory: "-f -a '(__fish_complete_directories)'"
    case .choice: "-f -a \(CompletionTopic.quoted(choices.joined(separator: " ")))"
    case .other: "-f"
    }
  }

  private func line(_ options: String, if condition: String, _ description: String = "") -> String {
    let text = description.isEmpty ? "" : " -d \(Self.quoted(description))"
    return "complete -c relay-compiler -n \(condition) \(options)\(text)\n"
  }

  /// Returns a string in single quotes, where fish has two escapes.
  private static func quoted(_ text: String) -> String {
    "'" + text.replacing("\\", with: "\\\\").replacing("'", with: "\\'") + "'"
  }
}
