import GraphQLLanguage

/// The module-scope names used by a definition's code. Declarations inside the definition's struct
/// must not shadow them.
///
/// Names of unrelated definitions are excluded, so adding a definition never renames anything in
/// others.
struct ReferencedNames {
  /// The names unavailable to nested types.
  private(set) var inTypes: Set<String>
  /// The names unavailable to properties: those used in expressions, where a property would shadow
  /// them. In a type annotation, a property does not shadow a type's name.
  private(set) var inExpressions: Set<String>
  private let types: SwiftTypes

  /// - Parameters:
  ///   - root: The name of the definition's own struct.
  ///   - selections: The selections that get nested structs.
  init(
    _ root: String, _ selections: [IR.Selection], _ provided: [IR.ProvidedVariable],
    types: SwiftTypes
  ) {
    self.types = types
    inExpressions = [root, types.options.schemaName]
    inTypes = inExpressions.union(["Fragments", "Data", "RawResponse", "Updatable"])
    add(selections)
    add(provided)
  }

  private mutating func add(_ selections: [IR.Selection]) {
    for selection in selections {
      switch selection.content {
      case .field(let field):
        if let fragment = field.derived { add(fragment: fragment, isRead: true) }
        if field.selections.isEmpty { add(field.type.named) } else { add(field.selections) }
      case .spread(let spread):
        add(fragment: spread.name, isRead: types.inlineFragments.contains(spread.name))
      case .inlineFragment(let fragment): add(fragment.selections)
      }
    }
  }

  /// Inserts the names of the types that provide variables.
  private mutating func add(_ provided: [IR.ProvidedVariable]) {
    for variable in provided {
      let module = types.modules.fragments[variable.fragment]
      let name = add(code: module ?? variable.provider)
      if let name { inExpressions.insert(name) }
    }
  }

  /// Inserts the first name of a type in code, such as `Foundation` in `Foundation.Date`.
  ///
  /// - Returns: The name.
  @discardableResult
  mutating func add(code: String) -> String? {
    guard let first = code.split(separator: ".").first.map(String.init) else { return nil }
    inTypes.insert(first)
    return first
  }

  /// - Parameter isRead: Whether the definition's plan contains the fragment's plan.
  private mutating func add(fragment: Symbol, isRead: Bool) {
    guard let name = types.fragments[fragment] else { return }
    inTypes.insert(name)
    if isRead { inExpressions.insert(name) }
  }

  private mutating func add(_ leaf: TypeID) {
    add(code: types.reference(leaf))
    if let scalar = types.swiftType(ofScalar: leaf) { add(code: scalar) }
  }
}
