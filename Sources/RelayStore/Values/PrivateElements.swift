/// The elements of a schema with `@noPersist`. Their values are never persisted.
package struct PrivateElements: Sendable, Equatable {
  /// The object types whose records are never persisted.
  package var types: Set<String> = []
  /// The fields that are never persisted, as schema coordinates: `User.email`, or `*.email` for any
  /// type.
  package var fields: Set<String> = []
  /// Whether the values of the variables are never persisted.
  package var hasPrivateVariables = false

  /// Whether there are neither types nor fields.
  package var isEmpty: Bool { types.isEmpty && fields.isEmpty }

  /// Adds an element of a plan: a type, a field, or `$` for the variables.
  mutating func insert(_ element: String) {
    if element == "$" {
      hasPrivateVariables = true
    } else if element.utf8.contains(UInt8(ascii: ".")) {
      fields.insert(element)
    } else {
      types.insert(element)
    }
  }

  /// Adds other elements.
  mutating func formUnion(_ other: PrivateElements) {
    types.formUnion(other.types)
    fields.formUnion(other.fields)
    hasPrivateVariables = hasPrivateVariables || other.hasPrivateVariables
  }

  /// Removes the types and fields of other elements.
  mutating func subtract(_ other: PrivateElements) {
    types.subtract(other.types)
    fields.subtract(other.fields)
  }

  /// Whether these elements include all types and fields of `other`.
  func covers(_ other: PrivateElements) -> Bool {
    types.isSuperset(of: other.types) && fields.isSuperset(of: other.fields)
  }

  /// The types and fields as one string, sorted.
  package var text: String { (types.sorted() + fields.sorted()).joined(separator: ",") }

  /// Creates the elements from their string; see ``text``.
  package init(_ text: String = "") {
    for element in text.split(separator: ",") { insert(String(element)) }
  }
}
