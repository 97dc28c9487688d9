import GraphQLLanguage

/// The changes that affect one operation.
struct OperationCheck {
  /// A change, with the uses of the changed element.
  struct Effect {
    var change: SchemaChange
    var uses: [OperationUses.Use] = []
    /// The response paths of the uses, each once.
    private(set) var paths: [String] = []
    private var knownPaths: Set<String> = []

    init(change: SchemaChange, uses: [OperationUses.Use] = []) {
      self.change = change
      self.uses = uses
    }

    mutating func add(path: String) {
      if knownPaths.insert(path).inserted { paths.append(path) }
    }
  }

  /// The effects, in the order of the operation's text.
  private(set) var effects: [Effect] = []
  /// The indices of the effects by message.
  private var positions: [String: Int] = [:]

  init(_ document: Document, _ difference: inout SchemaDifference) {
    let uses = OperationUses(of: document, in: difference.old)
    let errors = difference.new.validate([document], mode: .relay)
      .filter { $0.severity == .error }
    let refused = SpanIndex(errors.flatMap(\.locations))
    let variables = Self.untypedVariables(of: document, in: difference.new)
    let untyped = Set(variables.map(\.name.symbol))
    for use in uses.uses {
      let isAccepted =
        use.value.map { !refused.hasStart(in: use.extent) && !$0.uses(untyped) } ?? false
      for change in difference.changes(of: use.element) {
        add(
          isAccepted ? change.acceptingWrittenValue : change, use, path: uses.path(of: use))
      }
    }
    // A standard scalar is missing only where no argument has it, which is another change.
    let scalars = variables.filter {
      difference.old.type(named: $0.type.name.symbol)?.isBuiltIn == true
    }
    addErrors(errors, in: document, exceptAt: scalars.map(\.span))
  }

  /// Returns the variables of types that a schema does not have. Validation does not compare them
  /// with the positions where they are used.
  private static func untypedVariables(
    of document: Document, in schema: Schema
  ) -> [VariableDefinition] {
    document.definitions.flatMap { definition -> [VariableDefinition] in
      guard case .operation(let operation) = definition else { return [] }
      return operation.variables.filter { schema.resolve($0.type) == nil }
    }
  }

  /// Adds a change. An element that is used in several ways is as critical as its most affected
  /// use.
  private mutating func add(_ change: SchemaChange, _ use: OperationUses.Use, path: String) {
    let index = positions[change.message] ?? effects.count
    if index == effects.count {
      positions[change.message] = index
      effects.append(Effect(change: change))
    }
    if change.criticality < effects[index].change.criticality { effects[index].change = change }
    effects[index].uses.append(use)
    effects[index].add(path: path)
  }

  /// Adds the errors of validation that no breaking change explains.
  ///
  /// - Parameter consequences: The spans of errors that any breaking change explains.
  private mutating func addErrors(
    _ errors: [Diagnostic], in document: Document, exceptAt consequences: [Span]
  ) {
    let breaking = effects.filter { $0.change.criticality == .breaking }.flatMap(\.uses)
    let explained = breaking.map(\.extent) + (breaking.isEmpty ? [] : consequences)
    let (extents, names) = (SpanIndex(explained), SpanIndex(breaking.map(\.span)))
    let name = document.definitions.lazy.compactMap(\.operationName).first
    for error in errors {
      let isExplained = error.locations.contains {
        extents.contains(startOf: $0) || names.hasStart(in: $0)
      }
      if isExplained || positions[error.message] != nil { continue }
      positions[error.message] = effects.count
      let coordinate = name.map { document.symbols[$0.symbol] } ?? ""
      effects.append(
        Effect(
          change: SchemaChange(
            .operationInvalid, coordinate, "\(error.message) [\(error.rule)]")))
    }
  }
}

extension Value {
  /// Returns whether the value contains one of these variables.
  fileprivate func uses(_ variables: Set<Symbol>) -> Bool {
    if variables.isEmpty { return false }
    var isFound = false
    forEachVariable { symbol, _ in isFound = isFound || variables.contains(symbol) }
    return isFound
  }
}

extension Definition {
  /// The name of an operation; `nil` for other definitions.
  fileprivate var operationName: Name? {
    if case .operation(let operation) = self { operation.name } else { nil }
  }
}
