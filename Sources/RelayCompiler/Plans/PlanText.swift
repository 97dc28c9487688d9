import GraphQLLanguage

/// Prints flattened selections in the notation of Docs/PlanNotation.md.
package struct PlanText {
  private let schema: Schema
  private let values: ValueText

  package init(schema: Schema) {
    self.schema = schema
    values = ValueText(symbols: schema.symbols)
  }

  /// The plan of an object.
  package func plan(_ selections: [IR.Selection], on type: TypeID) -> String {
    typeName(type) + "{" + list(selections) + "}"
  }

  /// The plan of a fragment: its own variables with their defaults, and the object.
  package func plan(_ fragment: IR.Fragment) -> String {
    let locals = fragment.locals
      .map { (schema.symbols[$0.name], $0.defaultValue) }
      .sorted { $0.0.utf8.lexicographicallyPrecedes($1.0.utf8) }
      .map { "$" + $0.0 + ($0.1.map { "=" + values.json($0) } ?? "") }
    return (locals.isEmpty ? "" : "(" + locals.joined(separator: ",") + ")")
      + handling(fragment.handling) + plan(fragment.selections, on: fragment.type)
  }

  /// The reader plan of an operation.
  package func plan(_ operation: IR.Operation) -> String {
    handling(operation.handling) + plan(operation.selections, on: operation.root)
  }

  private func handling(_ handling: IR.ErrorHandling?) -> String {
    handling.map { "~\($0.rawValue) " } ?? ""
  }

  private func typeName(_ type: TypeID) -> String {
    (schema[type].isAbstract ? "*" : "") + schema.name(of: type)
  }

  private func list(_ selections: [IR.Selection]) -> String {
    selections.groupedByGuard().map { group in
      let text = group.selections.map(selection).joined(separator: " ")
      return group.isThere.clauses.reversed().reduce(text) { inner, clause in
        "...if " + clause.map(literal).joined(separator: "|") + "{" + inner + "}"
      }
    }.joined(separator: " ")
  }

  private func literal(_ literal: Guard.Literal) -> String {
    let name = schema.symbols[literal.variable]
    return name.hasPrefix("\"") ? name : (literal.isNegated ? "!$" : "$") + name
  }

  private func selection(_ selection: IR.Selection) -> String {
    switch selection.content {
    case .field(let field): self.field(field)
    case .spread(let spread): "..." + schema.symbols[spread.name] + arguments(spread.arguments)
    case .condition(let condition): "...on " + plan(condition.selections, on: condition.type)
    }
  }

  private func field(_ field: IR.Field) -> String {
    let key = schema.symbols[field.responseKey]
    var name = schema.symbols[field.name]
    var given = field.arguments
    if let connection = field.connection, connection.isMerged {
      name = "__\(connection.key)_connection"
      given.removeAll { !connection.filters.contains($0.name) }
    }
    return (field.isKey ? "#" : "") + (key == name ? "" : key + ":") + name + arguments(given) + " "
      + field.type.shape.text(around: leaf(field))
      + (field.required.map { "~" + $0.rawValue.lowercased() } ?? "")
      + (field.catches.map { "~" + $0.rawValue.lowercased() } ?? "")
      + handles(field)
  }

  /// What is to be done with a field once it is written.
  private func handles(_ field: IR.Field) -> String {
    var text = ""
    if let connection = field.connection, !connection.isMerged {
      let filters = connection.filters.map { "\"\(schema.symbols[$0])\"" }.joined(separator: ",")
      let key = "key:" + ValueText.quoted(connection.key)
      text += "%connection(" + (filters.isEmpty ? "" : "filters:[\(filters)],") + key + ")"
    }
    return text + field.handles.map { "%" + $0.name + arguments($0.arguments) }.joined()
  }

  private func arguments(_ arguments: [IR.Argument]) -> String {
    let list = values.sortedJSON(arguments)
    return list.isEmpty ? "" : "(" + list + ")"
  }

  private func leaf(_ field: IR.Field) -> String {
    let type = schema[field.type.named]
    if type.isComposite { return plan(field.selections, on: type.id) }
    return (type.kind == .enum ? "@" : "") + schema.name(of: type.id)
  }
}

extension [IR.Selection] {
  /// Neighbours that are there under the same guard, together.
  func groupedByGuard() -> [(isThere: Guard, selections: [IR.Selection])] {
    var groups: [(isThere: Guard, selections: [IR.Selection])] = []
    for selection in self {
      if let last = groups.last, last.isThere == selection.isThere {
        groups[groups.count - 1].selections.append(selection)
      } else {
        groups.append((selection.isThere, [selection]))
      }
    }
    return groups
  }
}
