import GraphQLLanguage

/// The declarations in other modules that the generated code refers to.
struct SharedModules {
  /// The modules that declare enums, input types and scalars, by type.
  var types: [TypeID: String] = [:]
  /// The modules that declare fragments, by fragment.
  var fragments: [Symbol: String] = [:]
  /// The module that declares all shared types, if it is a different one.
  var schemaModule: String?

  /// Whether no other module declares anything.
  var isEmpty: Bool { types.isEmpty && fragments.isEmpty && schemaModule == nil }

  /// Returns the other module that declares a type; `nil` when the compiled module declares it.
  func module(of type: TypeID) -> String? { schemaModule ?? types[type] }
}

/// The other modules that a definition's generated code refers to.
struct ModuleUse {
  private let types: SwiftTypes
  private(set) var modules: Set<String> = []

  init(
    _ selections: [IR.Selection], _ provided: [IR.ProvidedVariable], types: SwiftTypes
  ) {
    self.types = types
    add(selections)
    for variable in provided {
      if let module = types.modules.fragments[variable.fragment] { modules.insert(module) }
      add(variable.type.named)
    }
  }

  // Not inlined: inlining a recursive function would copy each level into the one above.
  @inline(never)
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
      case .inlineFragment(let fragment): add(fragment.selections)
      }
    }
  }

  mutating func add(_ type: TypeReference) {
    if let type = types.schema.resolve(type) { add(type.named) }
  }

  /// Inserts the module of a leaf type. Skips types inside `enum Schema`, because the code refers
  /// to them through the `enum Schema` of the compiled module.
  private mutating func add(_ type: TypeID) {
    guard !types.isInSchema(type), SwiftTypes.builtIn[types.schema.name(of: type)] == nil,
      !types.schema[type].isComposite, let module = types.modules.module(of: type)
    else { return }
    modules.insert(module)
  }
}
