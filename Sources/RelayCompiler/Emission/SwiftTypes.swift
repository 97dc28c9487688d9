import GraphQLLanguage

/// The Swift names of a program's types and definitions, shared by all emitters.
package final class SwiftTypes {
  /// The Swift types of the specification's scalars.
  package static let builtIn: [String: String] = [
    "ID": "String", "String": "String", "Int": "Int", "Float": "Double", "Boolean": "Bool",
  ]

  package let schema: Schema
  let options: EmissionOptions
  package let used: UsedTypes
  /// The struct names of fragments.
  package private(set) var fragments: [Symbol: String] = [:]
  /// The fragments with `@inline`, whose spreads are structs instead of references.
  private(set) var inlineFragments: Set<Symbol> = []
  /// The struct names of operations.
  package private(set) var operations: [Symbol: String] = [:]
  /// The standard library types shadowed by declarations inside `enum Schema`.
  private var hidden: Set<String> = []
  /// The memoized names that code uses to refer to types.
  private var references: [TypeID: String] = [:]
  private let members = FieldDocumentation()
  /// The fields that identify objects.
  package let keys: KeyFields

  /// The declarations in other modules.
  let modules: SharedModules
  /// The scalars whose Swift types are declared by files in the target.
  private(set) var declaredScalars: Set<TypeID> = []
  /// The scalars whose Swift type can differ from `String`.
  private(set) var typedScalars: Set<TypeID> = []
  /// The enums of fields, plus the scalars whose Swift type can differ from `String`.
  private(set) var typedLeaves: Set<TypeID> = []

  init(
    program: IR.Program, used: UsedTypes, options: EmissionOptions, modules: SharedModules = .init()
  ) {
    schema = program.schema
    keys = program.keyFields
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
      // On a case-insensitive file system, names that differ only in case share one file.
      if options.declaredScalars.contains(name)
        || (options.makesScalarFiles && files.insert(name.lowercased()).inserted)
      {
        declaredScalars.insert(scalar.id)
      }
    }
    for scalar in used.customScalars where swiftType(ofScalar: scalar.id) != nil {
      typedScalars.insert(scalar.id)
    }
    typedLeaves = typedScalars.union(used.fieldLeaves.filter { schema[$0].kind == .enum })
  }

  func text(_ symbol: Symbol) -> String { schema.symbols[symbol] }

  /// The access modifier of declarations with a trailing space; empty for internal.
  var access: String { options.access.isEmpty ? "" : options.access + " " }

  /// The modifiers of initializers that most programs never call. A public one is emitted only into
  /// client code that calls it.
  var clientAccess: String {
    options.access == "public" ? "@_alwaysEmitIntoClient public " : access
  }

  /// Returns the documentation comment and deprecation of a field's property.
  func texts(of field: Symbol, on owner: TypeID) -> FieldDocumentation.Entry {
    members.entry(of: field, on: owner, in: schema)
  }

  // MARK: Named types

  /// The struct for object type names in optimistic responses.
  var objectType: String { options.schemaName + ".ObjectType" }

  /// Returns the name that generated code uses for a leaf or input type.
  func reference(_ id: TypeID) -> String { references[id] ?? makeReference(id) }

  private func makeReference(_ id: TypeID) -> String {
    let name = schema.name(of: id)
    if let builtIn = Self.builtIn[name] {
      return hidden.contains(builtIn) ? "Swift.\(builtIn)" : builtIn
    }
    return isInSchema(id) ? options.schemaName + "." + member(id) : name
  }

  /// Returns whether a type is declared inside `enum Schema`.
  func isInSchema(_ id: TypeID) -> Bool {
    let name = schema.name(of: id)
    return schema[id].kind == .scalar || SwiftName.belongsToSchema(name)
      || name == options.schemaName
  }

  /// Returns the name of a type's declaration inside `enum Schema`.
  func member(_ id: TypeID) -> String {
    SwiftName.schemaMember(schema.name(of: id), schemaName: options.schemaName)
  }

  /// The modules that the shared types file imports: those with the scalars' Swift types, such as
  /// `Foundation` for `Foundation.Date`, and those with the types that `enum Schema` aliases.
  var importedModules: [String] {
    let shared = (used.customScalars + used.enums + used.inputObjects)
      .filter { isInSchema($0.id) }.compactMap { self.modules.module(of: $0.id) }
    let modules = used.customScalars.compactMap { scalar -> String? in
      guard self.modules.module(of: scalar.id) == nil else { return nil }
      let parts = options.customScalarTypes[schema.name(of: scalar.id)]?.split(separator: ".") ?? []
      return parts.count > 1 ? String(parts[0]) : nil
    }
    return Set(modules + shared).subtracting(["RelayStore", "Swift", options.module ?? ""]).sorted()
  }

  /// The modules that are used only in the table of leaves, for enums outside `enum Schema`.
  var modulesOfLeaves: [String] {
    let modules = typedLeaves.filter { !isInSchema($0) }.compactMap { self.modules.module(of: $0) }
    return Set(modules).subtracting(importedModules).sorted()
  }

  /// Returns whether a member of `enum Schema` hides a module-scope type.
  func isHiddenInSchema(_ id: TypeID) -> Bool {
    let name = schema.name(of: id)
    return !isInSchema(id)
      && (name == "ObjectType"
        || (used.customScalars + used.enums + used.inputObjects).contains {
          isInSchema($0.id) && member($0.id) == name
        })
  }

  /// Returns the Swift type of a custom scalar; `nil` when it is certainly `String`.
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

  /// Returns the Swift type of a field in a snapshot: `GraphQLList<String?>?`.
  func output(_ shape: TypeShape, of namedType: String) -> String {
    let type = shape.item.map { "GraphQLList<\(output($0, of: namedType))>" } ?? namedType
    return shape.isNonNull ? type : type + "?"
  }

  /// Returns the Swift type of a variable or input field: `GraphQLNullable<[String]>`.
  func input(_ type: ResolvedType) -> String {
    let inner = inputElement(type.nonNull.shape, of: reference(type.named))
    return type.isNonNull ? inner : "GraphQLNullable<\(inner)>"
  }

  /// Returns the Swift type that a provider returns: `[String]?`.
  func provided(_ type: ResolvedType) -> String {
    inputElement(type.shape, of: reference(type.named))
  }

  private func inputElement(_ shape: TypeShape, of namedType: String) -> String {
    let type = shape.item.map { "[\(inputElement($0, of: namedType))]" } ?? namedType
    return shape.isNonNull ? type : type + "?"
  }
}
