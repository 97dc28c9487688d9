import Testing

@testable import RelayStore

/// The snapshots that a change delivers, and their receivers.
@Suite(.timeLimit(.minutes(1))) struct DeliveryTests {
  private let list = TestSelection("{ users { id name age } }")
  private let user = TestSelection("fragment F on User { name }").reader
  private let scope = VariableScope(operation: [:])

  private func state(users: Int) throws -> StoreState {
    var state = StoreState(.init(releaseBufferSize: 0))
    let users = (0..<users).map { number -> JSONValue in
      ["id": .string("\(number)"), "name": "Ada", "age": 1]
    }
    _ = try state.publish([commit(["users": .array(users)], &state)])
    return state
  }

  private func commit(_ data: JSONValue, _ state: inout StoreState) throws -> StoreState.Change {
    let reader = ResponseReader(
      plan: state.bind(list.normalization, in: scope), root: .root, operationName: "Users")
    return .commit(try reader.data(data.jsonBytes), root: .root, updater: nil)
  }

  private func set(_ value: JSONValue, _ field: String, of ids: DataID...) -> StoreState.Change {
    .commit(nil, root: nil) { store in
      for id in ids { try store[id]?.setValue(value, for: field) }
    }
  }

  @Test("nothing is delivered if the fragment's own data is unchanged")
  func unchanged() throws {
    var state = try state(users: 2)
    _ = state.observe(.record("0", user, in: scope), ObserverCallback { _ in })
    let same: JSONValue = [
      "users": [["id": "0", "name": "Ada", "age": 1], ["id": "1", "name": "Ada", "age": 1]]
    ]
    let revision = state.revision
    #expect(try state.publish([commit(same, &state)]).deliveries.isEmpty)
    #expect(state.revision == revision)
    #expect(state.publish([set(2, "age", of: "0")]).deliveries.isEmpty)
    #expect(state.publish([set("Bob", "name", of: "1")]).deliveries.isEmpty)
    #expect(state.publish([set("Bob", "name", of: "0")]).deliveries.count == 1)
  }

  @Test("one commit is one delivery, however many records it changes")
  func oneDelivery() throws {
    var state = try state(users: 3)
    _ = state.observe(.record(.root, list.reader, in: scope), ObserverCallback { _ in })
    let deliveries = state.publish([
      set("Bob", "name", of: "0", "1", "2"), set("Cleo", "name", of: "0", "1", "2"),
    ]).deliveries
    #expect(deliveries.count == 1)
    #expect(deliveries.first?.snapshot?.row?.json["users"]?[2]?["name"] == "Cleo")
  }

  @Test("ten thousand observers of other records are not notified of a change")
  func manyObservers() throws {
    var state = try state(users: 10_000)
    for number in 0..<10_000 {
      _ = state.observe(
        .record(DataID("\(number)"), user, in: scope), ObserverCallback { _ in })
    }
    let deliveries = state.publish([set("Bob", "name", of: "7777")]).deliveries
    #expect(deliveries.map { $0.snapshot?.row?.json["name"] } == ["Bob"])
  }

  @Test("an observer that follows a link to another record no longer depends on the first")
  func movingLinks() throws {
    var state = try state(users: 2)
    _ = state.observe(
      .record(
        .root, TestSelection("{ me { name } }").reader, in: scope), ObserverCallback { _ in })
    func link(_ id: DataID) -> StoreState.Change {
      .commit(nil, root: nil) { try $0.root.setLinkedRecord($0[id], for: "me") }
    }
    _ = state.publish([link("0")])
    #expect(state.observers.seen.count == 2)
    #expect(state.publish([link("1"), set("Bob", "name", of: "1")]).deliveries.count == 1)
    #expect(state.observers.seen.count == 2)
  }

  @Test("a later discriminator is delivered to observers whose type condition was undecided")
  func typesLearnedLater() throws {
    var state = StoreState(.init(releaseBufferSize: 0))
    func write(_ document: String, _ data: JSONValue) throws -> Int {
      let reader = ResponseReader(
        plan: state.bind(TestSelection(document).normalization, in: scope), root: .root,
        operationName: "Nodes")
      let payload = try reader.data(data.jsonBytes)
      return state.publish([.commit(payload, root: .root, updater: nil)]).deliveries.count
    }
    _ = try write(
      #"{ node(id: "c") { ... on Owner { login } } }"#,
      ["node": ["__typename": "Comet", "id": "c", "__isOwner": "Comet", "login": "halley"]])
    let guess = TestSelection("fragment F on Node { ... on Actor { login } }").reader
    let (_, first) = state.observe(.record("c", guess, in: scope), ObserverCallback { _ in })
    #expect(first.missing == [[]])
    let delivered = try write(
      #"{ other: node(id: "d") { ... on Actor { __typename } } }"#,
      ["other": ["__typename": "Comet", "id": "d", "__isActor": "Comet"]])
    #expect(delivered == 1)
    #expect(state.read(.record("c", guess, in: scope)).missing.isEmpty)
  }

  /// The revisions that a receiver's closure is called with, if another thread delivers revision 2
  /// during the call with revision 1.
  private func calls(of kind: ObserverKind) -> [(duringFirst: Bool, revision: UInt64)] {
    let calls = Locked<[(duringFirst: Bool, revision: UInt64)]>([])
    let receivers = Locked<[ObservationReceiver]>([])
    let isInFirst = Locked(false)
    func snapshot(_ revision: UInt64) -> RowSnapshot {
      var snapshot = RowSnapshot()
      (snapshot.revision, snapshot.isDeleted) = (revision, revision % 2 == 1)
      return snapshot
    }
    let second = snapshot(2)
    let receiver = ObservationReceiver(
      ObserverCallback(kind: kind) { snapshot in
        let duringFirst = isInFirst.withLock { $0 }
        calls.withLock { $0.append((duringFirst, snapshot.revision)) }
        guard snapshot.revision == 1, let receiver = receivers.withLock({ $0.first }) else {
          return
        }
        isInFirst.withLock { $0 = true }
        #expect(VersionFixture.onThread { receiver.deliver(second) } != nil)
        isInFirst.withLock { $0 = false }
      }, last: snapshot(0))
    receivers.withLock { $0 = [receiver] }
    receiver.deliver(snapshot(1))
    receivers.withLock { $0 = [] }
    return calls.withLock { $0 }
  }

  @Test("a thread leaves its snapshot to the thread that is calling the closure")
  func closureCalls() {
    let calls = calls(of: .closure)
    #expect(calls.map(\.revision) == [1, 2])
    #expect(calls.map(\.duringFirst) == [false, false])
  }

  @Test("a thread adds its snapshot to a mailbox itself, so its commit's stream has it next")
  func mailboxCalls() {
    let calls = calls(of: .mailbox)
    #expect(calls.map(\.revision) == [1, 2])
    #expect(calls.map(\.duringFirst) == [false, true])
  }
}
