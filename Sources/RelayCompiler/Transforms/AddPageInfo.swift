import GraphQLLanguage

/// Selects what the store needs to merge the pages of a connection: each edge's cursor and the
/// identity of its node, and how the page continues.
///
/// Readers do not get these. `id`, and `__typename` where edges are of several types, come from
/// ``AddIDs`` and ``AddTypenames``.
package struct AddPageInfo {
  private let schema: Schema

  package static func apply(to program: IR.Program) -> IR.Program {
    let pass = AddPageInfo(schema: program.schema)
    return program.map { pass.inside($1) }
  }

  private func inside(_ selections: [IR.Selection]) -> [IR.Selection] {
    selections.map { selection in
      var selection = selection
      switch selection.content {
      case .field(var field) where !field.selections.isEmpty:
        field.selections = inside(field.selections)
        if field.connection != nil {
          field.connection?.isMerged = false
          field.selections += [edges(of: field), pageInfo(of: field)].compactMap(\.self)
        }
        selection.content = .field(field)
      case .condition(var condition):
        condition.selections = inside(condition.selections)
        selection.content = .condition(condition)
      case .field, .spread: break
      }
      return selection
    }
  }

  private func edges(of connection: IR.Field) -> IR.Selection? {
    field("edges", on: connection.type.named) { edge in
      let node = self.field("node", on: edge) { _ in
        IR.Field.typename(in: schema).map { [IR.Selection(content: .field($0))] } ?? []
      }
      return [self.field("cursor", on: edge), node].compactMap(\.self)
    }
  }

  private func pageInfo(of connection: IR.Field) -> IR.Selection? {
    let direction = PageDirection(connection, in: schema.symbols)
    return field("pageInfo", on: connection.type.named) { info in
      direction.pageInfo.compactMap { self.field($0, on: info) }
    }
  }

  private func field(
    _ name: String, on type: TypeID, selections: (TypeID) -> [IR.Selection] = { _ in [] }
  ) -> IR.Selection? {
    let symbol = schema.symbols.intern(name)
    guard let definition = schema[type].field(named: symbol) else { return nil }
    return IR.Selection(
      content: .field(
        IR.Field(
          responseKey: symbol, name: symbol, arguments: [], type: definition.type,
          selections: selections(definition.type.named))), isFromSpread: true)
  }
}

/// Which way a connection is paged.
struct PageDirection {
  let isForward: Bool
  let isBackward: Bool

  init(_ field: IR.Field, in symbols: SymbolTable) {
    let names = Set(field.arguments.map { symbols[$0.name] })
    isForward = names.contains("first")
    isBackward = names.contains("last")
  }

  /// The fields of the page's info that say how it continues.
  var pageInfo: [String] {
    (isForward ? ["endCursor", "hasNextPage"] : [])
      + (isBackward ? ["hasPreviousPage", "startCursor"] : [])
  }
}
