/// The variables visible to a selection. Copying a scope costs one retain.
@usableFromInline
package struct VariableScope: Sendable {
  private final class Box: Sendable {
    let operation: JSONObject
    let arguments: JSONObject
    /// Computed once, because the same variables are looked up several times for each request.
    let hash: Int

    init(operation: JSONObject, arguments: JSONObject) {
      self.operation = operation
      self.arguments = arguments
      var hasher = Hasher()
      hasher.combine(operation)
      hasher.combine(arguments)
      hash = hasher.finalize()
    }
  }

  /// The storage; `nil` if there are no variables.
  private let box: Box?

  /// The scope without variables.
  package static let empty = VariableScope(operation: [:])

  package init(operation: JSONObject, arguments: JSONObject = [:]) {
    box =
      operation.isEmpty && arguments.isEmpty
      ? nil : Box(operation: operation, arguments: arguments)
  }

  /// The operation's variables, with its defaults.
  package var operation: JSONObject { box?.operation ?? [:] }

  /// The arguments that a spread passes to its fragment. They shadow the operation's variables with
  /// the same names, and are visible only in that fragment.
  package var arguments: JSONObject { box?.arguments ?? [:] }

  /// Whether both scopes share their storage and are therefore equal.
  func isIdentical(to other: VariableScope) -> Bool { box === other.box }

  /// Returns all variables that a fragment sees. Its own variables shadow the operation's, even if
  /// they are absent.
  package func values(forOwn own: [FragmentVariable]) -> JSONObject {
    let (operation, arguments) = (operation, arguments)
    if arguments.isEmpty, own.isEmpty { return operation }
    var all = operation
    for variable in own { all[variable.name] = nil }
    for member in arguments.members { all[member.key] = member.value }
    return all
  }
}

extension VariableScope: Hashable {
  @usableFromInline package static func == (left: VariableScope, right: VariableScope) -> Bool {
    if left.isIdentical(to: right) { return true }
    guard let left = left.box, let right = right.box, left.hash == right.hash else {
      return false
    }
    return left.operation == right.operation && left.arguments == right.arguments
  }

  @usableFromInline package func hash(into hasher: inout Hasher) {
    hasher.combine(box?.hash)
  }
}

/// A variable declared by a fragment.
package struct FragmentVariable: Sendable {
  package var name: String
  package var defaultValue: JSONValue?
}
