import RelayCompiler

/// The completion script for zsh, as a file `_relay-compiler` in `fpath` or for `eval`.
struct ZshCompletion {
  private let topics: [CompletionTopic]

  init(_ topics: [CompletionTopic]) { self.topics = topics }

  var script: String {
    let commands = topics.dropLast()
    return """
      #compdef relay-compiler
      # Completes relay-compiler in zsh. In ~/.zshrc, after compinit:
      # eval "$(relay-compiler completion zsh)"
      _relay-compiler() {
        local -a topics
        topics=(
      \(described(topics.map { ($0.name, $0.brief) }))  )
        if (( CURRENT == 2 )); then
          if [[ $PREFIX == -* ]]; then
            _arguments --help'[Lists the commands]' --version'[Prints the version]'
          else
            _describe -t commands command topics
          fi
          return
        fi
        local topic=$words[2]
        shift words
        (( CURRENT-- ))
        case $topic in
      \(commands.map { self.topic($0) }.joined())    help) (( CURRENT == 2 )) && _describe -t commands command topics ;;
        esac
      }
      if [[ $funcstack[1] == _relay-compiler ]]; then
        _relay-compiler "$@"
      else
        compdef _relay-compiler relay-compiler
      fi

      """
  }

  private func topic(_ topic: CompletionTopic) -> String {
    guard !topic.actions.isEmpty else {
      return "    \(topic.name)) " + topic.variants.map(arguments).joined() + " ;;\n"
    }
    let cases = topic.variants.map { "        \($0.action)) \(arguments($0)) ;;\n" }.joined()
    return """
          \(topic.name))
            if (( CURRENT == 2 )); then
              local -a actions
              actions=(
      \(described(topic.variants.map { ($0.action, $0.brief) }))        )
              _describe -t commands command actions
              return
            fi
            local action=$words[2]
            shift words
            (( CURRENT-- ))
            case $action in
      \(cases)      esac ;;

      """
  }

  private func described(_ entries: [(name: String, text: String)]) -> String {
    entries.map { "    \(CompletionTopic.quoted("\($0.name):\($0.text)"))\n" }.joined()
  }

  /// The call of `_arguments` for a command.
  private func arguments(_ variant: CompletionTopic.Variant) -> String {
    var specifications = variant.options.map { option in
      let values = option.values.map { ":\(escaped($0.text)):\(action($0.kind, $0.choices))" }
      return (option.isRepeatable ? "*" : "") + option.name + "[\(escaped(option.brief))]"
        + values.joined()
    }
    if let kind = variant.operandKind {
      let name = variant.operands.first?.text ?? ""
      specifications.append("*:\(escaped(name)):\(action(kind, variant.choices))")
    }
    return (["_arguments"] + specifications.map(CompletionTopic.quoted))
      .joined(separator: " \\\n      ")
  }

  private func action(_ kind: CommandSyntax.Value.Kind, _ choices: [String]) -> String {
    switch kind {
    case .file: "_files"
    case .directory: "_files -/"
    case .choice: "(\(choices.joined(separator: " ")))"
    case .other: " "
    }
  }

  /// Returns a string with the characters escaped that end a part of a specification.
  private func escaped(_ text: String) -> String {
    text.replacing("\\", with: "\\\\").replacing(":", with: "\\:").replacing("[", with: "\\[")
      .replacing("]", with: "\\]")
  }
}
