import Measuring
import RelayLocalQueries
@_spi(GeneratedCode) import RelayStore

/// A handwritten equivalent of relay-compiler's output for a fragment.
struct ItemRow: GraphQLFragment, Hashable {
  static let __plan = SelectionPlan(
    "ItemRow Item{id ID! name String! score Int! version Int author Author{id ID! name String!}!}")
  let __row: Row
  var id: String { __row[0] }
  var name: String { __row[1] }
  var score: Int { __row[2] }
}

/// A query for all items.
struct ItemsQuery: GraphQLQuery, Hashable {
  static let __operation = OperationPlan(
    name: "ItemsQuery", text: "query ItemsQuery { … }", reader: Data.__plan,
    normalization: Data.__plan)

  struct Data: GraphQLView, Hashable {
    static let __plan = SelectionPlan(
      "Query{items [Item{id ID! __typename String! name String! score Int! version Int author Author{id ID! __typename String! name String!}!}!]!}"
    )
    let __row: Row
  }
}

/// A transport that is never used.
struct NoTransport: Transport {
  func execute(_ request: GraphQLRequest) async throws -> GraphQLResponse {
    throw RelayError(.transport, "The benchmark sends nothing.")
  }
}

/// The cases, each over a new store of 10,000 items. A sample is the time of one commit, including
/// delivery to a query that shows all items in order.
@MainActor
struct LocalSuite {
  private let count = 10_000
  private let commits = 200
  private let environment: RelayEnvironment
  private let query = LocalQuery(ItemRow.self).filter { $0.score >= 0 }
    .sorted(by: \.score, .descending).then(by: \.name)

  init() throws {
    environment = RelayEnvironment(
      store: RecordStore(configuration: .init(garbageCollection: .manual)), transport: NoTransport()
    )
    var text = "{\"items\":["
    for index in 0..<count {
      if index > 0 { text += "," }
      let author = index % 100
      text +=
        "{\"id\":\"item-\(index)\",\"__typename\":\"Item\",\"name\":\"The item number \(index)\",\"score\":\(index * 7919 % 10_000),\"version\":0,\"author\":{\"id\":\"author-\(author)\",\"__typename\":\"Author\",\"name\":\"The author number \(author)\"}}"
    }
    try environment.commitPayload(ItemsQuery(), data: Array((text + "]}").utf8))
  }

  /// The measured changes of one record, by name.
  private var changes: [(name: String, change: @Sendable (RecordSourceProxy, Int) throws -> Void)] {
    [
      (
        "sort_key",
        { store, number in
          try store[DataID("item-\(number * 37)")]?.setValue(
            .number(JSONNumber(number * 4_801 % 10_000)), for: "score")
        }
      ),
      (
        "other_field",
        { store, number in
          try store[DataID("item-\(number * 37)")]?.setValue(
            .number(JSONNumber(number)), for: "version")
        }
      ),
      (
        "insert",
        { store, number in
          let item = try store.create(DataID("new-\(number)"), type: "Item")
          try item.setValue(.string("new-\(number)"), for: "id")
          try item.setValue("A new item", for: "name")
          try item.setValue(.number(JSONNumber(number * 4_801 % 10_000)), for: "score")
          try item.setValue(0, for: "version")
          try item.setLinkedRecord(store["author-1"], for: "author")
        }
      ),
      ("delete", { store, number in try store.delete(DataID("new-\(number)")) }),
    ]
  }

  /// Measures the changes, each followed by `receive`.
  private func measure(_ name: String, _ receive: () async throws -> Void) async throws {
    for (change, body) in changes {
      let start = Samples.now
      for number in 1...commits {
        try environment.commitUpdate { try body($0, number) }
        try await receive()
      }
      Samples.record(
        "local_\(change)_\(name)", nanoseconds: (Samples.now - start) / UInt64(commits))
    }
  }

  private func measure(_ name: String) throws {
    for (change, body) in changes {
      try Samples.measure("local_\(change)_\(name)", times: commits) {
        for number in 1...commits { try environment.commitUpdate { try body($0, number) } }
      }
    }
  }

  /// Reads the query once.
  func read() throws {
    let snapshot = Samples.measure("local_read") { environment.read(query) }
    precondition(snapshot.rows.count == count)
    Samples.measure("local_iterate") {
      for row in snapshot.rows { precondition(row.data.score >= 0) }
    }
  }

  /// Commits without a query.
  func plain() throws { try measure("plain") }

  /// Receives each change from a stream while still holding the last snapshot.
  func stream() async throws {
    var iterator = environment.observe(query).makeAsyncIterator()
    var last = await iterator.next()
    try await measure("stream") {
      let next = await iterator.next()
      precondition(next?.changes?.isEmpty == false && last?.rows.isEmpty == false)
      last = next
    }
  }

  /// Follows the changes with a model, while a view holds the model's rows.
  func model() throws {
    var held: LocalRows<ItemRow>?
    let model = environment.model(query)
    held = model.rows
    try measure("model")
    precondition(held?.count == count && model.rows.count == count)
    // All rows change in one commit.
    try Samples.measure("local_10000_changes_model") {
      try environment.commitUpdate { store in
        for index in 0..<count {
          try store[DataID("item-\(index)")]?.setValue(.number(JSONNumber(index)), for: "score")
        }
      }
    }
    held = nil
  }

  /// Follows the changes with a model of 100 sections, and computes each difference.
  func sections() throws {
    var differences = 0
    let model = environment.model(query, sectionedBy: { $0.score / 100 }) { _ in differences += 1 }
    try measure("sections")
    precondition(differences == 4 * commits && model.sections.count == 100)
  }
}
