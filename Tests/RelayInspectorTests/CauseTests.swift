import RelayStoreTesting
import Testing

@testable import RelayStore

@Suite("The cause of a delivery names what has changed the data", .timeLimit(.minutes(10)))
struct CauseTests {
  // MARK: Batches

  @Test("a publish of a batch that has changed nothing of the data is no cause")
  func batch() throws {
    let recorded = RecordedStore()
    try recorded.fill(("1", "a"), ("2", "b"))
    let causes = Locked<[String: [SnapshotCause]]>([:])
    let observations = ["1", "2"].map { id in
      recorded.environment.observe(todo(id)) { snapshot in
        causes.withLock { $0[id, default: []] += snapshot.cause.map { [$0] } ?? [] }
      }
    }
    try recorded.environment.batch {
      try recorded.set("1", "text", "A")
      try recorded.set("2", "text", "B")
      try recorded.set("1", "text", "C")
    }
    #expect(causes.withLock { $0["1"] }?.map { $0.publishes.map(\.event) } == [[2, 4]])
    #expect(causes.withLock { $0["2"] }?.map { $0.publishes.map(\.event) } == [[3]])
    #expect(recorded.deliveries.map { $0.publishes.map(\.event) } == [[2, 4], [3]])
    let delivered = try recorded.environment.explain(.delivered(todo("2")))
    #expect(delivered.map { $0.cause.publishes.map(\.event) } == [[3]])
    let others = try recorded.environment.explain(.notDelivered(todo("2")))
    #expect(others.map(\.publish.event) == [4, 2, 1])
    for observation in observations { observation.cancel() }
  }

  @Test(
    "a publish of a batch is a cause beyond the records that are listed, and for a list of fragments"
  )
  func largeBatch() throws {
    let recorded = RecordedStore()
    let todos = (0..<1_500).map { ["id": .string("\($0)"), "text": "a"] as JSONValue }
    try recorded.environment.commitPayload(FeedQuery(), json: ["feed": .array(todos)])
    let one = Locked<SnapshotCause?>(nil)
    let all = Locked<SnapshotCause?>(nil)
    let observations = [
      recorded.environment.observe(todo("1499")) { snapshot in
        one.withLock { $0 = snapshot.cause }
      },
      recorded.environment.observe([todo("0"), todo("7")]) { list in
        all.withLock { $0 = list.cause }
      },
    ]
    let changed = todos.map { ["id": $0["id"] ?? nil, "text": "b"] as JSONValue }
    try recorded.environment.batch {
      try recorded.set("7", "text", "x")
      try recorded.environment.commitPayload(FeedQuery(), json: ["feed": .array(changed)])
      try recorded.set("8", "text", "y")
    }
    #expect(one.withLock { $0?.publishes.map(\.event) } == [3])
    #expect(all.withLock { $0?.publishes.map(\.event) } == [2, 3])
    for observation in observations { observation.cancel() }
  }
}
