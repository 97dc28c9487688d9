/// The types and fields that are never persisted, indexed by name.
package struct PrivateFields: Sendable {
  private var types: Set<String> = []
  /// The names of the private fields of each type; `*` for all types.
  private var fields: [String: Set<String>] = [:]
  private var names: Set<String> = []

  /// Whether everything may be persisted.
  var isEmpty: Bool { types.isEmpty && names.isEmpty }

  /// Adds elements.
  mutating func insert(_ elements: PrivateElements) {
    types.formUnion(elements.types)
    for coordinate in elements.fields {
      let parts = coordinate.split(separator: ".").map(String.init)
      guard parts.count == 2 else { continue }
      fields[parts[0], default: []].insert(parts[1])
      names.insert(parts[1])
    }
  }

  /// Whether a type's records are private.
  func hasType(_ typeName: String?) -> Bool { typeName.map { types.contains($0) } ?? false }

  /// Whether some type has a private field with a name.
  func hasField(_ name: String) -> Bool { names.contains(name) }

  /// Whether a field is private for records of a type; with `nil`, for records of any type.
  func hasField(_ name: String, of typeName: String?) -> Bool {
    guard names.contains(name) else { return false }
    guard let typeName else { return true }
    return fields[typeName]?.contains(name) == true || fields["*"]?.contains(name) == true
  }
}
