import GraphQLLanguage

extension IR {
  /// A variable whose value a Swift type provides when the operation is used.
  package struct ProvidedVariable: Sendable {
    /// The variable that the operation declares.
    package let name: Symbol
    /// The Swift type with `static func get()`.
    package let provider: String
    /// The fragment that declares it, whose module has the type.
    package let fragment: Symbol
    package let type: ResolvedType
  }
}

/// Makes each fragment argument with a provider a variable of the operations that use it.
///
/// `$x` of a fragment with `x: {type: "Int!", provider: "Screen"}` becomes
/// `$__relay_internal__pv__Screen` everywhere; the fragment then has no argument `x`.
package enum ProvideVariables {
  package static func apply(
    to program: IR.Program, diagnostics: inout [Diagnostic]
  ) -> IR.Program {
    guard program.fragments.contains(where: { !$0.provided.isEmpty }) else { return program }
    var program = program
    var known: [Symbol: (type: String, place: Span)] = [:]
    for index in program.fragments.indices where !program.fragments[index].provided.isEmpty {
      for local in program.fragments[index].locals where local.provided != nil {
        check(local, &known, program.schema, &diagnostics)
      }
      rename(&program.fragments[index], program.schema)
    }
    let uses = program.fragments.map { fragment in
      var use = SelectionUse()
      use.add(fragment.selections)
      return (fragment.name, (own: fragment.provided, spreads: use.spreads))
    }
    let used = Dictionary(uses, uniquingKeysWith: { first, _ in first })
    for index in program.fragments.indices {
      program.fragments[index].provided = reachable(from: [program.fragments[index].name], used)
    }
    for index in program.operations.indices {
      var use = SelectionUse()
      use.add(program.operations[index].selections)
      program.operations[index].provided = reachable(from: use.spreads, used)
    }
    return program
  }

  private static func rename(_ fragment: inout IR.Fragment, _ schema: Schema) {
    var provided = fragment
    provided.locals.removeAll { $0.provided == nil }
    let arguments = provided.locals.compactMap { local in
      local.provided.map { IR.Argument(name: local.name, value: Value(.variable($0.name))) }
    }
    var substitution = Substitution(schema: schema, limit: .max)
    fragment.selections = substitution.selections(
      fragment.selections, Substitution.Bindings(of: provided, arguments: arguments)
    ) { .spread($1) }
    fragment.locals.removeAll { $0.provided != nil }
  }

  /// The variables that fragments and those below them need, each once, in the order they are met.
  private static func reachable(
    from spreads: [Symbol], _ used: [Symbol: (own: [IR.ProvidedVariable], spreads: [Symbol])]
  ) -> [IR.ProvidedVariable] {
    var queue = spreads
    var seen: Set<Symbol> = []
    var result: [IR.ProvidedVariable] = []
    var next = 0
    while next < queue.count {
      let name = queue[next]
      next += 1
      guard seen.insert(name).inserted, let fragment = used[name] else { continue }
      for variable in fragment.own where !result.contains(where: { $0.name == variable.name }) {
        result.append(variable)
      }
      queue += fragment.spreads
    }
    return result
  }

  /// One provider has one type.
  private static func check(
    _ local: IR.Local, _ known: inout [Symbol: (type: String, place: Span)], _ schema: Schema,
    _ diagnostics: inout [Diagnostic]
  ) {
    guard let variable = local.provided else { return }
    let type = schema.text(of: variable.type)
    guard let first = known[variable.name] else {
      known[variable.name] = (type, local.place)
      return
    }
    if first.type == type { return }
    diagnostics.append(
      Diagnostic(
        rule: "provided-variables",
        message: "Provider \"\(variable.provider)\" is used with type \"\(type)\" here and with "
          + "\"\(first.type)\" elsewhere.", at: local.place,
        labels: [.init(first.place, "\"\(first.type)\" here")],
        help: "Use the same type, or another provider."))
  }
}
