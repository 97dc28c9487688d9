import Foundation
import RelayPersistence
@_spi(GeneratedCode) import RelayStore
import RelayStoreTesting
import Testing

/// A list of todos. An app exports some of them.
struct TodosQuery: GraphQLQuery, Hashable {
  static let __operation = OperationPlan(
    name: "TodosQuery",
    reader: SelectionPlan("TodosQuery Query{todos(tag:$tag) [Todo{id ID! text String}]}"),
    normalization: SelectionPlan(
      "Query{todos(tag:$tag) [Todo{__typename String! id ID! text String}]}"))
  let tag: String
  init(_ tag: String) { self.tag = tag }
  var __variables: Variables { Variables(json: ["tag": .string(tag)]) }

  struct Data: GraphQLView, Hashable {
    static let __plan = TodosQuery.__operation.reader
    let __row: Row
    init(__row: Row) { self.__row = __row }
    var todos: GraphQLList<Todo>? { __row[0] }

    struct Todo: GraphQLView, Hashable {
      static var __plan: SelectionPlan { Data.__plan[0] }
      let __row: Row
      init(__row: Row) { self.__row = __row }
      var id: String { __row[0] }
      var text: String? { __row[1] }
    }
  }
}

/// The directory that an app and its extensions share.
struct SharedContainer {
  let directory = TemporaryDirectory()

  var snapshot: URL { directory.url.appending(path: "shared/todos.snapshot") }
  var inboxURL: URL { directory.url.appending(path: "inbox") }

  /// The inbox of the user "ada".
  var inbox: MutationInbox { MutationInbox(directory: inboxURL, user: "ada") }

  /// The identifier of the user "ada" in a storage.
  static let user = String(SHA256.hexadecimal(Array("ada".utf8)).prefix(32))

  /// The names of the mutations in the inbox.
  var pending: [String] {
    ((try? FileManager.default.contentsOfDirectory(atPath: inboxURL.path)) ?? []).filter {
      $0.hasSuffix(".mutation")
    }.sorted()
  }

  func bytes() throws -> [UInt8] { Array(try Data(contentsOf: snapshot)) }

  /// Whether the snapshot file contains a string.
  func snapshotContains(_ text: String) throws -> Bool {
    try Data(contentsOf: snapshot).range(of: Data(text.utf8)) != nil
  }

  func write(_ bytes: [UInt8]) throws {
    try FileManager.default.createDirectory(
      at: snapshot.deletingLastPathComponent(), withIntermediateDirectories: true)
    try Data(bytes).write(to: snapshot)
  }

  func reader(inbox: MutationInbox? = nil) throws -> RelayEnvironment {
    try RelayEnvironment(snapshot: snapshot, inbox: inbox)
  }
}

/// An app whose store is not persisted.
func makeApp(clock: any Clock<Duration> = ContinuousClock()) -> RelayEnvironment {
  RelayEnvironment(
    store: RecordStore(
      configuration: .init(releaseBufferSize: 0, clock: clock, garbageCollection: .manual)),
    transport: ForbiddenTransport())
}

/// A transport for tests that must not fetch.
struct ForbiddenTransport: Transport {
  func execute(_ request: GraphQLRequest) async throws -> GraphQLResponse {
    throw RelayError(.transport, "This test must not send a request.")
  }
}

extension RelayEnvironment {
  /// Writes a response with todos, as a fetch would.
  func receive(_ todos: [(id: String, text: String)], tag: String = "a") throws {
    let data: JSONValue = [
      "todos": .array(
        todos.map {
          ["__typename": "Todo", "id": .string($0.id), "text": .string($0.text)]
        })
    ]
    try commitPayload(TodosQuery(tag), data: data)
  }

  /// Calls a closure with later texts.
  func observeTexts(
    _ tag: String, _ onChange: @escaping @Sendable ([String?]) -> Void
  ) -> ObservationHandle {
    let scope = VariableScope(operation: ["tag": .string(tag)])
    return store.readAndObserve(.record(.root, TodosQuery.__operation.reader, in: scope)) {
      snapshot in
      let data = snapshot.row.map { TodosQuery.Data(__row: Row($0)) }
      onChange(data?.todos.map { $0.map(\.text) } ?? [])
    }.observation
  }

  func texts(_ tag: String = "a") -> [String?]? {
    read(TodosQuery(tag)).data?.todos.map { list in list.map(\.text) }
  }
}
