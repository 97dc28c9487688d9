import GraphQLLanguage

/// Emits an operation's variables: properties, an initializer, and their values by name.
struct OperationVariables {
  private struct Variable {
    let name: String
    let property: String
    let type: String
    let defaultValue: String?
  }

  private let access: String
  private var variables: [Variable] = []
  private let provided: [String]

  init(_ operation: IR.Operation, types: SwiftTypes, names: NamesSaid) {
    access = types.access
    provided = types.entries(of: operation.provided)
    let inputs = InputLiterals(types: types)
    var taken = names.inExpressions.union(["Data", "RawResponse", "__variables", "__operation"])
    for definition in operation.definition.variables {
      guard let type = types.schema.resolve(definition.type) else { continue }
      let name = types.text(definition.name.symbol)
      let property = SwiftName.member(name, taken: taken)
      taken.insert(property)
      // A default that Swift cannot say is the server's, and the store's, when nothing is given.
      let isSaid = definition.defaultValue.map { inputs.isExpressible($0, of: type) } ?? true
      variables.append(
        Variable(
          name: name, property: SwiftName.escaped(property),
          type: types.input(isSaid ? type : type.nullable),
          defaultValue: isSaid
            ? definition.defaultValue.map { inputs.expression($0, of: type) }
              ?? (type.isNonNull ? nil : ".none") : ".none"))
    }
  }

  func emit(to printer: inout SwiftPrinter) {
    let parameters = variables.map {
      "\($0.property): \($0.type)" + ($0.defaultValue.map { " = " + $0 } ?? "")
    }
    let values = variables.map { "\(SwiftText.literal($0.name)): \($0.property)" } + provided
    if values.isEmpty { return printer.line("\(access)init() {}") }
    printer.line("\(access)let __variables: Variables")
    printer.initializer(access + "init(", parameters) { text in
      text += "__variables = [\(values.joined(separator: ", "))]"
    }
    for (position, variable) in variables.enumerated() {
      printer.line(
        "\(access)var \(variable.property): \(variable.type) { __variables[\(position)] }")
    }
  }
}

extension SwiftTypes {
  /// The entries that providers have in a dictionary of variables.
  func entries(of provided: [IR.ProvidedVariable]) -> [String] {
    provided.map { variable in
      let name = SwiftText.literal(text(variable.name))
      let module = modules.fragments[variable.fragment].map { $0 + "." } ?? ""
      return "\(name): \(module)\(variable.provider).get() as \(self.provided(variable.type))"
    }
  }
}
