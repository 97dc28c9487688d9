@_spi(GeneratedCode) import RelayStore
import RelayStoreTesting

/// An environment with a live field, "User.status", and one user, "1", whose name is "Ann".
struct LiveFieldFixture {
  let environment = RelayEnvironment(
    store: RecordStore(configuration: .init(releaseBufferSize: 0, garbageCollection: .manual)),
    transport: MockTransport())
  let presence = Presence()
  let row = FragmentRef<LiveUserRow>(id: "1")

  init() throws {
    environment.derive("User.status") { [presence] (user: LiveUserName) in
      try presence.updates(for: user.id, named: user.name)
    }
    try write("Ann")
  }

  /// Writes a user's name.
  func write(_ name: String, id: String = "1") throws {
    try environment.commitPayload(
      LiveUserQuery(id: id), data: ["user": ["id": .string(id), "name": .string(name)]])
  }

  /// Observes a user's status, and appends its values to a list.
  func observe(_ id: DataID = "1", _ statuses: Locked<[String?]>) -> ObservationHandle {
    environment.observe(FragmentRef<LiveUserRow>(id: id)) { snapshot in
      statuses.withLock { $0.append(snapshot.data?.status) }
    }
  }
}

/// Sequences whose elements the test sends.
final class Presence: Sendable {
  private struct Entry {
    let id: String
    let name: String
    let statuses: AsyncThrowingStream<String, any Error>.Continuation
  }

  private struct State {
    var entries: [Entry] = []
    var ended: [String] = []
    var scores: [String: AsyncStream<Int>.Continuation] = [:]
  }

  private let state = Locked(State())

  /// The user's id and name for each sequence created.
  var made: [String] { state.withLock { $0.entries.map { "\($0.id) \($0.name)" } } }
  /// The same for the sequences whose iteration has ended.
  var ended: [String] { state.withLock { $0.ended } }

  func updates(
    for id: String, named name: String
  ) throws -> AsyncThrowingStream<String, any Error> {
    if name == "nobody" { throw RelayError(.request, "nobody is there") }
    let (stream, continuation) = AsyncThrowingStream<String, any Error>.makeStream()
    continuation.onTermination = { [state] _ in state.withLock { $0.ended.append("\(id) \(name)") }
    }
    state.withLock { $0.entries.append(Entry(id: id, name: name, statuses: continuation)) }
    return stream
  }

  func scores(for id: String) -> AsyncStream<Int> {
    let (stream, continuation) = AsyncStream<Int>.makeStream()
    state.withLock { $0.scores[id] = continuation }
    return stream
  }

  private func entry(_ id: String, _ sequence: Int?) -> Entry? {
    state.withLock { state in
      let all = state.entries.filter { $0.id == id }
      return sequence.map { all[$0] } ?? all.last
    }
  }

  /// Sends a status to one of a user's sequences, by default the newest one.
  func send(_ status: String, to id: String, sequence: Int? = nil) {
    entry(id, sequence)?.statuses.yield(status)
  }

  func finish(_ id: String, throwing error: (any Error)? = nil) {
    entry(id, nil)?.statuses.finish(throwing: error)
  }

  func sendScore(_ score: Int, to id: String) { state.withLock { $0.scores[id] }?.yield(score) }
}

/// The numbers below a count, without waiting.
struct Numbers: AsyncSequence, AsyncIteratorProtocol, Sendable {
  let count: Int
  private var next = 0

  init(count: Int) { self.count = count }

  func makeAsyncIterator() -> Numbers { self }

  mutating func next() async -> String? {
    if next == count { return nil }
    defer { next += 1 }
    return "\(next)"
  }
}

struct LiveUserName: GraphQLFragment {
  static let __plan = SelectionPlan("LiveUserName User{id ID! name String!}")
  let __row: Row

  var id: String { __row[0] }
  var name: String { __row[1] }
}

struct LiveUserRow: GraphQLFragment {
  static let __plan = SelectionPlan(
    #"LiveUserRow User{id ID! status String%derived(fragment:"LiveUserName")}"#,
    inlined: ["LiveUserName": LiveUserName.__plan])
  let __row: Row

  var id: String { __row[0] }
  var status: String? { __row[1] }
}

struct LiveUserScore: GraphQLFragment {
  static let __plan = SelectionPlan(
    #"LiveUserScore User{score Int!%derived(fragment:"LiveUserName")}"#,
    inlined: ["LiveUserName": LiveUserName.__plan])
  let __row: Row

  var score: Int { __row[0] }
}

struct LiveUserLabel: GraphQLFragment {
  static let __plan = SelectionPlan(
    #"LiveUserLabel User{label String%derived(fragment:"LiveUserRow")}"#,
    inlined: ["LiveUserRow": LiveUserRow.__plan])
  let __row: Row

  var label: String? { __row[0] }
}

struct LiveUserQuery: GraphQLQuery, Hashable {
  static let __operation = OperationPlan(
    name: "LiveUserQuery", text: "query LiveUserQuery($id:ID!){user(id:$id){id name}}",
    reader: SelectionPlan(
      #"LiveUserQuery Query{user(id:$id) User{id ID! status String%derived(fragment:"LiveUserName")}}"#,
      inlined: ["LiveUserName": LiveUserName.__plan]),
    normalization: SelectionPlan("Query{user(id:$id) User{id ID! name String!}}"))
  let __variables: Variables

  init(id: String) { __variables = ["id": id] }

  struct Data: GraphQLView, Hashable {
    let __row: Row

    var status: String? { __row.box.json["user"]?["status"]?.string }
  }
}

struct LiveUsersQuery: GraphQLQuery, Hashable {
  static let __operation = OperationPlan(
    name: "LiveUsersQuery", text: "query LiveUsersQuery{users{id name}}",
    reader: SelectionPlan(
      #"LiveUsersQuery Query{users [User{id ID! status String%derived(fragment:"LiveUserName")}]}"#,
      inlined: ["LiveUserName": LiveUserName.__plan]),
    normalization: SelectionPlan("Query{users [User{id ID! name String!}]}"))

  struct Data: GraphQLView, Hashable {
    let __row: Row

    var statuses: [String?] {
      __row.box.json["users"]?.array?.map { $0["status"]?.string } ?? []
    }
  }
}
