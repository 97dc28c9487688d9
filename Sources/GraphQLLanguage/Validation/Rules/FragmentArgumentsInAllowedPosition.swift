extension Rules {
  /// Requires the values passed to each fragment variable to be valid where the fragment uses it.
  ///
  /// The server receives the value instead of the variable. A variable of type `Int` may be used in
  /// a position `Int! = 10`, but then its value must not be null. A variable `Int = 5` may be used
  /// in a position `Int!`, but then spreads must not pass it a nullable variable.
  static let fragmentArgumentsInAllowedPosition: Rule = { context, visitors in
    visitors.finish.append {
      let demands = FragmentVariableDemands(in: context)
      if demands.isEmpty { return }
      for operation in context.operations { checkNulls(operation.spreads, demands, in: context) }
      for fragment in context.fragments {
        checkDefaults(of: fragment, demands, in: context)
        checkNulls(fragment.spreads, demands, in: context)
        checkVariables(fragment.spreads, demands, in: context) { symbol in
          fragment.fragmentVariables.first { $0.name.symbol == symbol }.map {
            PassedVariable(type: $0.type, defaultValue: $0.defaultValue, span: $0.name.span)
          }
        }
      }
      for operation in context.operations where !operation.definition.variables.isEmpty {
        checkVariables(of: operation, demands, in: context)
      }
    }
  }

  /// The declaration of a variable passed by a spread.
  private struct PassedVariable {
    let type: ResolvedType?
    let defaultValue: Value?
    let span: Span
  }

  private static func checkDefaults(
    of fragment: FragmentUses, _ demands: FragmentVariableDemands, in context: ValidationContext
  ) {
    for variable in fragment.fragmentVariables {
      guard let value = variable.defaultValue, value.kind == .null, let type = variable.type,
        !type.isNonNull,
        let use = demands[fragment.definition.name.symbol, variable.name.symbol]?.notNull,
        !isReported(variable, in: fragment)
      else { continue }
      context.report(
        "variables-in-allowed-position",
        "Variable \"$\(context.text(variable.name.symbol))\" of type "
          + "\"\(context.schema.text(of: type))\" has the default value null, and is used in position "
          + "expecting type \"\(context.schema.text(of: use.type))\".",
        at: value.span, use.span)
    }
  }

  /// Returns whether `variablesInAllowedPosition` already reports a nullable variable.
  private static func isReported(_ variable: FragmentVariable, in fragment: FragmentUses) -> Bool {
    fragment.usages.contains { usage in
      usage.symbol == variable.name.symbol && usage.position.type?.isNonNull == true
        && !usage.position.hasDefault
    }
  }

  private static func checkNulls(
    _ spreads: [FragmentSpread], _ demands: FragmentVariableDemands, in context: ValidationContext
  ) {
    forEachArgument(of: spreads, in: context) { spread, argument, variable in
      guard case .null = argument.value.kind, variable.type?.isNonNull == false,
        let use = demands[spread.name.symbol, argument.name.symbol]?.notNull
      else { return }
      context.report(
        "variables-in-allowed-position",
        "Variable \"$\(context.text(argument.name.symbol))\" of fragment "
          + "\"\(context.text(spread.name.symbol))\" must not be null, because it is used in position "
          + "expecting type \"\(context.schema.text(of: use.type))\".",
        at: argument.value.span, use.span)
    }
  }

  private static func checkVariables(
    of operation: OperationUses, _ demands: FragmentVariableDemands, in context: ValidationContext
  ) {
    let declared = Dictionary(
      operation.definition.variables.map { ($0.name.symbol, $0) }, uniquingKeysWith: { $1 })
    func check(_ spreads: [FragmentSpread], own: [FragmentVariable]) {
      checkVariables(spreads, demands, in: context) { symbol in
        if own.contains(where: { $0.name.symbol == symbol }) { return nil }
        return declared[symbol].map {
          PassedVariable(
            type: context.schema.resolve($0.type), defaultValue: $0.defaultValue, span: $0.span)
        }
      }
    }
    check(operation.spreads, own: [])
    for position in context.reachableFragments(from: operation.spreads) {
      let fragment = context.fragments[position]
      check(fragment.spreads, own: fragment.fragmentVariables)
    }
  }

  /// - Parameter declaration: Returns the declaration of a variable in the scope being checked.
  private static func checkVariables(
    _ spreads: [FragmentSpread], _ demands: FragmentVariableDemands, in context: ValidationContext,
    declaration: (Symbol) -> PassedVariable?
  ) {
    forEachArgument(of: spreads, in: context) { spread, argument, variable in
      guard case .variable(let symbol) = argument.value.kind,
        let use = demands[spread.name.symbol, argument.name.symbol]?.notNullable,
        // `variablesInAllowedPosition` covers the declared type by itself.
        variable.type?.isNonNull == false || variable.defaultValue != nil,
        let passed = declaration(symbol), let type = passed.type, !type.isNonNull,
        passed.defaultValue?.isNonNullLiteral != true
      else { return }
      context.report(
        "variables-in-allowed-position",
        "Variable \"$\(context.text(symbol))\" of type \"\(context.schema.text(of: type))\" used in "
          + "position expecting type \"\(context.schema.text(of: use.type))\".",
        at: passed.span, argument.value.span, use.span)
    }
  }

  private static func forEachArgument(
    of spreads: [FragmentSpread], in context: ValidationContext,
    _ body: (FragmentSpread, Argument, FragmentVariable) -> Void
  ) {
    for spread in spreads {
      for argument in spread.passedArguments {
        let variables = context.fragmentVariables(of: spread.name.symbol)
        guard let variable = variables.first(where: { $0.name.symbol == argument.name.symbol })
        else { continue }
        body(spread, argument, variable)
      }
    }
  }
}
