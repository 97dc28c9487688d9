/// The variables visible to a selection.
package struct VariableScope: Hashable, Sendable {
  /// The operation's variables, with its defaults.
  package var operation: JSONObject
  /// The arguments that a spread passes to its fragment. They hide the operation's variables of the
  /// same names and are visible in that fragment only.
  package var arguments: JSONObject

  package init(operation: JSONObject, arguments: JSONObject = [:]) {
    self.operation = operation
    self.arguments = arguments
  }

  /// Whether both scopes share the storage of their variables, which are then equal.
  ///
  /// - Complexity: O(1).
  func isIdentical(to other: VariableScope) -> Bool {
    operation.isIdentical(to: other.operation) && arguments.isIdentical(to: other.arguments)
  }

  /// Returns all variables that a plan sees. A fragment's own variable hides the operation's even
  /// where it is absent.
  package func values(for plan: SelectionPlan) -> JSONObject {
    if arguments.isEmpty, plan.fragmentVariables.isEmpty { return operation }
    var all = operation
    for variable in plan.fragmentVariables { all[variable.name] = nil }
    for member in arguments.members { all[member.key] = member.value }
    return all
  }
}
