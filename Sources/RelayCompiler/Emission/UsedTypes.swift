import GraphQLLanguage

/// The types that generated code refers to: enums, input types and scalars, and the abstract types
/// of type conditions and fragments.
package struct UsedTypes {
  package let schema: Schema
  package private(set) var leaves: Set<TypeID> = []
  /// The leaves that occur as types of fields.
  package private(set) var fieldLeaves: Set<TypeID> = []
  package private(set) var inputs: Set<TypeID> = []
  package private(set) var abstractConditions: Set<TypeID> = []
  /// The types with a selection set: the types of roots, fragments and linked fields.
  package private(set) var selected: Set<TypeID> = []

  /// The object types named in optimistic responses: the possible types of fields with abstract
  /// types.
  package private(set) var named: Set<TypeID> = []

  /// Whether a type is in ``leaves``, by type index.
  private var isKnownLeaf: [Bool]

  package init(schema: Schema) {
    self.schema = schema
    isKnownLeaf = Array(repeating: false, count: schema.types.count)
  }

  /// Creates the union of the types in several programs.
  package init(
    schema: Schema, leaves: Set<TypeID>, fieldLeaves: Set<TypeID>, inputs: Set<TypeID>,
    abstractConditions: Set<TypeID>, selected: Set<TypeID>, named: Set<TypeID>
  ) {
    self.init(schema: schema)
    self.leaves = leaves
    self.fieldLeaves = fieldLeaves
    self.inputs = inputs
    self.abstractConditions = abstractConditions
    self.selected = selected
    self.named = named
  }

  /// Inserts the types that a program's selections and variables refer to.
  mutating func add(_ program: IR.Program) {
    for operation in program.operations {
      selected.insert(operation.root)
      add(operation.selections)
      for variable in operation.definition.variables {
        if let type = schema.resolve(variable.type) { addInput(type.named) }
      }
      for variable in operation.provided { addInput(variable.type.named) }
    }
    for fragment in program.fragments {
      selected.insert(fragment.type)
      if schema[fragment.type].isAbstract { abstractConditions.insert(fragment.type) }
      add(fragment.selections)
      for variable in fragment.provided { addInput(variable.type.named) }
    }
  }

  /// Inserts the enums, input types and scalars in a program before its transformation.
  ///
  /// A module declares at least these types. Other modules rely on that, because they lower its
  /// documents without transforming them.
  mutating func addLeaves(of program: IR.Program) {
    let conditions = abstractConditions
    add(program)
    abstractConditions = conditions
  }

  /// Inserts all enums, input types and custom scalars of the schema.
  package mutating func addAll() {
    for type in schema.types where !type.isBuiltIn && !type.isComposite { addInput(type.id) }
  }

  private mutating func add(_ selections: [IR.Selection]) {
    for selection in selections {
      switch selection.content {
      case .field(let field):
        if field.selections.isEmpty {
          addLeaf(field.type.named)
        } else {
          selected.insert(field.type.named)
          add(field.selections)
        }
      case .inlineFragment(let fragment):
        if schema[fragment.type].isAbstract { abstractConditions.insert(fragment.type) }
        add(fragment.selections)
      case .spread: break
      }
    }
  }

  /// Inserts the object types named in an operation's optimistic responses.
  ///
  /// - Parameter selections: The operation's selections, with all fragments expanded.
  mutating func addNamed(in selections: [IR.Selection]) {
    for selection in selections {
      switch selection.content {
      case .field(let field) where !field.selections.isEmpty:
        let type = schema[field.type.named]
        if type.isAbstract { named.formUnion(schema.possibleTypes(of: type)) }
        addNamed(in: field.selections)
      case .inlineFragment(let fragment): addNamed(in: fragment.selections)
      case .field, .spread: break
      }
    }
  }

  private mutating func addLeaf(_ id: TypeID) {
    // Fast path: thousands of leaf fields share a few types.
    if isKnownLeaf[Int(id.index)] { return }
    isKnownLeaf[Int(id.index)] = true
    leaves.insert(id)
    fieldLeaves.insert(id)
  }

  private mutating func addInput(_ id: TypeID) {
    let type = schema[id]
    guard type.kind == .inputObject else {
      leaves.insert(id)
      return
    }
    guard inputs.insert(id).inserted else { return }
    for field in type.inputFields { addInput(field.type.named) }
  }

  /// Sorts types bytewise by name.
  func sorted(_ types: some Sequence<TypeID>) -> [NamedType] {
    types.sorted(byText: schema.name(of:)).map { schema[$0] }
  }

  package var enums: [NamedType] { sorted(leaves.filter { schema[$0].kind == .enum }) }
  package var customScalars: [NamedType] {
    sorted(
      leaves.filter { schema[$0].kind == .scalar && SwiftTypes.builtIn[schema.name(of: $0)] == nil }
    )
  }
  package var inputObjects: [NamedType] { sorted(inputs) }
}
