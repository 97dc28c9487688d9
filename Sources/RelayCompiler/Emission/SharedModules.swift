import GraphQLLanguage

/// What other modules declare, so that this one uses it from there.
struct SharedModules {
  /// The module of each enum, input and scalar that one has.
  var types: [TypeID: String] = [:]
  /// The module of each fragment of another one.
  var fragments: [Symbol: String] = [:]
  /// The module that has all shared types, where that is another one.
  var schemaModule: String?

  /// Whether there are no other modules.
  var isEmpty: Bool { types.isEmpty && fragments.isEmpty && schemaModule == nil }

  /// The other module that declares a type.
  func module(of type: TypeID) -> String? { schemaModule ?? types[type] }
}

/// The other modules that a definition's generated code names.
struct ModuleUse {
  private let types: SwiftTypes
  private(set) var modules: Set<String> = []

  init(types: SwiftTypes) { self.types = types }

  mutating func add(_ selections: [IR.Selection]) {
    for selection in selections {
      switch selection.content {
      case .field(let field):
        if let fragment = field.derived, let module = types.modules.fragments[fragment] {
          modules.insert(module)
        }
        if field.selections.isEmpty { add(field.type.named) } else { add(field.selections) }
      case .spread(let spread):
        if let module = types.modules.fragments[spread.name] { modules.insert(module) }
      case .condition(let condition): add(condition.selections)
      }
    }
  }

  mutating func add(_ provided: [IR.ProvidedVariable]) {
    for variable in provided {
      if let module = types.modules.fragments[variable.fragment] { modules.insert(module) }
      add(variable.type.named)
    }
  }

  mutating func add(_ type: TypeReference) {
    if let type = types.schema.resolve(type) { add(type.named) }
  }

  /// What stands in `enum Schema` is named through this module's own.
  private mutating func add(_ type: TypeID) {
    guard !types.isInSchema(type), SwiftTypes.builtIn[types.schema.name(of: type)] == nil,
      !types.schema[type].isComposite, let module = types.modules.module(of: type)
    else { return }
    modules.insert(module)
  }
}
