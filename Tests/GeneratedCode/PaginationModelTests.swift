import Foundation
import Observation
import RelayStore
import RelayStoreTesting
import Testing

@MainActor
@Suite("Pagination models", .timeLimit(.minutes(1)))
struct PaginationModelTests {
  private let server = MockTransport()
  private let environment: RelayEnvironment

  init() {
    environment = RelayEnvironment(
      store: RecordStore(configuration: .init(garbageCollection: .manual)), transport: server)
  }

  private func page(_ id: String, next: Bool) -> JSONValue {
    [
      "edges": [
        [
          "cursor": .string("c" + id),
          "node": ["__typename": "Person", "id": .string(id), "name": "n"],
        ]
      ],
      "pageInfo": [
        "endCursor": .string("c" + id), "startCursor": .string("c" + id),
        "hasNextPage": .bool(next), "hasPreviousPage": false,
      ],
    ]
  }

  private func pageData(_ page: JSONValue) -> JSONValue {
    ["node": ["__typename": "Person", "id": "1", "followers": page]]
  }

  private func model() throws -> PaginationModel<Friends_person> {
    try environment.commitPayload(
      FriendsQuery(id: "1"), data: ["person": ["id": "1", "followers": page("2", next: true)]])
    let person = try #require(environment.read(FriendsQuery(id: "1")).data?.person)
    return PaginationModel(person.fragments.friends_person, in: environment)
  }

  /// Waits until a property that `read` accesses is about to change.
  private func change(of read: @MainActor () -> Void) async {
    let (stream, continuation) = AsyncStream<Void>.makeStream()
    withObservationTracking {
      read()
    } onChange: {
      continuation.finish()
    }
    for await _ in stream {}
    await Task.yield()
  }

  /// Blocks the main actor.
  private func block(until semaphore: DispatchSemaphore) { semaphore.wait() }

  private func ids(_ model: PaginationModel<Friends_person>?) -> [String] {
    model?.data?.followers?.nodes.map(\.id) ?? []
  }

  @Test("a pagination model has its list at once, and appends the pages that it loads")
  func next() async throws {
    let model = try model()
    #expect(ids(model) == ["2"] && model.hasNext && !model.hasPrevious)
    begin { model.loadNext(1) }
    let request = try await server.next()
    while !model.isLoadingNext { await change { _ = model.state } }
    // Loading again while a page is in flight is a no-op.
    begin { model.loadNext(1) }
    request.resolve(data: pageData(page("3", next: false)))
    while model.isLoadingNext { await change { _ = model.isLoadingNext } }
    #expect(ids(model) == ["2", "3"] && !model.hasNext && server.requests.count == 1)
  }

  @Test(
    "a commit on the main actor updates the model before it returns, and notifies only of changes"
  )
  func commit() throws {
    let model = try model()
    let changes = Recorded()
    withObservationTracking {
      _ = model.data
    } onChange: {
      changes.add("change")
    }
    try environment.commitUpdate { try $0.root.setValue(1, for: "other") }
    #expect(changes.all.isEmpty)
    try environment.commitUpdate { store in
      for list in try store.getConnections("Friends_followers") { try list.deleteNode("2") }
    }
    #expect(ids(model).isEmpty && changes.all == ["change"])
  }

  @Test("the error of a failed page is part of the state until a refetch succeeds")
  func failure() async throws {
    let model = try model()
    begin { model.loadNext(1) }
    try await server.next().reject(RelayError(.transport, "lost"))
    while model.error == nil { await change { _ = model.state } }
    #expect(model.error?.message == "lost" && ids(model) == ["2"])
    begin { model.refetch { $0.order = .some(.age) } }
    let request = try await server.next()
    while !model.isRefetching { await change { _ = model.state } }
    request.resolve(data: pageData(page("9", next: false)))
    while model.isRefetching { await change { _ = model.state } }
    #expect(ids(model) == ["9"] && model.error == nil)
  }

  @Test("a consumer of the list receives a row that was waiting together with the page's error")
  func waitingRow() async throws {
    let model = try model()
    let (environment, states) = (environment, Recorded())
    let (begun, isBegun) = AsyncStream<Void>.makeStream()
    let failed = DispatchSemaphore(value: 0)
    let consuming = Task.detached { [list = model.list] in
      for await state in list.states {
        let name = state.data?.followers?.nodes.first?.name ?? "-"
        states.add("\(name) \(state.error?.message ?? "-") \(state.isLoadingNext)")
        isBegun.finish()
        if state.error != nil { break }
      }
      failed.signal()
    }
    for await _ in begun {}
    begin { model.loadNext(1) }
    let request = try await server.next()
    // The main actor is blocked, so the row has to wait for its next turn.
    Thread.detachNewThread {
      try? environment.commitUpdate { try $0["2"]?.setValue("new", for: "name") }
      request.reject(RelayError(.transport, "lost"))
    }
    block(until: failed)
    await consuming.value
    try await environment.settle()
    #expect(states.all == ["n - false", "n - true", "new lost false"])
    #expect(model.error?.message == "lost" && model.data?.followers?.nodes.first?.name == "new")
  }

  @Test("two models of a list wait for one page, which dropping one of them does not cancel")
  func shared() async throws {
    var first: PaginationModel? = try model()
    let second = try PaginationModel(#require(first).list.reference, in: environment)
    begin { first?.loadNext(1) }
    begin { second.loadNext(1) }
    begin { second.loadNext(1) }
    let request = try await server.next()
    #expect(first?.isLoadingNext == true && second.isLoadingNext)
    first = nil
    request.resolve(data: pageData(page("3", next: true)))
    try await environment.settle()
    #expect(ids(second) == ["2", "3"] && !second.isLoadingNext && server.requests.count == 1)
    begin { second.loadNext(1) }
    #expect(second.isLoadingNext)
    try await server.next().resolve(data: pageData(page("4", next: false)))
    try await environment.settle()
    #expect(ids(second) == ["2", "3", "4"] && !second.hasNext)
  }

  @Test("of two refetches of a fragment model, the one that began last decides")
  func refetches() async throws {
    let list = try model()
    let model = FragmentModel(list.list.reference, in: environment)
    let first = Task { try await model.refetch { $0.order = .some(.age) } }
    let early = try await server.next()
    // The model's own variables: showing their result does not change the reference.
    let second = Task { try await model.refetch() }
    let late = try await server.next()
    late.resolve(data: pageData(page("8", next: false)))
    try await second.value
    early.resolve(data: pageData(page("7", next: false)))
    try await first.value
    #expect(model.data?.followers?.nodes.map(\.id) == ["8"])
  }

  @Test("a fragment model that shows another reference ignores the result of a refetch in flight")
  func refetchOfAnother() async throws {
    let list = try model()
    let model = FragmentModel(list.list.reference, in: environment)
    try environment.commitPayload(
      FriendsQuery(id: "5"), data: ["person": ["id": "5", "followers": page("6", next: true)]])
    let other = try #require(environment.read(FriendsQuery(id: "5")).data?.person)
      .fragments.friends_person
    let refetch = Task { try await model.refetch { $0.order = .some(.age) } }
    let request = try await server.next()
    model.show(other)
    #expect(!model.isLoading)
    request.resolve(data: pageData(page("9", next: false)))
    try await refetch.value
    #expect(model.reference == other && model.data?.followers?.nodes.map(\.id) == ["6"])
    #expect(!model.isLoading)
  }

  @Test("a fragment model that shows another reference has no error of the one before")
  func errorOfAnother() async throws {
    let own = try model().reference
    let model = FragmentModel(own, in: environment)
    func fail() async throws {
      let refetch = Task { try await model.refetch() }
      try await server.next().reject(RelayError(.transport, "lost"))
      await #expect(throws: RelayError.self) { try await refetch.value }
    }
    try await fail()
    #expect(model.error != nil)
    let late = Task { try await model.refetch() }
    let request = try await server.next()
    model.show(FragmentRef(id: "5"))
    #expect(model.error == nil)
    request.reject(RelayError(.transport, "lost"))
    await #expect(throws: RelayError.self) { try await late.value }
    #expect(model.error == nil && !model.isLoading)
    model.show(own)
    try await fail()
    #expect(model.error != nil)
    environment.reset()
    #expect(model.error == nil)
  }

  @Test("a fragment model has the error of its last refetch only, and none of a reset")
  func refetchErrors() async throws {
    let model = FragmentModel(try model().reference, in: environment)
    let first = Task { try await model.refetch { $0.order = .some(.age) } }
    let early = try await server.next()
    let second = Task { try await model.refetch() }
    let late = try await server.next()
    early.reject(RelayError(.transport, "early"))
    await #expect(throws: RelayError.self) { try await first.value }
    #expect(model.error == nil && model.isLoading)
    late.reject(RelayError(.transport, "late"))
    await #expect(throws: RelayError.self) { try await second.value }
    #expect(model.error?.message == "late" && !model.isLoading)
    let third = Task { try await model.refetch() }
    _ = try await server.next()
    environment.reset()
    await #expect(throws: RelayError.self) { try await third.value }
    #expect(model.error == nil && !model.isLoading)
  }

  @Test("a closure that changes variables may use the state of its caller's actor")
  func isolatedChange() async throws {
    @MainActor final class Choice { var order = Order.age }
    let choice = Choice()
    let reference = try model().reference
    let list = environment.paginate(reference)
    let refetch = Task { try await list.refetch { $0.order = .some(choice.order) } }
    let first = try await server.next()
    choice.order = .name
    let other = Task { try await environment.refetch(reference) { $0.order = .some(choice.order) } }
    let second = try await server.next()
    #expect(first.request.variables["order"] == "AGE")
    #expect(second.request.variables["order"] == "NAME")
    for request in [first, second] { request.resolve(data: pageData(page("9", next: false))) }
    try await refetch.value
    _ = try await other.value
  }

  @Test("a model shows another list, whose state later requests change alone")
  func show() async throws {
    let model = try model()
    let own = model.reference
    try environment.commitPayload(
      FriendsQuery(id: "5"), data: ["person": ["id": "5", "followers": page("6", next: true)]])
    let other = try #require(environment.read(FriendsQuery(id: "5")).data?.person)
      .fragments.friends_person
    let view = DrawnView { _ = model.reference }
    begin { model.refetch { $0.order = .some(.age) } }
    let refetch = try await server.next()
    model.show(other)
    view.draw()
    #expect(view.drawCount == 2 && model.reference == other && ids(model) == ["6"])
    #expect(!model.isRefetching)
    refetch.resolve(data: pageData(page("9", next: false)))
    try await environment.settle()
    #expect(model.reference == other && ids(model) == ["6"])
    let loading = Task { try await model.loadNext(1) }
    try await server.next().resolve(
      data: ["node": ["__typename": "Person", "id": "5", "followers": page("7", next: false)]])
    try await loading.value
    #expect(ids(model) == ["6", "7"])
    model.show(own)
    #expect(ids(model) == ["2"] && model.hasNext)
  }

  @Test("releasing a model cancels its request and releases everything in the store")
  func dropping() async throws {
    var model: PaginationModel? = try model()
    begin { model?.loadNext(1) }
    _ = try await server.next()
    weak let dropped = model
    model = nil
    #expect(dropped == nil)
    try await eventually(0) { server.pending.count }
    try await eventually {
      environment.store.statistics
    } is: {
      $0.isEmpty
    }
  }

  @Test("a refetch of a fragment model changes that model only")
  func refetch() async throws {
    let list = try model()
    let model = FragmentModel(list.list.reference, in: environment)
    let refetching = Task { try await model.refetch { $0.order = .some(.age) } }
    try await server.next().resolve(data: pageData(page("8", next: false)))
    try await refetching.value
    #expect(model.data?.followers?.nodes.map(\.id) == ["8"] && ids(list) == ["2"])
  }
}
