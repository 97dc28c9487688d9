extension Schema {
  /// Builds a schema from documents without validating it. Members that refer to an unknown type
  /// are left out. The first of several definitions with the same name is used.
  ///
  /// Use ``validated(from:in:mode:servers:)`` to validate the documents and the schema as well.
  ///
  /// - Parameter documents: The documents of the schema, parsed in `workspace`. Any of them can
  ///   contain extensions.
  /// - Complexity: O(*n*) in the size of the documents.
  public static func build(from documents: [Document], in workspace: Workspace) -> Schema {
    let prelude = Document.parse(builtIn: Schema.prelude, in: workspace.symbols)
    var builder = SchemaBuilder(symbols: workspace.symbols, prelude: prelude)
    for document in documents { builder.collect(document) }
    return Schema(builder.build())
  }
}

/// A builder of schemas. It first collects all definitions, then resolves their types.
struct SchemaBuilder {
  private struct Entry {
    let definition: TypeDefinition
    let isBuiltIn: Bool
    var extensions: [TypeDefinition] = []
    var unions: [TypeID] = []
  }

  /// The standard scalars that a schema includes only if it refers to them.
  private static let optionalScalars: Set<Symbol> = [.int, .float, .id]

  private let symbols: SymbolTable
  private let prelude: Document
  private let metaFieldsTypeName: Symbol
  private var builtIn: [Symbol: TypeDefinition] = [:]
  /// The index in `entries` of the type with each name, by symbol index; `UInt32.max` for no type.
  private var positions: [UInt32]
  private var entries: [Entry] = []
  private var extensions: [TypeDefinition] = []
  private var directives: [(definition: DirectiveDefinition, isBuiltIn: Bool)] = []
  private var directiveNames: Set<Symbol> = []
  private var schemaDefinitions: [SchemaDefinition] = []

  init(symbols: SymbolTable, prelude: Document) {
    self.symbols = symbols
    self.prelude = prelude
    metaFieldsTypeName = symbols.intern("__MetaFields")
    positions = [UInt32](repeating: .max, count: symbols.count)
    for case .type(let type) in prelude.definitions { builtIn[type.name.symbol] = type }
  }

  /// Collects the type system definitions of a document.
  mutating func collect(_ document: Document) {
    for definition in document.definitions {
      switch definition {
      case .type(let type) where type.isExtension: extensions.append(type)
      case .type(let type): add(builtIn[type.name.symbol] ?? type)
      case .schema(let schema): schemaDefinitions.append(schema)
      case .directive(let directive): add(directive, isBuiltIn: false)
      case .operation, .fragment: continue
      }
    }
  }

  /// Adds the built-in definitions and resolves the types of all definitions.
  mutating func build() -> SchemaContents {
    collectPrelude()
    for type in extensions {
      guard let id = id(of: type.name.symbol) else { continue }
      entries[Int(id.index)].extensions.append(type)
    }
    collectUnions()
    var contents = SchemaContents(symbols: symbols)
    contents.schemaDefinitions = schemaDefinitions
    // Resolving types can append standard scalars to `entries`.
    var position = 0
    contents.types.reserveCapacity(entries.count + Self.optionalScalars.count)
    while position < entries.count {
      contents.types.append(resolveType(at: position))
      position += 1
    }
    contents.directives = directives.map { resolve($0.definition, isBuiltIn: $0.isBuiltIn) }
    if let meta = builtIn[metaFieldsTypeName] { contents.metaFields = resolve(meta.fields) }
    for type in entries[position...] {
      contents.types.append(
        NamedType(
          id: TypeID(index: UInt32(contents.types.count)), definition: type.definition,
          extensions: [],
          members: TypeMembers(), isBuiltIn: true))
    }
    contents.roots = roots(among: contents.types)
    return contents
  }

  private mutating func collectPrelude() {
    for definition in prelude.definitions {
      switch definition {
      case .type(let type):
        let symbol = type.name.symbol
        if symbol != metaFieldsTypeName, !Self.optionalScalars.contains(symbol) { add(type) }
      case .directive(let directive): add(directive, isBuiltIn: true)
      default: continue
      }
    }
  }

  private mutating func add(_ directive: DirectiveDefinition, isBuiltIn: Bool) {
    guard directiveNames.insert(directive.name.symbol).inserted else { return }
    directives.append((directive, isBuiltIn))
  }

  private mutating func add(_ type: TypeDefinition) {
    let symbol = type.name.symbol
    let index = Int(symbol.index)
    guard index < positions.count, positions[index] == .max else { return }
    positions[index] = UInt32(entries.count)
    entries.append(Entry(definition: type, isBuiltIn: builtIn[symbol] != nil))
  }

  private mutating func id(of symbol: Symbol) -> TypeID? {
    let index = Int(symbol.index)
    guard index < positions.count else { return nil }
    if positions[index] == .max {
      guard Self.optionalScalars.contains(symbol), let scalar = builtIn[symbol] else { return nil }
      add(scalar)
    }
    return TypeID(index: positions[index])
  }

  private mutating func collectUnions() {
    for position in entries.indices where entries[position].definition.kind == .union {
      let union = TypeID(index: UInt32(position))
      for definition in definitions(of: entries[position]) {
        for member in definition.memberTypes {
          if let id = id(of: member.symbol) { entries[Int(id.index)].unions.append(union) }
        }
      }
    }
  }

  private func definitions(of entry: Entry) -> [TypeDefinition] {
    entry.extensions.isEmpty ? [entry.definition] : [entry.definition] + entry.extensions
  }
}

extension SchemaBuilder {
  private mutating func resolveType(at position: Int) -> NamedType {
    let entry = entries[position]
    var merged = TypeMembers()
    merged.unions = entry.unions
    for definition in definitions(of: entry) where definition.kind == entry.definition.kind {
      for name in definition.interfaces {
        if let id = id(of: name.symbol) { merged.interfaces.append(id) }
      }
      for name in definition.memberTypes {
        if let id = id(of: name.symbol) { merged.memberTypes.append(id) }
      }
      merged.fields.append(contentsOf: resolve(definition.fields))
      merged.inputFields.append(contentsOf: resolve(definition.inputFields))
      merged.enumValues.append(
        contentsOf: definition.enumValues.map { SchemaEnumValue(definition: $0) })
    }
    return NamedType(
      id: TypeID(index: UInt32(position)), definition: entry.definition,
      extensions: entry.extensions, members: merged, isBuiltIn: entry.isBuiltIn)
  }

  private mutating func resolve(_ fields: [FieldDefinition]) -> [SchemaField] {
    var resolved: [SchemaField] = []
    resolved.reserveCapacity(fields.count)
    for field in fields {
      guard let type = resolve(field.type) else { continue }
      let arguments = field.arguments.isEmpty ? [] : resolve(field.arguments)
      resolved.append(
        SchemaField(definition: field, type: type, arguments: NamedList(arguments)))
    }
    return resolved
  }

  private mutating func resolve(_ values: [InputValueDefinition]) -> [SchemaInputValue] {
    var resolved: [SchemaInputValue] = []
    resolved.reserveCapacity(values.count)
    for value in values {
      guard let type = resolve(value.type) else { continue }
      resolved.append(SchemaInputValue(definition: value, type: type))
    }
    return resolved
  }

  private mutating func resolve(_ directive: DirectiveDefinition, isBuiltIn: Bool)
    -> SchemaDirective
  {
    SchemaDirective(
      definition: directive, arguments: NamedList(resolve(directive.arguments)),
      isBuiltIn: isBuiltIn)
  }

  private mutating func resolve(_ type: TypeReference) -> ResolvedType? {
    id(of: type.name.symbol).map { ResolvedType($0, shape: type.shape) }
  }

  /// Returns the root operation types: the types in the `schema` definition or, without one, the
  /// types with the default names. Schema extensions add to either.
  private mutating func roots(among types: [NamedType]) -> [OperationType: NamedType] {
    var names: [OperationType: Symbol] = [
      .query: .queryType, .mutation: .mutationType, .subscription: .subscriptionType,
    ]
    if schemaDefinitions.contains(where: { !$0.isExtension }) { names = [:] }
    for definition in schemaDefinitions {
      for root in definition.operationTypes { names[root.operation] = root.type.symbol }
    }
    return names.compactMapValues { name in
      let index = Int(name.index)
      guard index < positions.count, positions[index] != .max else { return nil }
      return types[Int(positions[index])]
    }
  }
}
