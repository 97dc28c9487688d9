import GraphQLLanguage

/// The shortest ways through a schema's fields from the query type to other types.
struct SchemaPaths {
  private struct Step {
    let parent: TypeID
    let text: String
  }

  private let schema: Schema
  private let symbols: SymbolTable
  /// The steps to each reachable type; steps from nearer types come first.
  private var steps: [TypeID: [Step]] = [:]
  /// The number of fields between the query type and a type.
  private var distances: [TypeID: Int] = [:]

  /// - Complexity: O(*n*) in the fields and possible types of the schema.
  init(_ schema: Schema) {
    self.schema = schema
    symbols = schema.symbols
    guard let query = schema.queryType else { return }
    distances[query.id] = 0
    var waiting = [query.id]
    var next = 0
    while next < waiting.count {
      let parent = schema[waiting[next]]
      next += 1
      for field in parent.fields {
        let type = schema[field.type.named]
        guard type.isComposite else { continue }
        let text = "." + symbols[field.symbol] + arguments(of: field)
        add(Step(parent: parent.id, text: text), to: type.id, &waiting)
        guard type.isAbstract else { continue }
        for possible in schema.possibleTypes(of: type) {
          let condition = " { ... on \(schema.name(of: possible)) }"
          add(Step(parent: parent.id, text: text + condition), to: possible, &waiting)
        }
      }
    }
  }

  private mutating func add(_ step: Step, to type: TypeID, _ waiting: inout [TypeID]) {
    steps[type, default: []].append(step)
    guard distances[type] == nil else { return }
    distances[type] = (distances[step.parent] ?? 0) + 1
    waiting.append(type)
  }

  /// Returns the arguments that a field requires.
  private func arguments(of field: SchemaField) -> String {
    let required = field.arguments.filter(\.isRequired).map {
      "\(symbols[$0.symbol]): \(schema.text(of: $0.type))"
    }
    return required.isEmpty ? "" : "(\(required.joined(separator: ", ")))"
  }

  /// Returns the shortest paths to a type, each with a different last field:
  /// `Query.node(id: ID!) { ... on User }.team`.
  func paths(to type: TypeID, limit: Int) -> [String] {
    if type == schema.queryType?.id { return [schema.name(of: type)] }
    return (steps[type] ?? []).prefix(limit).map { path(to: $0.parent) + $0.text }
  }

  private func path(to type: TypeID) -> String {
    var texts: [String] = []
    var type = type
    while distances[type] != 0, let step = steps[type]?.first {
      texts.append(step.text)
      type = step.parent
    }
    return schema.name(of: type) + texts.reversed().joined()
  }
}
