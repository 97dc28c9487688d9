import GraphQLLanguage
import RelayCompiler

/// The text that completes a name: its required arguments, and braces for selections.
struct CompletionSnippets {
  let language: LanguageContext
  /// The definition around the position, possibly incomplete.
  let definition: Definition?
  let following: FollowingTokens
  /// A quote as the enclosing Swift literal spells it.
  let quote: String

  private typealias Argument = [Snippet.Element]
  private var symbols: SymbolTable { language.symbols }

  /// Returns a field with its required arguments, and braces if it has selections; `nil` if it has
  /// neither, or if they follow.
  func field(_ field: SchemaField) -> Snippet? {
    if following.kind == .colon { return nil }
    let required = field.arguments.filter(\.isRequired).map { variable(named: $0.symbol) }
    var elements = following.kind == .parenLeft ? [] : list(required)
    let hasMore = [.parenLeft, .braceLeft, .at].contains(following.kind)
    if language.schema[field.type.named].isComposite, !hasMore {
      elements += [.text(" { "), .end, .text(" }")]
    }
    return snippet(field.symbol, elements)
  }

  /// Returns the name of a spread fragment with the variables that it requires.
  func spread(of fragment: FragmentDefinition) -> Snippet? {
    let required = requiredVariables(of: fragment.name.symbol)
    if required.isEmpty || following.kind == .at { return nil }
    return snippet(fragment.name.symbol, [.text(" @arguments")] + list(required))
  }

  /// Returns an argument or input field, ready for its value.
  func argument(_ name: Symbol) -> Snippet? {
    following.kind == .colon ? nil : snippet(name, [.text(": "), .end])
  }

  /// Returns a directive with its required arguments.
  ///
  /// - Parameter selection: The selection that the directive is on.
  func directive(_ directive: SchemaDirective, on selection: Selection?) -> Snippet? {
    if following.kind == .parenLeft { return nil }
    if [.arguments, .argumentDefinitions].contains(directive.symbol) {
      var required: [Argument] = []
      if case .fragmentSpread(let spread) = selection {
        required = requiredVariables(of: spread.name.symbol)
      }
      return snippet(
        directive.symbol, required.isEmpty ? [.text("("), .end, .text(")")] : list(required))
    }
    let required = directive.definition.arguments.filter {
      $0.type.shape.isNonNull && $0.defaultValue == nil
        && !($0.name.symbol == .label && [.defer, .stream].contains(directive.symbol))
    }
    return snippet(
      directive.symbol,
      list(
        required.map { argument in
          [.text("\(symbols[argument.name.symbol]): ")]
            + value(of: argument, in: directive.symbol, on: selection)
        }))
  }

  // MARK: Elements

  private func snippet(_ name: Symbol, _ elements: [Snippet.Element]) -> Snippet? {
    elements.isEmpty ? nil : Snippet([.text(symbols[name])] + elements)
  }

  private func list(_ arguments: [Argument]) -> [Snippet.Element] {
    if arguments.isEmpty { return [] }
    return [.text("(")] + arguments.joined(separator: [.text(", ")]) + [.text(")")]
  }

  /// Returns an argument with a variable of the same name.
  private func variable(named name: Symbol) -> Argument {
    [.text("\(symbols[name]): "), .stop("$\(symbols[name])")]
  }

  private func requiredVariables(of fragment: Symbol) -> [Argument] {
    language.fragmentVariables(of: fragment).filter {
      $0.type?.isNonNull == true && $0.defaultValue == nil && $0.provider == nil
    }.map { variable(named: $0.name.symbol) }
  }

  private func value(
    of argument: InputValueDefinition, in directive: Symbol, on selection: Selection?
  ) -> [Snippet.Element] {
    let name = symbols[argument.name.symbol]
    if let values = ClientDirectives.values(of: name, in: symbols[directive]) {
      return [.choice(values)]
    }
    if argument.type.shape.isList { return [.stop("$" + name)] }
    guard argument.type.name.symbol == .string else { return [.stop("")] }
    return [.text(quote), .stop(string(for: directive, on: selection)), .text(quote)]
  }

  /// Returns a string that a directive's argument may have; empty if there is no convention.
  private func string(for directive: Symbol, on selection: Selection?) -> String {
    guard let name = definition?.executableName.map({ symbols[$0.symbol] }) else { return "" }
    switch (directive, selection) {
    case (.connection, .field(let field)): return "\(name)_\(symbols[field.responseKey])"
    case (.refetchable, _): return name.prefix { $0 != "_" } + "RefetchQuery"
    default: return ""
    }
  }
}
