import GraphQLLanguage

extension InputValue {
  /// The string; `nil` for other values.
  package var text: String? {
    if case .string(let text) = self { text } else { nil }
  }

  /// The items of a list; empty for other values.
  package var items: [InputValue] {
    if case .list(let items) = self { items } else { [] }
  }
}

extension InputValue? {
  /// The member of an object; `nil` if missing.
  package subscript(name: String) -> InputValue? { self?[name] }
}
