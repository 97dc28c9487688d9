import RelayCompiler

/// The completion script for bash, version 3.2 or later.
struct BashCompletion {
  private let topics: [CompletionTopic]

  init(_ topics: [CompletionTopic]) { self.topics = topics }

  /// A function that fills `COMPREPLY`. Where that remains empty, readline completes file names.
  var script: String {
    let names = topics.map(\.name).joined(separator: " ")
    return """
      # Completes relay-compiler in bash. In ~/.bashrc: eval "$(relay-compiler completion bash)"
      _relay_compiler() {
        local current=${COMP_WORDS[COMP_CWORD]} topic=${COMP_WORDS[1]} action= first=2 words= kind=none
        COMPREPLY=()
        if [ "$COMP_CWORD" -eq 1 ]; then
          words='\(names) --help --version'
        elif [ "$topic" = help ] && [ "$COMP_CWORD" -eq 2 ]; then
          words='\(topics.dropLast().map(\.name).joined(separator: " "))'
        else
          case $topic in
      \(topics.filter { !$0.actions.isEmpty }.map(actions).joined())    esac
          case "$topic $action" in
      \(topics.flatMap { topic in topic.variants.map { variant(topic.name, $0) } }.joined())    esac
        fi
        case $kind in
          file) compopt -o default 2>/dev/null; return ;;
          directory) compopt -o dirnames +o default 2>/dev/null; return ;;
        esac
        compopt +o default 2>/dev/null
        COMPREPLY=($(compgen -W "$words" -- "$current"))
      }
      complete -o default -F _relay_compiler relay-compiler

      """
  }

  /// The case of a topic whose second word chooses a command.
  private func actions(_ topic: CompletionTopic) -> String {
    """
          \(topic.name)) first=3
            if [ "$COMP_CWORD" -eq 2 ]; then words='\(topic.actions.joined(separator: " "))'
            else action=${COMP_WORDS[2]}; fi ;;

    """
  }

  /// The case of a command: the values of its options by the words before the current one, then its
  /// options and operands.
  private func variant(_ name: String, _ variant: CompletionTopic.Variant) -> String {
    let names = variant.options.map(\.name).joined(separator: " ")
    let options = variant.options.filter { !$0.values.isEmpty }
    var cases = ""
    for option in options {
      for (index, value) in option.values.enumerated() {
        let distance = index + 1
        cases +=
          "          \(distance)\(option.name)) \(setting(value.kind, choices: value.choices)); found=1 ;;\n"
      }
    }
    let most = options.map(\.values.count).max() ?? 0
    let operands = variant.operandKind.map { setting($0, choices: variant.choices) } ?? ":"
    var text = "      '\(name) \(variant.action)')\n        local found= distance\n"
    if most > 0 {
      text += """
                for distance in \((1...most).map(String.init).joined(separator: " ")); do
                  [ $((COMP_CWORD - distance)) -ge "$first" ] || continue
                  case $distance${COMP_WORDS[COMP_CWORD - distance]} in
        \(cases)          esac
                done

        """
    }
    return text + """
              if [ -z "$found" ]; then
                case $current in
                  -*) words='\(names)' ;;
                  *) \(operands) ;;
                esac
              fi ;;

      """
  }

  private func setting(_ kind: CommandSyntax.Value.Kind, choices: [String]) -> String {
    switch kind {
    case .file: "kind=file"
    case .directory: "kind=directory"
    case .choice: "words='\(choices.joined(separator: " "))'"
    case .other: ":"
    }
  }
}
