/// A GraphQL schema: types, root types and directives, all looked up by name in constant time.
///
///     let result = Schema.build(from: [workspace.parse(source).document], in: workspace)
///     let name = result.type(named: "User")?.field(named: symbols.intern("name"))
///
/// A schema does not change, and may be shared freely.
public final class Schema: Sendable {
  /// The table that has the texts of the schema's names.
  public let symbols: SymbolTable
  /// All types: those of the documents in the order written, then the built-in ones.
  public let types: [NamedType]
  /// All directives: those of the documents in the order written, then the built-in ones.
  public let directives: NamedList<SchemaDirective>
  /// `schema {…}` and its extensions, in the order written; empty when no document has any.
  public let schemaDefinitions: [SchemaDefinition]
  /// The type of queries.
  public let queryType: NamedType?
  /// The type of mutations.
  public let mutationType: NamedType?
  /// The type of subscriptions.
  public let subscriptionType: NamedType?
  /// What describes the schema.
  public var description: String? { schemaDefinitions.lazy.compactMap(\.description).first?.text }

  private let index: SymbolIndex
  /// By type: the object types an interface or union may stand for, in the order of the schema.
  private let possible: [[TypeID]]
  /// By type: the interfaces that implement an interface, in the order of the schema.
  private let implementingInterfaces: [[TypeID]]
  private let metaFields: NamedList<SchemaField>

  init(_ parts: SchemaParts) {
    symbols = parts.symbols
    types = parts.types
    directives = NamedList(parts.directives)
    schemaDefinitions = parts.schemaDefinitions
    queryType = parts.roots[.query]
    mutationType = parts.roots[.mutation]
    subscriptionType = parts.roots[.subscription]
    metaFields = NamedList(parts.metaFields)
    let types = parts.types
    index = SymbolIndex(count: types.count, minimum: 0) { types[$0].symbol }
    (possible, implementingInterfaces) = Self.implementations(of: types)
  }

  /// The type of a name, or `nil` when the schema has none.
  ///
  /// - Complexity: O(1).
  public func type(named symbol: Symbol) -> NamedType? {
    index.position(of: symbol).map { types[$0] }
  }

  /// The type of a name, or `nil` when the schema has none.
  public func type(named name: String) -> NamedType? {
    symbols.find(name).flatMap(type(named:))
  }

  /// The type of an id of this schema.
  public subscript(_ id: TypeID) -> NamedType { types[Int(id.index)] }

  /// A type as a document writes it, looked up; `nil` when its named type is unknown.
  public func resolve(_ reference: TypeReference) -> ResolvedType? {
    type(named: reference.name.symbol).map { ResolvedType($0.id, shape: reference.shape) }
  }

  /// The root type of a kind of operation.
  public func rootType(of operation: OperationType) -> NamedType? {
    switch operation {
    case .query: queryType
    case .mutation: mutationType
    case .subscription: subscriptionType
    }
  }

  /// The field a document selects on a type: one of the type's own, or `__typename`, `__schema` and `__type` where they exist.
  ///
  /// - Complexity: O(1).
  public func field(named symbol: Symbol, on type: NamedType) -> SchemaField? {
    if let field = type.fields[named: symbol] { return field }
    guard type.isComposite, let field = metaFields[named: symbol] else { return nil }
    return symbol == .typename || type === queryType ? field : nil
  }

  /// The object types that values of a type may have, in the order of the schema; an object has itself.
  public func possibleTypes(of type: NamedType) -> [TypeID] {
    type.kind == .object ? [type.id] : possible[Int(type.id.index)]
  }

  /// The interfaces that implement an interface, in the order of the schema.
  public func implementingInterfaces(of type: NamedType) -> [TypeID] {
    implementingInterfaces[Int(type.id.index)]
  }

  /// The type as GraphQL writes it: `[User!]!`.
  public func text(of type: ResolvedType) -> String {
    type.shape.text(around: name(of: type.named))
  }

  /// The name of a type.
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

/// What a schema is made of while it is built.
struct SchemaParts {
  var symbols: SymbolTable
  var types: [NamedType] = []
  var directives: [SchemaDirective] = []
  var schemaDefinitions: [SchemaDefinition] = []
  var roots: [OperationType: NamedType] = [:]
  var metaFields: [SchemaField] = []
}
