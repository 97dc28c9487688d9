import GraphQLLanguage

/// The selected elements whose values are never persisted, in the form that prefixes a plan.
package struct PrivateElements {
  private let schema: Schema
  private let definitions: PrivateDefinitions
  private let fragments: [Symbol: IR.Fragment]
  private var elements: Set<String> = []
  /// The fragments whose selections have been added.
  private var visited: Set<Symbol> = []

  /// Creates an empty set of elements.
  ///
  /// - Parameter program: The program with the fragments that selections spread.
  init(in program: IR.Program) {
    schema = program.schema
    definitions = program.privateDefinitions
    fragments =
      definitions.isEmpty
      ? [:] : Dictionary(program.fragments.map { ($0.name, $0) }, uniquingKeysWith: { $1 })
  }

  /// Returns the private elements in selections.
  ///
  /// - Parameter variables: The variables that the operation declares.
  func of(
    _ selections: [[IR.Selection]], on type: TypeID, variables: [VariableDefinition] = []
  ) -> PrivateElements {
    var found = self
    if definitions.isEmpty { return found }
    for selections in selections { found.add(selections, on: type) }
    found.add(variables)
    return found
  }

  private mutating func add(_ variables: [VariableDefinition]) {
    for variable in variables {
      if let type = schema.type(named: variable.type.name.symbol),
        definitions.hasPrivateValues(type.id)
      {
        elements.insert("$")
      }
    }
  }

  var isEmpty: Bool { elements.isEmpty }

  /// The prefix of the plan; empty if all values may be persisted.
  package var prefix: String {
    elements.isEmpty ? "" : "-" + elements.sorted(byText: \.self).joined(separator: ",") + " "
  }

  private mutating func add(_ selections: [IR.Selection], on type: TypeID) {
    let possible = schema.possibleTypes(of: schema[type])
    for type in possible where definitions.contains(type) {
      elements.insert(schema.name(of: type))
    }
    for selection in selections {
      switch selection.content {
      case .field(let field):
        for type in possible { add(field, on: schema[type]) }
        addAbstract(field, on: schema[type])
        if schema[field.type.named].isComposite { add(field.selections, on: field.type.named) }
      case .inlineFragment(let fragment): add(fragment.selections, on: fragment.type)
      case .spread(let spread):
        guard let fragment = fragments[spread.name], visited.insert(spread.name).inserted else {
          continue
        }
        add(fragment.selections, on: fragment.type)
      }
    }
  }

  /// Adds a field of an abstract type, for implementing types that the schema does not have yet.
  private mutating func addAbstract(_ field: IR.Field, on type: NamedType) {
    if type.isAbstract, definitions.reason(of: field, on: type, in: schema) != nil {
      insert(field, of: "*")
    }
  }

  private mutating func add(_ field: IR.Field, on type: NamedType) {
    guard let reason = definitions.reason(of: field, on: type, in: schema) else { return }
    if reason == .arguments { elements.insert("$") }
    insert(field, of: schema.name(of: type.id))
    // The root record has a separate type name.
    if type === schema.queryType { insert(field, of: "__Root") }
  }

  private mutating func insert(_ field: IR.Field, of type: String) {
    elements.insert(type + "." + schema.symbols[field.name])
    if let connection = field.connection {
      elements.insert("\(type).__\(connection.key)_connection")
    }
    for handle in field.handles where handle.name == "connection" {
      for argument in handle.arguments where schema.symbols[argument.name] == "key" {
        guard case .string(let key, _) = argument.value.kind else { continue }
        elements.insert("\(type).__\(key)_connection")
      }
    }
  }
}
