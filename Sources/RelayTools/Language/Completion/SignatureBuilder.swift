import GraphQLLanguage
import RelayCompiler

/// Describes the arguments in a parenthesis.
struct SignatureBuilder {
  typealias Entry = (name: Symbol, declaration: String, documentation: String)

  let language: LanguageContext
  let parenthesis: OpenParenthesis

  private var text: ElementDescriptions { ElementDescriptions(language) }
  private var symbols: SymbolTable { language.symbols }

  /// - Parameter occurrence: A placeholder for the name of the first argument.
  func signature(of occurrence: Occurrence) -> Signature? {
    switch occurrence.element {
    case .argument(_, let name, _):
      guard let parent = occurrence.parent, let field = language.field(named: name, on: parent)
      else { return nil }
      return signature(
        symbols[name], field.arguments.map(entry),
        result: ": " + language.schema.text(of: field.type),
        text.documentation(of: text.entry(of: field, on: parent)))
    case .directiveArgument(let name, _):
      guard let directive = language.directive(named: name) else { return nil }
      return signature(
        "@" + symbols[name], directive.definition.arguments.map { entry(of: $0, in: directive) },
        text.documentation(of: text.entry(of: directive)))
    case .fragmentVariable(let name, _):
      guard let fragment = language.fragment(name) else { return nil }
      let variables = language.fragmentVariables(of: name).filter { $0.provider == nil }
      return signature(
        symbols[name], variables.map { ($0.name.symbol, text.argument(of: $0), "") },
        text.documentation(of: text.entry(of: fragment)))
    default: return nil
    }
  }

  private func entry(of value: SchemaInputValue) -> Entry {
    let entry = text.entry(of: value)
    return (value.symbol, entry.declaration, text.documentation(of: entry))
  }

  /// Returns the entry of an argument whose type may exist only in Relay.
  private func entry(of argument: InputValueDefinition, in directive: SchemaDirective) -> Entry {
    if let known = directive.arguments[named: argument.name.symbol] { return entry(of: known) }
    let name = symbols[argument.name.symbol]
    let values = ClientDirectives.values(of: name, in: symbols[directive.symbol])
    let type = values?.joined(separator: " | ") ?? symbols.text(of: argument.type)
    return (argument.name.symbol, "\(name): \(type)", "")
  }

  private func signature(
    _ name: String, _ entries: [Entry], result: String = "", _ documentation: String
  ) -> Signature? {
    if entries.isEmpty { return nil }
    return Signature(
      name, entries.map { ($0.declaration, $0.documentation) }, result: result,
      documentation: documentation, active: active(in: entries.map(\.name)))
  }

  /// Returns the index of the argument at the position: the one with its name, otherwise the first
  /// one that is not given and starts with the word at the position.
  private func active(in names: [Symbol]) -> Int {
    if let current = parenthesis.current { return names.firstIndex(of: current) ?? 0 }
    let prefix = symbols[parenthesis.prefix]
    let next = names.firstIndex {
      !parenthesis.given.contains($0) && symbols[$0].hasPrefix(prefix)
    }
    return next ?? names.lastIndex { parenthesis.given.contains($0) } ?? 0
  }
}
