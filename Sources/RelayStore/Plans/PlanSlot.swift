/// One slot of a row: a field, a spread or a type condition. A class, because a read visits the slots
/// of each row, and copying a struct retains each of its members.
package final class PlanSlot: Sendable {
  package enum Content: Sendable {
    case field(PlanField)
    case spread(PlanSpread)
    case condition(TypeCondition)
  }

  package let content: Content
  /// The slot of the innermost enclosing type condition, if there is one.
  package let enclosing: Int?
  /// The guards between the enclosing type condition and the slot. A guard passes when at least one
  /// of its terms is satisfied; the slot is included when all guards pass.
  let guards: [[GuardTerm]]

  init(content: Content, enclosing: Int? = nil, guards: [[GuardTerm]]) {
    (self.content, self.enclosing, self.guards) = (content, enclosing, guards)
  }

  /// Adds the variables used by the slot and the selections below it.
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

  /// Whether variables decide if the slot is included. A deferred part is included even before it
  /// arrives.
  var isGuarded: Bool {
    guards.contains { terms in !terms.contains { $0.deferredPart != nil } }
  }

  /// Whether variables decide if the slot, or any selection below it, is included.
  var isConditional: Bool { isGuarded || field?.child?.isConditional ?? false }

  /// The deferred parts that may deliver the slot, from all alternatives of all guards.
  package var deferredParts: [DeferredPart] { guards.joined().compactMap(\.deferredPart) }

  /// Whether the slot or a selection below it may arrive with a part.
  var hasDeferredParts: Bool { !deferredParts.isEmpty || hasPlan(where: \.hasDeferredParts) }

  /// Whether the slot is a list with `@stream`, or has one below it.
  var hasStreams: Bool { field?.streamLabel != nil || hasPlan(where: \.hasStreams) }

  /// Whether the selections below the slot satisfy a predicate.
  private func hasPlan(where predicate: (SelectionPlan) -> Bool) -> Bool {
    switch content {
    case .field(let field): (field.child ?? field.derived).map(predicate) ?? false
    case .spread(let spread): spread.inlined.map(predicate) ?? false
    case .condition: false
    }
  }

  /// Whether the slot's value is a list or contains one at any depth.
  var hasLists: Bool {
    switch content {
    case .field(let field):
      field.type.listDepth > 0 || field.child?.hasLists ?? false || field.derived?.hasLists ?? false
    case .spread(let spread): spread.inlined?.hasLists ?? false
    case .condition: false
    }
  }

  /// Whether the slot's fragments depend on no variables, and no function derives its value. The
  /// slot itself may use variables.
  var hasConstantFragments: Bool {
    switch content {
    case .field(let field): field.derived == nil && field.child?.isConstant ?? true
    case .spread(let spread): spread.inlined == nil && spread.variables.isEmpty
    case .condition: true
    }
  }

  /// Whether the slot's selections are of the record itself, not of a linked record.
  package var isOfSameRecord: Bool { field?.derived != nil || field == nil }

  /// The field, if this is a field's slot.
  package var field: PlanField? {
    if case .field(let field) = content { field } else { nil }
  }
}

/// A fragment spread in a selection.
package struct PlanSpread: Sendable {
  package var name: String
  /// The name given by `@alias`.
  package var alias: String?
  package var arguments: [PlanArgument]
  /// The operation variables used by the fragment, directly or through the fragments it spreads.
  package var variables: [String] = []
  /// The plan of an `@inline` fragment, read together with the row around it.
  package var inlined: SelectionPlan?

  /// Returns the variables that the fragment sees: its arguments, and the operation variables it
  /// uses.
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
