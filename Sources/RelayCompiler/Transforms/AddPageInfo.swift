import GraphQLLanguage

/// A pass that selects the fields needed to merge the pages of a connection: each edge's cursor,
/// the identity of its node, and the fields of `pageInfo` for the paging direction.
///
/// The field's `connection` is replaced with a handle. Reader programs do not get these fields.
/// ``AddIDs`` adds `id`, and ``AddTypenames`` adds `__typename` on edges of an abstract type.
struct AddPageInfo {
  private let schema: Schema

  package static func apply(to program: IR.Program) -> IR.Program {
    let pass = AddPageInfo(schema: program.schema)
    return program.replacingSelections { selection, _ in
      guard case .field(let field) = selection.content, !field.selections.isEmpty,
        let connection = field.connection
      else { return nil }
      var details = field.details
      details.connection = nil
      details.handles.insert(pass.handle(connection), at: 0)
      let added = [pass.edges(of: field), pass.pageInfo(of: field)].compactMap(\.self)
      return selection.with(field.with(details: details, selections: field.selections + added))
    }
  }

  /// Returns the connection as a handle, which the store executes on the page after writing the
  /// response.
  ///
  /// In a reader program, a field has at most one connection. In a normalization program, it has
  /// several if fragments with different connections select the same page.
  private func handle(_ connection: IR.Connection) -> IR.Handle {
    let filters = connection.filters.map { Value(.string(schema.symbols[$0], isBlock: false)) }
    let key = Value(.string(connection.key, isBlock: false))
    var arguments = [IR.Argument(name: schema.symbols.intern("key"), value: key)]
    if !filters.isEmpty {
      arguments.append(
        IR.Argument(name: schema.symbols.intern("filters"), value: Value(.list(filters))))
    }
    return IR.Handle(name: "connection", arguments: arguments)
  }

  private func edges(of connection: IR.Field) -> IR.Selection? {
    field("edges", on: connection.type.named) { edge in
      let node = self.field("node", on: edge) { _ in [].orTypename(in: schema) }
      return [self.field("cursor", on: edge), node].compactMap(\.self)
    }
  }

  private func pageInfo(of connection: IR.Field) -> IR.Selection? {
    let given = connection.arguments.filter { $0.value.kind != .null }
    let arguments = given.map { schema.symbols[$0.name] }
    let names =
      (arguments.contains("first") ? ["endCursor", "hasNextPage"] : [])
      + (arguments.contains("last") ? ["hasPreviousPage", "startCursor"] : [])
    return field("pageInfo", on: connection.type.named) { info in
      names.compactMap { self.field($0, on: info) }
    }
  }

  private func field(
    _ name: String, on type: TypeID, selections: (TypeID) -> [IR.Selection] = { _ in [] }
  ) -> IR.Selection? {
    let symbol = schema.symbols.intern(name)
    guard let definition = schema[type].field(named: symbol) else { return nil }
    return IR.Selection(
      IR.Field(
        responseKey: symbol, name: symbol, type: definition.type,
        selections: selections(definition.type.named)), isImplicit: true)
  }
}
