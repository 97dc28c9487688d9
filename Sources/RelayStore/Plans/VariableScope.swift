/// The variables that a selection sees.
package struct VariableScope: Hashable, Sendable {
  /// Those of the operation, with its defaults.
  package var operation: JSONObject
  /// Those that a spread gave its fragment; they hide the operation's, and end with the fragment.
  package var arguments: JSONObject

  package init(operation: JSONObject, arguments: JSONObject = [:]) {
    self.operation = operation
    self.arguments = arguments
  }

  /// All that a plan can see: a fragment's own variable hides the operation's also where it is
  /// absent.
  package func values(for plan: SelectionPlan) -> JSONObject {
    if arguments.isEmpty, plan.fragmentVariables.isEmpty { return operation }
    var all = operation
    for variable in plan.fragmentVariables { all[variable.name] = nil }
    for member in arguments.members { all[member.key] = member.value }
    return all
  }
}
