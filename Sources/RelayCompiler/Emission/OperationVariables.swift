import GraphQLLanguage

/// Emits the variables of an operation: a property for each, an initializer, and the dictionary of
/// their values.
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

  init(_ operation: IR.Operation, types: SwiftTypes, names: ReferencedNames) {
    access = types.access
    provided = types.entries(of: operation.provided)
    let inputs = InputLiterals(types: types)
    var taken = names.inExpressions.union(["Data", "RawResponse", "__variables", "__operation"])
    for definition in operation.definition.variables {
      guard let type = types.schema.resolve(definition.type) else { continue }
      let name = types.text(definition.name.symbol)
      let property = SwiftName.member(name, taken: taken)
      taken.insert(property)
      // A default value without a Swift literal stays with the server and the store, which apply it
      // when the variable is absent.
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

  /// Emits the variables.
  ///
  /// - Parameter isRefetchQuery: Whether a refetch may change them, so that their names are needed.
  func emit(isRefetchQuery: Bool = false, to printer: inout SwiftPrinter) {
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
    if isRefetchQuery, !variables.isEmpty { emitNames(to: &printer) }
  }

  private func emitNames(to printer: inout SwiftPrinter) {
    printer.block("\(access)struct __RefetchVariables: RefetchVariableNames") { printer in
      printer.line("\(access)init() {}")
      for variable in variables {
        printer.line(
          "\(access)var \(variable.property): RefetchVariable<\(variable.type)> { \(SwiftText.literal(variable.name)) }"
        )
      }
    }
  }
}

extension SwiftTypes {
  /// The entries of provided variables in the dictionary of variables.
  func entries(of provided: [IR.ProvidedVariable]) -> [String] {
    provided.map { variable in
      let name = SwiftText.literal(text(variable.name))
      let module = modules.fragments[variable.fragment].map { $0 + "." } ?? ""
      return "\(name): \(module)\(variable.provider).get() as \(self.provided(variable.type))"
    }
  }
}
