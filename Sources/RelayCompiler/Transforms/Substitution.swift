import GraphQLLanguage

/// A substitution of values for a fragment's own variables.
struct Substitution {
  /// The values of a fragment's own variables. A variable in `names` without a value is absent.
  struct Bindings {
    fileprivate var values: [Symbol: Value] = [:]
    fileprivate var sizes: [Symbol: Int] = [:]
    fileprivate var names: Set<Symbol> = []

    /// Bindings that replace no variables.
    static let none = Bindings()

    private init() {}

    /// - Parameter arguments: The arguments of a spread, completed by ``ResolveArguments``.
    init(of fragment: IR.Fragment, arguments: [IR.Argument]) {
      names = Set(fragment.fragmentVariables.map(\.name))
      for argument in arguments {
        values[argument.name] = argument.value
        sizes[argument.name] = Substitution.size(argument.value)
      }
    }
  }

  private let schema: Schema
  private let texts: ValuePrinter
  /// The number of selections and values that may still be created.
  private(set) var remaining: Int

  init(schema: Schema, limit: Int) {
    self.schema = schema
    texts = ValuePrinter(symbols: schema.symbols)
    remaining = limit
  }

  /// Returns the selections of an object with variables replaced, or `__typename` if none remain.
  // Not inlined: inlining a recursive function would copy each level into the one above.
  @inline(never)
  mutating func selections(
    _ selections: [IR.Selection], _ bindings: Bindings,
    onSpread: (inout Substitution, IR.Spread) -> IR.Selection.Content
  ) -> [IR.Selection] {
    var result: [IR.Selection] = []
    result.reserveCapacity(selections.count)
    for var selection in selections {
      remaining -= 1
      guard remaining > 0 else { return result }
      selection.condition = condition(selection.condition, bindings)
      if selection.condition.isNever { continue }
      switch selection.content {
      case .field(let field):
        selection.content = .field(self.field(field, bindings, onSpread: onSpread))
      case .spread(var spread):
        spread.arguments = arguments(spread.arguments, bindings)
        spread.argumentsText = texts.sortedJSON(spread.arguments)
        if let condition = spread.deferral?.condition {
          deferUnlessFalse(&spread, value(condition, bindings))
        }
        selection.content = onSpread(&self, spread)
      case .inlineFragment(var fragment):
        fragment.selections = self.selections(fragment.selections, bindings, onSpread: onSpread)
        selection.content = .inlineFragment(fragment)
      }
      result.append(selection)
    }
    return result.orTypename(in: schema)
  }

  private mutating func field(
    _ field: IR.Field, _ bindings: Bindings,
    onSpread: (inout Substitution, IR.Spread) -> IR.Selection.Content
  ) -> IR.Field {
    let arguments = arguments(field.arguments, bindings)
    let details = field.hasDetails ? details(field.details, bindings) : .none
    let inner =
      field.selections.isEmpty
      ? [] : selections(field.selections, bindings, onSpread: onSpread)
    return field.with(arguments: arguments, details: details, selections: inner)
  }

  private mutating func details(
    _ details: IR.FieldDetails, _ bindings: Bindings
  ) -> IR.FieldDetails {
    var details = details
    details.handles = details.handles.map {
      IR.Handle(name: $0.name, arguments: arguments($0.arguments, bindings))
    }
    details.directives = details.directives.map { directive in
      Directive(
        name: directive.name,
        arguments: directive.arguments.compactMap { argument in
          value(argument.value, bindings).map { Argument(name: argument.name, value: $0) }
        }, span: directive.span)
    }
    return details
  }

  private func deferUnlessFalse(_ spread: inout IR.Spread, _ condition: Value?) {
    switch condition?.kind {
    case .boolean(false): spread.deferral = nil
    case .boolean, .null, nil: spread.deferral?.condition = nil
    default: spread.deferral?.condition = condition
    }
  }

  // MARK: Values

  private mutating func arguments(
    _ arguments: [IR.Argument], _ bindings: Bindings
  ) -> [IR.Argument] {
    arguments.compactMap { argument in
      value(argument.value, bindings).map { IR.Argument(name: argument.name, value: $0) }
    }
  }

  /// Returns the value with variables replaced; `nil` when it is an absent variable.
  ///
  /// An absent variable omits its field in an object and becomes null in a list, as in the storage
  /// keys that the runtime computes.
  // Not inlined: inlining a recursive function would copy each level into the one above.
  @inline(never)
  private mutating func value(_ value: Value, _ bindings: Bindings) -> Value? {
    remaining -= 1
    guard remaining > 0, !bindings.names.isEmpty else { return value }
    switch value.kind {
    case .variable(let name):
      guard bindings.names.contains(name) else { return value }
      // Lists that nest one variable would double in size with every fragment.
      remaining -= bindings.sizes[name] ?? 0
      return bindings.values[name]
    case .list(let values):
      let items = values.map { self.value($0, bindings) ?? Value(.null) }
      return Value(.list(items), span: value.span)
    case .object(let fields):
      let kept = fields.compactMap { field in
        self.value(field.value, bindings).map {
          ObjectField(name: field.name, value: $0, span: field.span)
        }
      }
      return Value(.object(kept), span: value.span)
    default: return value
    }
  }

  private func condition(_ condition: Guard, _ bindings: Bindings) -> Guard {
    if condition.isAlways || bindings.names.isEmpty { return condition }
    return condition.replacing { literal in
      guard case .variable(let name, let isNegated) = literal, bindings.names.contains(name) else {
        return .literal(literal)
      }
      switch bindings.values[name]?.kind {
      case .variable(let other): return .literal(.variable(other, isNegated: isNegated))
      case .boolean(let value): return value != isNegated ? .holds : .fails
      default: return .fails
      }
    }
  }

  private static func size(_ value: Value) -> Int {
    switch value.kind {
    case .list(let values): values.reduce(1) { $0 + size($1) }
    case .object(let fields): fields.reduce(1) { $0 + size($1.value) }
    default: 1
    }
  }
}
