import GraphQLLanguage

/// The root field through which a refetch query selects the object of a fragment.
struct RefetchRoot {
  /// The field of the query type that returns the object; `nil` if the object is the query itself.
  var field: Symbol?
  /// The argument of ``field`` that takes the object's identifier, and the field of the object that
  /// holds it; `nil` if the field needs no identifier.
  var identity: (argument: Symbol, field: Symbol)?
}

extension RefetchRoot {
  /// Finds the root field for a fragment; `nil` if there is none.
  ///
  /// The first match wins: the query type, `Viewer`, a `@fetchable` type if `preferFetchable` is
  /// set, `Node` and the types that implement it, any other `@fetchable` type.
  init?(for fragment: FragmentDefinition, in schema: Schema) {
    guard let query = schema.queryType,
      let type = schema.type(named: fragment.typeCondition.symbol),
      let root = Self.root(for: fragment, on: type, query: query, schema: schema)
    else { return nil }
    self = root
  }

  private static func root(
    for fragment: FragmentDefinition, on type: NamedType, query: NamedType, schema: Schema
  ) -> RefetchRoot? {
    if type === query { return RefetchRoot() }
    if let viewer = viewer(type, query: query, schema: schema) { return viewer }
    let directive = fragment.directives[named: .refetchable]
    let prefers =
      directive?.argument("preferFetchable", in: schema.symbols)?.kind == .boolean(true)
    if prefers, let fetchable = fetchable(type, query: query, schema: schema) { return fetchable }
    return node(type, query: query, schema: schema)
      ?? fetchable(type, query: query, schema: schema)
  }

  private static func viewer(
    _ type: NamedType, query: NamedType, schema: Schema
  ) -> RefetchRoot? {
    let name = schema.symbols.intern("viewer")
    guard schema.name(of: type.id) == "Viewer", let field = query.field(named: name),
      field.type.named == type.id, !field.type.isList,
      !field.arguments.contains(where: \.isRequired)
    else { return nil }
    return RefetchRoot(field: name)
  }

  private static func node(
    _ type: NamedType, query: NamedType, schema: Schema
  ) -> RefetchRoot? {
    let name = schema.symbols.intern("node")
    guard let node = schema.type(named: "Node"), node.kind == .interface,
      let field = query.field(named: name), field.type.named == node.id, !field.type.isList,
      let argument = field.arguments.first(where: { $0.symbol == .idField })
        ?? field.arguments.first(where: \.isRequired), isID(argument.type, in: schema),
      field.arguments.allSatisfy({ $0.symbol == argument.symbol || !$0.isRequired }),
      let key = [argument.symbol, .idField].first(where: { symbol in
        node.field(named: symbol).map { isID($0.type, in: schema) } ?? false
      })
    else { return nil }
    let possible = schema.possibleTypes(of: type)
    guard
      type === node || schema.isSubtype(type.id, of: node.id)
        || (!possible.isEmpty && possible.allSatisfy { schema.isSubtype($0, of: node.id) })
    else { return nil }
    return RefetchRoot(field: name, identity: (argument.symbol, key))
  }

  private static func isID(_ type: ResolvedType, in schema: Schema) -> Bool {
    schema.name(of: type.named) == "ID" && !type.isList
  }

  private static func fetchable(
    _ type: NamedType, query: NamedType, schema: Schema
  ) -> RefetchRoot? {
    let symbols = schema.symbols
    let directives = type.definition.directives + type.extensions.flatMap(\.directives)
    guard let directive = directives[named: symbols.intern("fetchable")],
      let fieldName = directive.text("field_name", in: symbols),
      type.field(named: symbols.intern(fieldName)) != nil
    else { return nil }
    let name = symbols.intern("fetch__" + schema.name(of: type.id))
    guard let field = query.field(named: name), field.type.named == type.id, !field.type.isList,
      let argument = field.arguments.first(where: { schema.name(of: $0.type.named) == "ID" }),
      field.arguments.allSatisfy({ $0.symbol == argument.symbol || !$0.isRequired })
    else { return nil }
    return RefetchRoot(
      field: name, identity: (argument.symbol, symbols.intern(fieldName)))
  }
}
