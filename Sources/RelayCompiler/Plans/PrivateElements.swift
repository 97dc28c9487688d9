import GraphQLLanguage

/// The elements of selections whose values are never stored, as they stand at the beginning of a plan.
struct PrivateElements {
  private let schema: Schema
  private let definitions: PrivateDefinitions
  private var elements: Set<String> = []

  /// Finds the elements of an operation's selections.
  ///
  /// - Parameter variables: The variables that the operation declares.
  init(
    of selections: [IR.Selection], on type: TypeID, variables: [VariableDefinition] = [],
    in program: IR.Program
  ) {
    schema = program.schema
    definitions = program.privateDefinitions
    if definitions.isEmpty { return }
    add(selections, on: type)
    for variable in variables {
      if let type = schema.type(named: variable.type.name.symbol),
        definitions.hasPrivateValues(type.id)
      {
        elements.insert("$")
      }
    }
  }

  var isEmpty: Bool { elements.isEmpty }

  /// The prefix of the plan; empty if everything is stored.
  var prefix: String {
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
        if schema[field.type.named].isComposite { add(field.selections, on: field.type.named) }
      case .inlineFragment(let fragment): add(fragment.selections, on: fragment.type)
      case .spread: break
      }
    }
  }

  private mutating func add(_ field: IR.Field, on type: NamedType) {
    guard let reason = definitions.reason(of: field, on: type, in: schema) else { return }
    if reason == .arguments { elements.insert("$") }
    elements.insert(schema.name(of: type.id) + "." + schema.symbols[field.name])
    if let connection = field.connection {
      elements.insert("\(schema.name(of: type.id)).__\(connection.key)_connection")
    }
    for handle in field.handles where handle.name == "connection" {
      for argument in handle.arguments where schema.symbols[argument.name] == "key" {
        guard case .string(let key, _) = argument.value.kind else { continue }
        elements.insert("\(schema.name(of: type.id)).__\(key)_connection")
      }
    }
  }
}
