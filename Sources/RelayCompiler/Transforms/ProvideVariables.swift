import GraphQLLanguage

extension IR {
  /// A variable whose value a Swift type provides when the operation is executed.
  package struct ProvidedVariable: Sendable {
    /// The variable that the operation declares.
    package let name: Symbol
    /// The name of the Swift type with `static func get()`.
    package let provider: String
    /// The fragment that declares the variable; the provider type is in its module.
    package let fragment: Symbol
    package let type: ResolvedType
  }
}

/// A pass that turns each fragment argument with a provider into a variable of the operations that
/// reach the fragment.
///
/// In a fragment with `x: {type: "Int!", provider: "Screen"}`, `$x` becomes
/// `$__relay_internal__pv__Screen`, and the argument `x` is removed from the fragment.
enum ProvideVariables {
  package static func apply(
    to program: IR.Program, diagnostics: inout [Diagnostic]
  ) -> IR.Program {
    guard program.fragments.contains(where: { !$0.provided.isEmpty }) else { return program }
    var program = program
    var firstUses: [Symbol: (type: String, span: Span)] = [:]
    for index in program.fragments.indices where !program.fragments[index].provided.isEmpty {
      for variable in program.fragments[index].fragmentVariables where variable.provided != nil {
        check(variable, against: &firstUses, schema: program.schema, diagnostics: &diagnostics)
      }
      rename(&program.fragments[index], program.schema)
    }
    let order = FragmentDependencyOrder(program)
    var reached: [Symbol: [IR.ProvidedVariable]] = [:]
    for fragment in order.fragments {
      reached[fragment.name] = order.dependencies[fragment.name]?.spreads.reduce(
        into: fragment.provided
      ) {
        add(reached[$1] ?? [], to: &$0)
      }
    }
    for index in program.fragments.indices {
      program.fragments[index].provided = reached[program.fragments[index].name] ?? []
    }
    for index in program.operations.indices {
      let dependencies = SelectionDependencies(program.operations[index].selections)
      for name in dependencies.spreads {
        add(reached[name] ?? [], to: &program.operations[index].provided)
      }
    }
    return program
  }

  /// Adds the variables that are not yet in `result`.
  private static func add(
    _ variables: [IR.ProvidedVariable], to result: inout [IR.ProvidedVariable]
  ) {
    for variable in variables where !result.contains(where: { $0.name == variable.name }) {
      result.append(variable)
    }
  }

  private static func rename(_ fragment: inout IR.Fragment, _ schema: Schema) {
    var provided = fragment
    provided.fragmentVariables.removeAll { $0.provided == nil }
    let arguments = provided.fragmentVariables.compactMap { variable in
      variable.provided.map { IR.Argument(name: variable.name, value: Value(.variable($0.name))) }
    }
    var substitution = Substitution(schema: schema, limit: .max)
    fragment.selections = substitution.selections(
      fragment.selections, Substitution.Bindings(of: provided, arguments: arguments)
    ) { .spread($1) }
    fragment.fragmentVariables.removeAll { $0.provided != nil }
  }

  /// Checks that a provider is used with only one type.
  private static func check(
    _ variable: IR.FragmentVariable, against firstUses: inout [Symbol: (type: String, span: Span)],
    schema: Schema, diagnostics: inout [Diagnostic]
  ) {
    guard let provided = variable.provided else { return }
    let type = schema.text(of: provided.type)
    guard let first = firstUses[provided.name] else {
      firstUses[provided.name] = (type, variable.span)
      return
    }
    if first.type == type { return }
    diagnostics.append(
      Diagnostic(
        rule: "provided-variables",
        message: "Provider \"\(provided.provider)\" is used with type \"\(type)\" here and with "
          + "\"\(first.type)\" elsewhere.", at: variable.span,
        labels: [.init(first.span, "\"\(first.type)\" here")],
        help: "Use the same type, or another provider."))
  }
}
