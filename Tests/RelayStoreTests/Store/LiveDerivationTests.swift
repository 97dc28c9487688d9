import Testing

@testable import RelayStore

@Suite("Runs of live derived fields", .timeLimit(.minutes(1)))
struct LiveDerivationTests {
  @Test("runs are started and ended in the order in which they were added")
  func order() {
    let live = LiveDerivations()
    let plan = SelectionPlan("User{id ID!}")
    let records = (0..<40).map { $0 * 7 % 40 }
    for record in records {
      let field = LiveDerivations.Field("status", of: RecordIndex(record), plan: plan)
      let row = RowBox(plan: plan, slots: [RowSlot(.string("\(record)"))])
      _ = live.observe(field, at: RecordIndex(100 + record), row: row) { _ in { _ in } }
    }
    #expect(live.takeStarted().map(\.index) == records.map { RecordIndex(100 + $0) })
    #expect(live.endAll(named: "status").map(\.record) == records.map { RecordIndex($0) })
  }
}
