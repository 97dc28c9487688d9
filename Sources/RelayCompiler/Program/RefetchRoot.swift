import GraphQLLanguage

/// The root field that a refetch query uses to select a fragment's object.
struct RefetchRoot {
  /// The field on the query type that returns the object; `nil` if the object is the query itself.
  var field: Symbol?
  /// The argument of ``field`` that takes the object's identifier, and the object's field that
  /// contains it; `nil` if no identifier is needed.
  var identity: (argument: Symbol, field: Symbol)?
}

extension RefetchRoot {
  /// Finds the root field for a fragment; returns `nil` if there is none.
  ///
  /// The first match wins: the query type, `Viewer`, a `@fetchable` type if `preferFetchable` is
  /// set, `Node` and the types that implement it, any other `@fetchable` type.
  init?(for fragment: FragmentDefinition, in schema: Schema) {
    guard let query = schema.queryType,
      let type = schema.type(named: fragment.typeCondition.symbol)
    else { return nil }
    let search = RefetchRootSearch(schema: schema, query: query, type: type)
    guard let root = search.root(for: fragment) else { return nil }
    self = root
  }
}

extension Schema {
  /// Whether a query can refetch the object of a fragment.
  package func isRefetchable(_ fragment: FragmentDefinition) -> Bool {
    RefetchRoot(for: fragment, in: self) != nil
  }
}

/// A search for the field on the query type that returns an object of `type`.
private struct RefetchRootSearch {
  let schema: Schema
  let query: NamedType
  let type: NamedType

  func root(for fragment: FragmentDefinition) -> RefetchRoot? {
    if type === query { return RefetchRoot() }
    if let viewer { return viewer }
    let directive = fragment.directives[named: .refetchable]
    let prefers =
      directive?.argument("preferFetchable", in: schema.symbols)?.kind == .boolean(true)
    if prefers, let fetchable { return fetchable }
    return node ?? fetchable
  }

  private var viewer: RefetchRoot? {
    guard schema.name(of: type.id) == "Viewer", let field = field("viewer", of: type),
      !field.arguments.contains(where: \.isRequired)
    else { return nil }
    return RefetchRoot(field: field.symbol)
  }

  private var node: RefetchRoot? {
    guard let node = schema.type(named: "Node"), node.kind == .interface,
      let field = field("node", of: node),
      let argument = field.arguments.first(where: { $0.symbol == .idField })
        ?? field.arguments.first(where: \.isRequired), isID(argument.type),
      requires(only: argument, field),
      let key = [argument.symbol, .idField].first(where: { symbol in
        node.field(named: symbol).map { isID($0.type) } ?? false
      })
    else { return nil }
    let possible = schema.possibleTypes(of: type)
    guard
      type === node || schema.isSubtype(type.id, of: node.id)
        || (!possible.isEmpty && possible.allSatisfy { schema.isSubtype($0, of: node.id) })
    else { return nil }
    return RefetchRoot(field: field.symbol, identity: (argument.symbol, key))
  }

  private var fetchable: RefetchRoot? {
    let symbols = schema.symbols
    guard let directive = type.directives[named: symbols.intern("fetchable")],
      let key = directive.text("field_name", in: symbols).map(symbols.intern),
      type.field(named: key) != nil,
      let field = field("fetch__" + schema.name(of: type.id), of: type),
      let argument = field.arguments.first(where: { schema.name(of: $0.type.named) == "ID" }),
      requires(only: argument, field)
    else { return nil }
    return RefetchRoot(field: field.symbol, identity: (argument.symbol, key))
  }

  /// Returns the query field with a name if it returns a single object of a type.
  private func field(_ name: String, of type: NamedType) -> SchemaField? {
    query.field(named: schema.symbols.intern(name)).flatMap { field in
      field.type.named == type.id && !field.type.isList ? field : nil
    }
  }

  private func isID(_ type: ResolvedType) -> Bool {
    schema.name(of: type.named) == "ID" && !type.isList
  }

  /// Returns whether a field requires no argument except `argument`.
  private func requires(only argument: SchemaInputValue, _ field: SchemaField) -> Bool {
    field.arguments.allSatisfy { $0.symbol == argument.symbol || !$0.isRequired }
  }
}
