/// A call in a `Package.swift`, such as `.target(name: "App")`.
package struct ManifestCall: Equatable {
  /// An argument of a call.
  package struct Argument: Equatable {
    let label: String?
    /// The argument's source code; `nil` if it has brackets.
    package let text: String?
    /// The contents of the string literal that forms the entire argument; `nil` if it has escapes.
    package let literal: String?
    /// The string literals in the argument and its lists, excluding those in nested calls.
    package let literals: [String]
    /// Whether the argument consists only of plain string literals, members such as `.v6`, and
    /// calls. If so, its value is known from the source, except for those calls.
    let isPlain: Bool
  }

  /// The name of the function.
  package let name: String
  /// Whether a dot precedes the name.
  package let isMember: Bool
  /// The index of the enclosing call, if this call is in its arguments.
  package let parent: Int?
  /// The label of the enclosing argument.
  package let label: String?
  package var arguments: [Argument] = []

  /// Returns the first argument with a label.
  package func argument(_ label: String) -> Argument? { arguments.first { $0.label == label } }
}
