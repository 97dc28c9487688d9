import GraphQLLanguage

/// What emitters share: the Swift names of types and definitions.
final class SwiftTypes {
  /// The standard scalars.
  static let builtIn: [String: String] = [
    "ID": "String", "String": "String", "Int": "Int", "Float": "Double", "Boolean": "Bool",
  ]

  let schema: Schema
  let options: EmissionOptions
  let used: UsedTypes
  /// The structs of fragments, by the fragments' names.
  private(set) var fragments: [Symbol: String] = [:]
  /// Those among them whose spreads are their structs.
  private(set) var inlineFragments: Set<Symbol> = []
  /// The structs of operations, by the operations' names.
  private(set) var operations: [Symbol: String] = [:]
  /// Standard types that `enum Schema` hides from the code inside it.
  private var hidden: Set<String> = []
  /// By type: how code refers to it.
  private var references: [TypeID: String] = [:]
  private let members = FieldTexts()
  let idSymbol: Symbol

  /// What other modules declare.
  let modules: SharedModules
  /// The scalars whose Swift types files of the target declare.
  private(set) var declaredScalars: Set<TypeID> = []
  /// The scalars that may be no strings.
  private(set) var typedScalars: Set<TypeID> = []

  init(
    program: IR.Program, used: UsedTypes, options: EmissionOptions, modules: SharedModules = .init()
  ) {
    schema = program.schema
    idSymbol = schema.symbols.intern("id")
    self.options = options
    self.used = used
    self.modules = modules
    for fragment in program.fragments {
      fragments[fragment.name] = SwiftName.definition(text(fragment.name))
      if fragment.isInline { inlineFragments.insert(fragment.name) }
    }
    for operation in program.operations {
      operations[operation.name.symbol] = SwiftName.operation(
        text(operation.name.symbol), kind: operation.definition.operation.rawValue)
    }
    hidden = Set(
      (used.enums + used.inputObjects + used.customScalars).map { schema.name(of: $0.id) }
    ).intersection(Self.builtIn.values)
    for id in used.leaves.union(used.inputs) { references[id] = makeReference(id) }
    var files: Set<String> = []
    for scalar in used.customScalars where modules.module(of: scalar.id) == nil {
      let name = schema.name(of: scalar.id)
      guard options.customScalarTypes[name] == nil else { continue }
      // Of names that differ by case only, one can have a file.
      if options.declaredScalars.contains(name)
        || (options.makesScalarFiles && files.insert(name.lowercased()).inserted)
      {
        declaredScalars.insert(scalar.id)
      }
    }
    for scalar in used.customScalars where swiftType(ofScalar: scalar.id) != nil {
      typedScalars.insert(scalar.id)
    }
  }

  func text(_ symbol: Symbol) -> String { schema.symbols[symbol] }

  /// `public ` or nothing, before a declaration.
  var access: String { options.access.isEmpty ? "" : options.access + " " }

  /// What stands before an initializer that most programs never call: where access is public it is
  /// compiled where it is called, so that it costs nothing elsewhere.
  var clientAccess: String {
    options.access == "public" ? "@_alwaysEmitIntoClient public " : access
  }

  /// What stands above the property of a type's field.
  func texts(of field: Symbol, on owner: TypeID) -> FieldTexts.Entry {
    members.entry(of: field, on: owner, in: schema)
  }

  // MARK: Named types

  /// The name by which code anywhere refers to a leaf or input type.
  func reference(_ id: TypeID) -> String { references[id] ?? makeReference(id) }

  private func makeReference(_ id: TypeID) -> String {
    let name = schema.name(of: id)
    if let builtIn = Self.builtIn[name] {
      return hidden.contains(builtIn) ? "Swift.\(builtIn)" : builtIn
    }
    return isInSchema(id) ? options.schemaName + "." + member(id) : name
  }

  /// Whether the declaration stands inside `enum Schema`.
  func isInSchema(_ id: TypeID) -> Bool {
    let name = schema.name(of: id)
    return schema[id].kind == .scalar || SwiftName.belongsToSchema(name)
      || name == options.schemaName
  }

  /// The name of a declaration inside `enum Schema`.
  func member(_ id: TypeID) -> String {
    SwiftName.schemaMember(schema.name(of: id), schemaName: options.schemaName)
  }

  /// The modules of the scalars' Swift types, such as `Foundation` for `Foundation.Date`.
  var importedModules: [String] {
    let shared = (used.customScalars + used.enums + used.inputObjects)
      .filter { isInSchema($0.id) }.compactMap { self.modules.module(of: $0.id) }
    let modules = used.customScalars.compactMap { scalar -> String? in
      guard self.modules.module(of: scalar.id) == nil else { return nil }
      let parts = options.customScalarTypes[schema.name(of: scalar.id)]?.split(separator: ".") ?? []
      return parts.count > 1 ? String(parts[0]) : nil
    }
    return Set(modules + shared).subtracting(["RelayStore", "Swift"]).sorted()
  }

  /// The Swift type of a custom scalar that may be no string; `nil` where it certainly is one.
  func swiftType(ofScalar id: TypeID) -> String? {
    let name = schema.name(of: id)
    if declaredScalars.contains(id) { return reference(id) }
    if let module = modules.module(of: id), schema[id].kind == .scalar, Self.builtIn[name] == nil {
      return module + "." + options.schemaName + "." + member(id)
    }
    guard schema[id].kind == .scalar, Self.builtIn[name] == nil,
      let type = options.customScalarTypes[name], type != "String", type != "Swift.String"
    else { return nil }
    return type
  }

  // MARK: Shapes

  /// A type in a snapshot: `GraphQLList<String?>?`.
  func output(_ shape: TypeShape, of leaf: String) -> String {
    let type = shape.item.map { "GraphQLList<\(output($0, of: leaf))>" } ?? leaf
    return shape.isNonNull ? type : type + "?"
  }

  /// A type of a variable or input field: `GraphQLNullable<[String]>`.
  func input(_ type: ResolvedType) -> String {
    let inner = inputElement(type.nonNull.shape, of: reference(type.named))
    return type.isNonNull ? inner : "GraphQLNullable<\(inner)>"
  }

  /// A type that a provider returns: `[String]?`.
  func provided(_ type: ResolvedType) -> String {
    inputElement(type.shape, of: reference(type.named))
  }

  private func inputElement(_ shape: TypeShape, of leaf: String) -> String {
    let type = shape.item.map { "[\(inputElement($0, of: leaf))]" } ?? leaf
    return shape.isNonNull ? type : type + "?"
  }
}
