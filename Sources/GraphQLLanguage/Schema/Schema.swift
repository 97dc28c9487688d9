/// A GraphQL schema: its types, root operation types and directives, with constant-time lookup by
/// name.
///
///     let result = Schema.build(from: [workspace.parse(source).document], in: workspace)
///     let name = result.type(named: "User")?.field(named: symbols.intern("name"))
///
/// A schema is immutable and can be shared between threads.
public final class Schema: Sendable {
  /// The symbol table that interned the schema's names.
  public let symbols: SymbolTable
  /// All types: first the documents' types in source order, then the built-in ones.
  public let types: [NamedType]
  /// All directives: first the documents' directives in source order, then the built-in ones.
  public let directives: NamedList<SchemaDirective>
  /// The `schema {…}` definition and its extensions, in source order; empty if the documents have
  /// none.
  public let schemaDefinitions: [SchemaDefinition]
  /// The root type of queries.
  public let queryType: NamedType?
  /// The root type of mutations.
  public let mutationType: NamedType?
  /// The root type of subscriptions.
  public let subscriptionType: NamedType?
  /// The schema's description.
  public var description: String? { schemaDefinitions.lazy.compactMap(\.description).first?.text }

  private let index: SymbolIndex
  /// The possible types of each interface and union, indexed by ``TypeID``.
  private let possibleTypeIDs: [[TypeID]]
  /// The interfaces that implement each interface, in schema order, indexed by ``TypeID``.
  private let implementingInterfaces: [[TypeID]]
  private let metaFields: NamedList<SchemaField>

  init(_ contents: SchemaContents) {
    symbols = contents.symbols
    types = contents.types
    directives = NamedList(contents.directives)
    schemaDefinitions = contents.schemaDefinitions
    queryType = contents.roots[.query]
    mutationType = contents.roots[.mutation]
    subscriptionType = contents.roots[.subscription]
    metaFields = NamedList(contents.metaFields)
    let types = contents.types
    index = SymbolIndex(count: types.count, minimum: 0) { types[$0].symbol }
    (possibleTypeIDs, implementingInterfaces) = Self.implementations(of: types)
  }

  /// Returns the type named `symbol`, or `nil` if the schema has none.
  ///
  /// - Complexity: O(1).
  public func type(named symbol: Symbol) -> NamedType? {
    index.position(of: symbol).map { types[$0] }
  }

  /// Returns the type named `name`, or `nil` if the schema has none.
  public func type(named name: String) -> NamedType? {
    symbols.find(name).flatMap(type(named:))
  }

  /// The type with an identifier, which must come from this schema.
  public subscript(_ id: TypeID) -> NamedType { types[Int(id.index)] }

  /// Resolves a type reference. Returns `nil` if the schema does not have its named type.
  public func resolve(_ reference: TypeReference) -> ResolvedType? {
    type(named: reference.name.symbol).map { ResolvedType($0.id, shape: reference.shape) }
  }

  /// Resolves the types of arguments. Omits arguments with types that are not in the schema.
  func resolve(_ arguments: [InputValueDefinition]) -> NamedList<SchemaInputValue> {
    NamedList(
      arguments.compactMap { argument in
        resolve(argument.type).map { SchemaInputValue(definition: argument, type: $0) }
      })
  }

  /// Returns the root type for an operation type, or `nil` if the schema has none.
  public func rootType(of operation: OperationType) -> NamedType? {
    switch operation {
    case .query: queryType
    case .mutation: mutationType
    case .subscription: subscriptionType
    }
  }

  /// Returns the field for a selection on a type: one of the type's fields, or a meta-field where
  /// it is allowed. `__typename` is allowed on every composite type, `__schema` and `__type` only
  /// on the root query type.
  ///
  /// - Complexity: O(1).
  public func field(named symbol: Symbol, on type: NamedType) -> SchemaField? {
    if let field = type.fields[named: symbol] { return field }
    guard type.isComposite, let field = metaFields[named: symbol] else { return nil }
    return symbol == .typename || type === queryType ? field : nil
  }

  /// Returns the possible types of a type: an interface's implementing objects in schema order, a
  /// union's members in source order, or an object itself.
  public func possibleTypes(of type: NamedType) -> [TypeID] {
    type.kind == .object ? [type.id] : possibleTypeIDs[Int(type.id.index)]
  }

  /// Returns the interfaces that implement an interface, in schema order.
  public func implementingInterfaces(of type: NamedType) -> [TypeID] {
    implementingInterfaces[Int(type.id.index)]
  }

  /// Returns a type in GraphQL syntax, such as `[User!]!`.
  public func text(of type: ResolvedType) -> String {
    type.shape.text(around: name(of: type.named))
  }

  /// Returns the name of a type.
  public func name(of type: TypeID) -> String { symbols[self[type].symbol] }

  private static func implementations(of types: [NamedType]) -> ([[TypeID]], [[TypeID]]) {
    var possible = [[TypeID]](repeating: [], count: types.count)
    var interfaces = possible
    for type in types {
      for interface in type.interfaces {
        if type.kind == .object {
          possible[Int(interface.index)].append(type.id)
        } else {
          interfaces[Int(interface.index)].append(type.id)
        }
      }
      if type.kind == .union { possible[Int(type.id.index)] = type.memberTypes }
    }
    return (possible, interfaces)
  }
}

/// The contents of a schema under construction.
struct SchemaContents {
  var symbols: SymbolTable
  var types: [NamedType] = []
  var directives: [SchemaDirective] = []
  var schemaDefinitions: [SchemaDefinition] = []
  var roots: [OperationType: NamedType] = [:]
  var metaFields: [SchemaField] = []
}
