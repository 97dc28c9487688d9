/// One slot of a row: a field, a spread or a type condition.
package struct PlanSlot: Sendable {
  package enum Content: Sendable {
    case field(PlanField)
    case spread(PlanSpread)
    case condition(TypeCondition)
  }

  package var content: Content
  /// The slot of the innermost type condition around it, if there is one.
  package var enclosing: Int?
  /// The guards that include it, below the enclosing type condition. Each guard passes when at
  /// least one of its terms holds; the slot is included when all guards pass.
  var guards: [[GuardTerm]]

  /// Adds the variables that it and the selections below it use.
  func addVariables(to used: inout [String]) {
    for case .variable(let name, _) in guards.joined() { used.append(name) }
    switch content {
    case .field(let field):
      for argument in field.arguments { used += argument.value.variables }
      for handle in field.handles {
        for argument in handle.arguments { used += argument.value.variables }
      }
      if let child = field.child { used += child.variables }
      if let derived = field.derived { used += derived.variables }
    case .spread(let spread):
      for argument in spread.arguments { used += argument.value.variables }
    case .condition: break
    }
  }

  /// Whether variables decide about it: a deferred part is included, even before it has arrived.
  var isGuarded: Bool {
    guards.contains { terms in !terms.contains { $0.deferredPart != nil } }
  }

  /// Whether variables decide about it or any selection below it.
  var isConditional: Bool { isGuarded || field?.child?.isConditional ?? false }

  /// The parts of which the slot may be one: of all guards, and of all alternatives of a guard.
  package var deferredParts: [DeferredPart] { guards.joined().compactMap(\.deferredPart) }

  /// Whether it or a selection below it may arrive with a part.
  var hasDeferredParts: Bool {
    guards.joined().contains { $0.deferredPart != nil } || hasPlan(where: \.hasDeferredParts)
  }

  /// Whether it is a list with `@stream`, or has one below it.
  var hasStreams: Bool { field?.streamLabel != nil || hasPlan(where: \.hasStreams) }

  /// Whether the selections below it satisfy a predicate.
  private func hasPlan(where predicate: (SelectionPlan) -> Bool) -> Bool {
    switch content {
    case .field(let field): (field.child ?? field.derived).map(predicate) ?? false
    case .spread(let spread): spread.inlined.map(predicate) ?? false
    case .condition: false
    }
  }

  /// Whether its value is a list or has one at any depth.
  var hasLists: Bool {
    switch content {
    case .field(let field):
      field.type.listDepth > 0 || field.child?.hasLists ?? false || field.derived?.hasLists ?? false
    case .spread(let spread): spread.inlined?.hasLists ?? false
    case .condition: false
    }
  }

  /// Whether the fragments that it spreads depend on no variables, and no function derives its
  /// value. It may use variables itself.
  var hasConstantFragments: Bool {
    switch content {
    case .field(let field): field.derived == nil && field.child?.isConstant ?? true
    case .spread(let spread): spread.inlined == nil && spread.variables.isEmpty
    case .condition: true
    }
  }

  /// Whether its selections are of the record itself, not of a linked one.
  package var isOfSameRecord: Bool { field?.derived != nil || field == nil }

  /// The field, if this is a field's slot.
  package var field: PlanField? {
    if case .field(let field) = content { field } else { nil }
  }
}

/// A fragment spread in a selection.
package struct PlanSpread: Sendable {
  package var name: String
  /// The name that `@alias` gives it.
  package var alias: String?
  package var arguments: [PlanArgument]
  /// The operation's variables that the fragment uses, itself or through the fragments it spreads.
  package var variables: [String] = []
  /// The plan of an `@inline` fragment, which is read together with the row around it.
  package var inlined: SelectionPlan?

  /// Returns the variables that the fragment sees: those of the operation that it uses, and its
  /// arguments.
  package func scope(in scope: VariableScope, _ variables: JSONObject) -> VariableScope {
    var values: JSONObject = [:]
    for argument in arguments { values[argument.name] = argument.value.json(variables) }
    return VariableScope(operation: scope.operation.only(self.variables), arguments: values)
  }
}

/// `... on Type`.
package struct TypeCondition: Sendable {
  package var typeName: String
  package var isAbstract: Bool
}
