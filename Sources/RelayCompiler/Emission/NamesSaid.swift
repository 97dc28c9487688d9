import GraphQLLanguage

/// The names at the top of the module that a definition's code says, so that nothing inside of it may hide them.
///
/// Other definitions' names are of no concern to it: adding one elsewhere renames nothing here.
struct NamesSaid {
  /// Names that no type inside may have.
  private(set) var inTypes: Set<String>
  /// Names that no property may have either: an expression that says one would find the property first. Where a
  /// type is said, properties do not count.
  private(set) var inExpressions: Set<String>
  private let types: SwiftTypes

  /// - Parameter root: The definition's own struct.
  init(_ root: String, types: SwiftTypes) {
    self.types = types
    inExpressions = [root, types.options.schemaName]
    inTypes = inExpressions.union(["Fragments", "Data", "RawResponse", "Updatable"])
  }

  mutating func add(_ selections: [IR.Selection]) {
    for selection in selections {
      switch selection.content {
      case .field(let field):
        if let fragment = field.derived { add(fragment: fragment, isRead: true) }
        if field.selections.isEmpty { add(field.type.named) } else { add(field.selections) }
      case .spread(let spread):
        add(fragment: spread.name, isRead: types.inlineFragments.contains(spread.name))
      case .condition(let condition): add(condition.selections)
      }
    }
  }

  /// Adds the types that fill variables.
  mutating func add(_ provided: [IR.ProvidedVariable]) {
    for variable in provided {
      let module = types.modules.fragments[variable.fragment]
      let name = add(code: module ?? variable.provider)
      if let name { inExpressions.insert(name) }
    }
  }

  /// Adds the first name of a type in code, such as `Foundation` of `Foundation.Date`.
  ///
  /// - Returns: The name.
  @discardableResult
  mutating func add(code: String) -> String? {
    guard let first = code.split(separator: ".").first.map(String.init) else { return nil }
    inTypes.insert(first)
    return first
  }

  /// - Parameter isRead: Whether the definition's plan has the fragment's.
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
