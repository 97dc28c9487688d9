import GraphQLLanguage

/// Definitions that share operation variables.
struct VariableScopes {
  private struct Definition {
    /// The variables that the definition declares; a fragment declares them with
    /// `@argumentDefinitions`.
    var declared: Set<Symbol> = []
    /// The variables that it uses; for a fragment, except the ones it declares.
    var used: Set<Symbol> = []
    var spreads: Set<Symbol> = []
  }

  private var definitions: [VariableScope: Definition] = [:]
  /// The definitions that spread a fragment.
  private var users: [Symbol: Set<VariableScope>] = [:]

  init(_ session: Session) { self.init(session.allDocuments, session.languageContext) }

  init(_ documents: [Document], _ context: LanguageContext) {
    for document in documents {
      for definition in document.definitions where definition.isExecutable {
        add(definition, context)
      }
    }
  }

  private mutating func add(
    _ definition: GraphQLLanguage.Definition, _ context: LanguageContext
  ) {
    let scope: VariableScope
    switch definition {
    case .operation(let operation): scope = .operation(operation.name?.symbol ?? .empty)
    case .fragment(let fragment): scope = .fragment(fragment.name.symbol)
    case .schema, .type, .directive: return
    }
    var walker = OccurrenceWalker(context)
    walker.walk(definition)
    for occurrence in walker.occurrences {
      switch occurrence.element {
      case .variable(_, let name):
        definitions[scope, default: .init()].used.insert(name)
        if occurrence.isDefinition { definitions[scope]?.declared.insert(name) }
      case .fragmentVariable(_, let name) where occurrence.isDefinition:
        definitions[scope, default: .init()].declared.insert(name)
      case .fragment(let fragment) where !occurrence.isDefinition:
        definitions[scope, default: .init()].spreads.insert(fragment)
        users[fragment, default: []].insert(scope)
      default: continue
      }
    }
  }

  /// Returns all definitions that share a variable with `scope`: the operations and fragments
  /// connected by spreads of fragments that use it, directly or through other fragments.
  func scopes(sharing name: Symbol, with scope: VariableScope) -> Set<VariableScope> {
    let live = liveFragments(of: name)
    var result: Set<VariableScope> = [scope]
    var waiting = [scope]
    while let scope = waiting.popLast() {
      var next = (definitions[scope]?.spreads.intersection(live) ?? []).map(VariableScope.fragment)
      if case .fragment(let fragment) = scope, live.contains(fragment) {
        next += users[fragment] ?? []
      }
      for scope in next where result.insert(scope).inserted { waiting.append(scope) }
    }
    return result
  }

  /// Returns the fragments that use a variable of their operation, directly or through others.
  private func liveFragments(of name: Symbol) -> Set<Symbol> {
    var live: Set<Symbol> = []
    var waiting: [Symbol] = []
    for case (.fragment(let fragment), let definition) in definitions
    where definition.used.contains(name) {
      live.insert(fragment)
      waiting.append(fragment)
    }
    while let fragment = waiting.popLast() {
      for case .fragment(let user) in users[fragment] ?? [] where live.insert(user).inserted {
        waiting.append(user)
      }
    }
    return live
  }

  /// Whether one of the definitions declares or uses a variable, or one of the operations spreads a
  /// fragment that uses it, directly or indirectly.
  func contain(_ name: Symbol, in scopes: Set<VariableScope>) -> Bool {
    let live = liveFragments(of: name)
    return scopes.contains { scope in
      guard let definition = definitions[scope] else { return false }
      if definition.declared.contains(name) || definition.used.contains(name) { return true }
      if case .operation = scope { return !definition.spreads.isDisjoint(with: live) }
      return false
    }
  }
}
