/// A call in the text of a `Package.swift`, such as `.target(name: "App")`.
struct ManifestCall: Equatable {
  /// An argument of a call.
  struct Argument: Equatable {
    let label: String?
    /// The text of the argument; `nil` if it has brackets.
    let text: String?
    /// The text of the string literal that is the whole argument; `nil` if it has escapes.
    let literal: String?
    /// The string literals in the argument and its lists, without those in the arguments of calls.
    let literals: [String]
    /// Whether the argument consists of plain string literals, members such as `.v6`, and calls, so
    /// that its text says its value as far as those calls' texts do.
    let isPlain: Bool
  }

  /// The name of the function.
  let name: String
  /// Whether a dot precedes the name.
  let isMember: Bool
  /// The index of the call in whose arguments this call is.
  let parent: Int?
  /// The label of that argument.
  let label: String?
  var arguments: [Argument] = []

  /// Returns the first argument with a label.
  func argument(_ label: String) -> Argument? { arguments.first { $0.label == label } }
}
