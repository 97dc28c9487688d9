import RelayStore
import RelayStoreTesting
import Testing

@MainActor
@Suite("Models of a list's rows", .timeLimit(.minutes(1)))
struct FragmentListModelTests {
  private let server = MockTransport()
  private let environment: RelayEnvironment

  init() throws {
    environment = RelayEnvironment(
      store: RecordStore(configuration: .init(garbageCollection: .manual)), transport: server)
    for id in ["1", "2", "3"] {
      try environment.commitPayload(
        FollowersQuery(id: id),
        data: ["person": ["id": .string(id), "name": .string("n" + id), "followers": nil]])
    }
  }

  private func references(_ ids: String...) -> [FragmentRef<Follower_person>] {
    ids.map { FragmentRef(id: DataID($0)) }
  }

  private func rename(_ id: DataID, _ name: String) throws {
    try environment.commitUpdate { try $0[id]?.setValue(name, for: "name") }
  }

  @Test("each row is drawn again by its own changes, and the list by none of them")
  func rows() throws {
    let model = environment.model(references("1", "2"))
    let list = DrawnView { _ = model.rows }
    let rows = model.rows.map { row in DrawnView { _ = row.data } }
    try rename("2", "new")
    for view in rows + [list] { view.draw() }
    #expect(rows.map(\.drawCount) == [1, 2] && list.drawCount == 1)
    #expect(model.data.map(\.name) == ["n1", "new"])
  }

  @Test("a row keeps its model while its reference stays in the list")
  func identity() throws {
    let model = environment.model(references("1", "2", "2"))
    let list = DrawnView { _ = model.rows }
    let before = model.rows.map(\.id)
    #expect(Set(before).count == 3)
    model.show(references("1", "2", "2"))
    list.draw()
    #expect(list.drawCount == 1)
    model.show(references("2", "3", "1"))
    list.draw()
    #expect(list.drawCount == 2 && model.data.map(\.name) == ["n2", "n3", "n1"])
    let after = model.rows.map(\.id)
    #expect(after[0] == before[1] && after[2] == before[0] && !before.contains(after[1]))
    model.show([])
    #expect(model.rows.isEmpty && environment.store.statistics.observers == 0)
  }

  @Test("a reference that occurs twice keeps both of its models when rows move")
  func duplicates() {
    let model = environment.model(references("1", "2", "2"))
    let before = model.rows.map(\.id)
    model.show(references("2", "1", "2"))
    #expect(model.rows.map(\.id) == [before[1], before[0], before[2]])
  }

  @Test("a model made by the environment reads like one made by its initializer")
  func made() {
    #expect(environment.model(references("1")[0]).data?.name == "n1")
    let query = environment.model(FollowersQuery(id: "1"), policy: .storeOnly)
    #expect(query.data?.person?.name == "n1")
  }
}
