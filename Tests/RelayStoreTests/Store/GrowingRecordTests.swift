import RelayStore
import Testing

@Suite("Records that grow during a garbage collection", .timeLimit(.minutes(1)))
struct GrowingRecordTests {
  private let me = TestSelection("{ me { id name } }")
  private let friend = TestSelection(
    "{ me { friend { id } } }",
    schema: """
      type Query { me: User }
      type User { id: ID! friend: User }
      """)

  @Test("a link in a record that outgrows its cells between slices never leads to another record")
  func linksOfLargeRecords() throws {
    for slice in 0..<40 {
      let test = TestStore(releaseBufferSize: 0)
      let retained = retain(me.normalization, in: test)
      try test.write(me, ["me": ["id": "u", "name": "Ada"]])
      try setFields(0..<RecordBox.cellLimit - 3, in: test)
      // Their indexes come after the record's, so the phase `link` takes several slices.
      try test.write(
        TestSelection("{ todos { id } }"),
        ["todos": .array((0..<30).map { ["id": .string("todo\($0)")] })])
      // Releasing a retention starts a collection.
      retain(TestSelection("{ page(n: 1) { title } }").normalization, in: test).release()
      var count = 0
      repeat {
        if count == slice {
          try setFields(RecordBox.cellLimit - 3..<RecordBox.cellLimit + 3, in: test)
          try test.environment.commitUpdate { store in
            let new = try store.create("f", type: "User")
            try new.setValue("f", for: "id")
            try store["u"]?.setLinkedRecord(new, for: "friend")
          }
          #expect(try isLarge(in: test))
        }
        count += 1
        #expect(test.store.violatedInvariant == nil)
      } while test.store.garbageCollector.step(records: 1)
      #expect(count > slice || slice > 10)
      // Reuses every index in the free list.
      try test.environment.commitUpdate { store in
        for number in 0..<40 {
          try store.create(DataID("new\(number)"), type: "User").setValue("new\(number)", for: "id")
        }
      }
      let id = test.json(friend)?["me"]?["friend"]?["id"]
      #expect(id == nil || id == "f", "slice \(slice)")
      withExtendedLifetime(retained) {}
    }
  }

  /// Writes fields outside all selections to the record `u`.
  private func setFields(_ numbers: Range<Int>, in test: TestStore) throws {
    try test.environment.commitUpdate { store in
      for number in numbers {
        try store["u"]?.setValue(.number(JSONNumber(number)), for: "f\(number)")
      }
    }
  }

  private func isLarge(in test: TestStore) throws -> Bool {
    let records = try JSONValue(parsing: Array(test.store.dump(.base).utf8)).object
    return records?["u"]?.object?.keys.count ?? 0 > RecordBox.cellLimit
  }

  private func retain(_ plan: SelectionPlan, in test: TestStore) -> Retention {
    let identity = RequestIdentity(
      name: "TestQuery", documentHash: plan.documentHash, variables: [:])
    return test.store.retain(identity, test.store.bind(plan, variables: [:]), root: .root)
  }
}
