import GraphQLLanguage

/// An emitter of an operation's variables: one property each, an initializer, and the dictionary of
/// their values.
struct OperationVariables {
  private struct Variable {
    let name: String
    let property: String
    /// The type of the input value.
    let type: String
    /// Whether the property is optional, because the value can be omitted but must not be null.
    let isOptional: Bool
    let defaultValue: String?

    /// The type of the property.
    var propertyType: String { isOptional ? type + "?" : type }
    /// The value in the variables dictionary.
    var sent: String { isOptional ? "GraphQLNullable(\(property), ifNil: .none)" : property }

    /// Returns the expression that reads the value at a position in the dictionary.
    func read(at position: Int) -> String {
      isOptional
        ? "(__variables[\(position)] as GraphQLNullable<\(type)>).unwrapped"
        : "__variables[\(position)]"
    }
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
      variables.append(
        Self.variable(
          name, property: SwiftName.escaped(property), type, defaultValue: definition.defaultValue,
          inputs))
    }
  }

  private static func variable(
    _ name: String, property: String, _ type: ResolvedType, defaultValue: Value?,
    _ inputs: InputLiterals
  ) -> Variable {
    let literal: String?
    let isOptional: Bool
    switch defaultValue {
    case .some(let value) where inputs.isExpressible(value, of: type):
      (literal, isOptional) = (inputs.expression(value, of: type), false)
    case .some:
      // The server and the store apply the default value when the variable is absent.
      (literal, isOptional) = (type.isNonNull ? "nil" : ".none", type.isNonNull)
    case nil: (literal, isOptional) = (type.isNonNull ? nil : ".none", false)
    }
    return Variable(
      name: name, property: property, type: inputs.types.input(type), isOptional: isOptional,
      defaultValue: literal)
  }

  /// Emits the variables.
  ///
  /// - Parameter isRefetchQuery: Whether a refetch can change the variables, so that their names
  ///   are needed.
  func emit(isRefetchQuery: Bool = false, to printer: inout SwiftPrinter) {
    let parameters = variables.map {
      "\($0.property): \($0.propertyType)" + ($0.defaultValue.map { " = " + $0 } ?? "")
    }
    let values = variables.map { "\(SwiftEscaping.literal($0.name)): \($0.sent)" } + provided
    if values.isEmpty { return printer.line("\(access)init() {}") }
    printer.line("\(access)let __variables: Variables")
    printer.initializer(access + "init(", parameters) { text in
      text += "__variables = [\(values.joined(separator: ", "))]"
    }
    for (position, variable) in variables.enumerated() {
      printer.member {
        $0 += "\(access)var \(variable.property): \(variable.propertyType)"
      } body: {
        $0 += variable.read(at: position)
      }
    }
    if isRefetchQuery, !variables.isEmpty { emitNames(to: &printer) }
  }

  private func emitNames(to printer: inout SwiftPrinter) {
    printer.block("\(access)struct __RefetchVariables: RefetchVariableNames") { printer in
      printer.line("\(access)init() {}")
      for variable in variables {
        printer.member {
          $0 += "\(access)var \(variable.property): RefetchVariable<\(variable.type)>"
        } body: {
          $0 += SwiftEscaping.literal(variable.name)
        }
      }
    }
  }
}

extension SwiftTypes {
  /// Returns the entries for provided variables in the variables dictionary.
  func entries(of provided: [IR.ProvidedVariable]) -> [String] {
    provided.map { variable in
      let name = SwiftEscaping.literal(text(variable.name))
      let module = modules.fragments[variable.fragment].map { $0 + "." } ?? ""
      return "\(name): \(module)\(variable.provider).get() as \(self.provided(variable.type))"
    }
  }
}
