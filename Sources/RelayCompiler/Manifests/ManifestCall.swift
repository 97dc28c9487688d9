/// A call in the text of a `Package.swift`, such as `.target(name: "App")`.
package struct ManifestCall: Equatable {
  /// An argument of a call.
  package struct Argument: Equatable {
    let label: String?
    /// The text of the argument; `nil` if it has brackets.
    package let text: String?
    /// The text of the string literal that is the whole argument; `nil` if it has escapes.
    package let literal: String?
    /// The string literals in the argument and its lists, without those in the arguments of calls.
    package let literals: [String]
    /// Whether the argument consists of plain string literals, members such as `.v6`, and calls, so
    /// that its text says its value as far as those calls' texts do.
    let isPlain: Bool
  }

  /// The name of the function.
  package let name: String
  /// Whether a dot precedes the name.
  package let isMember: Bool
  /// The index of the call in whose arguments this call is.
  package let parent: Int?
  /// The label of that argument.
  package let label: String?
  package var arguments: [Argument] = []

  /// Returns the first argument with a label.
  package func argument(_ label: String) -> Argument? { arguments.first { $0.label == label } }
}
