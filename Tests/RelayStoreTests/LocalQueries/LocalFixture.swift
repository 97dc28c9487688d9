import RelayLocalQueries
import RelayStore
@_spi(GeneratedCode) import RelayStore
import Testing

/// A fragment, in the form that relay-compiler generates for
/// `fragment LocalTodo on Todo { id text n assignee { name } }`.
struct LocalTodo: GraphQLFragment, Hashable {
  static let __plan = SelectionPlan(
    "LocalTodo Todo{id ID! text String! n Int assignee User{name String}}")
  let __row: Row
  var id: String { __row[0] }
  var text: String { __row[1] }
  var n: Int? { __row[2] }
  var assignee: Assignee? { __row.object(3) }

  struct Assignee: GraphQLView, Hashable {
    let __row: Row
    var name: String? { __row[0] }
  }
}

/// A query whose response can change a record's type.
struct LocalNodeQuery: GraphQLQuery {
  static let __operation = OperationPlan(
    text: "query LocalNodeQuery { node { __typename id } }",
    reader: "LocalNodeQuery Query{node *Node{__typename String! id ID!}}",
    normalization: "Query{node *Node{__typename String! id ID!}}")

  struct Data: GraphQLView {
    let __row: Row
  }
}

/// A store of todos that tests change with updaters.
struct LocalFixture {
  static let todos = LocalQuery(LocalTodo.self)
  let environment = RelayEnvironment(
    store: RecordStore(configuration: .init(releaseBufferSize: 0, garbageCollection: .manual)),
    transport: UnusedTransport())

  struct UnusedTransport: Transport {
    func execute(_ request: GraphQLRequest) async throws -> GraphQLResponse {
      throw RelayError(.transport, "Nothing is sent.")
    }
  }

  /// Writes a complete todo.
  static func write(
    _ id: String, _ text: String, n: Int? = 0, in store: RecordSourceProxy
  ) throws {
    let todo = try store[DataID(id)] ?? store.create(DataID(id), type: "Todo")
    try todo.setValue(.string(id), for: "id")
    try todo.setValue(.string(text), for: "text")
    try todo.setValue(n.map { .number(JSONNumber($0)) } ?? .null, for: "n")
    try todo.setLinkedRecord(nil, for: "assignee")
  }

  func write(_ id: String, _ text: String, n: Int? = 0) throws {
    try environment.commitUpdate { try Self.write(id, text, n: n, in: $0) }
  }

  /// Writes a response in which a record has a type but no other fields.
  static func write(_ id: String, type: String, to environment: RelayEnvironment) throws {
    try environment.commitPayload(
      LocalNodeQuery(), data: ["node": ["__typename": .string(type), "id": .string(id)]])
  }

  func delete(_ id: String) throws {
    try environment.commitUpdate { try $0.delete(DataID(id)) }
  }

  /// The texts of a query's rows, read once.
  func texts(_ query: LocalQuery<LocalTodo>) -> [String] {
    environment.read(query).rows.map(\.data.text)
  }
}

extension ListChanges {
  /// Applies the difference to the previous list. Returns the new list; `nil` if it does not fit.
  func apply<Fragment>(
    to previous: [LocalRow<Fragment>], makes list: [LocalRow<Fragment>]
  ) -> [LocalRow<Fragment>]? {
    var rows = previous
    for update in updates {
      guard previous[update.from].id == list[update.to].id else { return nil }
      rows[update.from] = list[update.to]
    }
    for move in moves where previous[move.from].id != list[move.to].id { return nil }
    for index in (removals + moves.map(\.from)).sorted(by: >) { rows.remove(at: index) }
    for index in (insertions + moves.map(\.to)).sorted() {
      guard index <= rows.count else { return nil }
      rows.insert(list[index], at: index)
    }
    return rows
  }
}

extension SectionedChanges {
  /// Applies the difference to the previous sections. Returns the new ones; `nil` if it does not
  /// fit.
  func apply<Fragment, Key>(
    to previous: [LocalSection<Fragment, Key>], makes sections: [LocalSection<Fragment, Key>]
  ) -> [[LocalRow<Fragment>]]? {
    var rows = previous.map { Array($0.rows) }
    for update in updates {
      let new = sections[update.to.section].rows[update.to.row]
      guard rows[update.from.section][update.from.row].id == new.id else { return nil }
      rows[update.from.section][update.from.row] = new
    }
    for position in (removals + moves.map(\.from)).sorted(by: >) {
      rows[position.section].remove(at: position.row)
    }
    for section in removedSections.reversed() { rows.remove(at: section) }
    for section in insertedSections { rows.insert(Array(sections[section].rows), at: section) }
    for position in (insertions + moves.map(\.to)).sorted() {
      guard rows.indices.contains(position.section), position.row <= rows[position.section].count
      else { return nil }
      rows[position.section].insert(
        sections[position.section].rows[position.row], at: position.row)
    }
    return rows
  }
}
