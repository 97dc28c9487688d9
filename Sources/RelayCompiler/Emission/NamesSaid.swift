import GraphQLLanguage

/// The names at the top of the module that a definition's code says, so that no type inside of it may hide them.
///
/// Other definitions' names are of no concern to it: adding one elsewhere renames nothing here.
struct NamesSaid {
  private(set) var names: Set<String>
  private let types: SwiftTypes

  init(types: SwiftTypes) {
    self.types = types
    names = ["Fragments", "Data", "RawResponse", "Updatable", types.options.schemaName]
  }

  mutating func add(_ selections: [IR.Selection]) {
    for selection in selections {
      switch selection.content {
      case .field(let field):
        if let fragment = field.derived { add(fragment: fragment) }
        if field.selections.isEmpty { add(field.type.named) } else { add(field.selections) }
      case .spread(let spread): add(fragment: spread.name)
      case .condition(let condition): add(condition.selections)
      }
    }
  }

  /// Adds the types that fill variables.
  mutating func add(_ provided: [IR.ProvidedVariable]) {
    for variable in provided { add(code: variable.provider) }
  }

  /// Adds the first name of a type in code, such as `Foundation` of `Foundation.Date`.
  mutating func add(code: String) {
    if let first = code.split(separator: ".").first { names.insert(String(first)) }
  }

  private mutating func add(fragment: Symbol) {
    if let name = types.fragments[fragment] { names.insert(name) }
  }

  private mutating func add(_ leaf: TypeID) {
    add(code: types.reference(leaf))
    if let scalar = types.swiftType(ofScalar: leaf) { add(code: scalar) }
  }
}
