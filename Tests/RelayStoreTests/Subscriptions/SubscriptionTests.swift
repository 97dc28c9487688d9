import RelayStoreTesting
import Testing

@_spi(GeneratedCode) @testable import RelayStore

@Suite("Subscriptions", .timeLimit(.minutes(1)))
struct SubscriptionTests {
  private let transport = PayloadTransport()
  private let environment: RelayEnvironment

  init() {
    environment = RelayEnvironment(
      store: RecordStore(configuration: .init(garbageCollection: .manual)), transport: transport)
  }

  private func event(_ name: JSONValue, id: JSONValue = "1") -> JSONValue {
    ["data": ["userChanged": ["id": id, "name": name]]]
  }

  private func name(of id: DataID = "1") -> String? {
    environment.read(FragmentRef<ChangedUserName>(id: id)).data?.__row.box.json["name"]?.string
  }

  @Test("each event is written to the store and delivered, in order, until the server completes")
  func events() async throws {
    let task = Task { [environment] in
      var names: [JSONValue?] = []
      for try await event in environment.subscribe(to: UserChanged()) {
        names.append(event.data?.__row.box.json["userChanged"]?["name"])
      }
      return names
    }
    for name in ["a", "b", "c"] {
      await transport.send(event(.string(name)))
      #expect(self.name() == name)
    }
    transport.finish()
    #expect(try await task.value == ["a", "b", "c"])
    #expect(transport.requests.withLock { $0.map(\.kind) } == [.subscription])
    #expect(environment.operationsInFlight.count == 0)
  }

  @Test("an event with errors and without data is an event, not the end")
  func errorEvent() async throws {
    var events = environment.subscribe(to: UserChanged()).makeAsyncIterator()
    await transport.send(["data": nil, "errors": [["message": "no"]]])
    await transport.send(event("b"))
    let first = try await events.next()?.snapshot
    #expect(first?.data == nil && first?.responseErrors.map(\.message) == ["no"])
    #expect(try await events.next()?.data != nil)
  }

  @Test("the sequence throws the error of the transport after the events before it")
  func failure() async throws {
    var events = environment.subscribe(to: UserChanged()).makeAsyncIterator()
    await transport.send(event("a"))
    transport.finish(RelayError(.graphQL, "denied"))
    #expect(try await events.next()?.data != nil)
    let error = await #expect(throws: RelayError.self) { try await events.next() }
    #expect(error?.code == .graphQL && error?.operationName == "UserChanged")
    #expect(try await events.next() == nil)
  }

  @Test("an event that cannot be read ends the subscription with its error")
  func malformedEvent() async throws {
    var events = environment.subscribe(to: UserChanged()).makeAsyncIterator()
    await transport.send(["data": ["userChanged": 1]])
    let error = await #expect(throws: RelayError.self) { try await events.next() }
    #expect(error?.code == .response)
    #expect(transport.isEnded)
  }

  @Test("dropping the iterator unsubscribes")
  func unsubscribing() async throws {
    do {
      var events = environment.subscribe(to: UserChanged()).makeAsyncIterator()
      await transport.send(event("a"))
      _ = try await events.next()
      #expect(environment.isActive(UserChanged()))
    }
    #expect(!environment.isActive(UserChanged()) && environment.operationsInFlight.count == 0)
    await transport.send(event("b"))
    #expect(name() == "a")
  }

  @Test("cancelling the task that waits ends the sequence without an error")
  func cancelling() async throws {
    let task = Task { [environment] in
      for try await _ in environment.subscribe(to: UserChanged()) {}
      return Task.isCancelled
    }
    await transport.send(event("a"))
    task.cancel()
    #expect(try await task.value)
    #expect(environment.operationsInFlight.count == 0)
  }

  @Test("a reset ends the subscription with an error")
  func reset() async throws {
    var events = environment.subscribe(to: UserChanged()).makeAsyncIterator()
    await transport.send(event("a"))
    _ = try await events.next()
    environment.reset()
    let error = await #expect(throws: RelayError.self) { try await events.next() }
    #expect(error?.code == .cancelled)
  }

  @Test("more events than the buffer holds end the sequence with an error, after those in it")
  func overflow() async throws {
    var events = environment.subscribe(to: UserChanged(), buffering: .all(limit: 2))
      .makeAsyncIterator()
    for name in ["a", "b", "c", "d"] { await transport.send(event(.string(name))) }
    #expect(try await events.next()?.data != nil)
    #expect(try await events.next()?.data != nil)
    let error = await #expect(throws: RelayError.self) { try await events.next() }
    #expect(error?.code == .overflow && name() == "c")
    try await eventually(0) { environment.operationsInFlight.count }
  }

  @Test("a buffer of the newest keeps the last data and connection state, and a gap")
  func newest() async throws {
    var events = environment.subscribe(to: UserChanged(), buffering: .newest).makeAsyncIterator()
    await transport.report(.connection(.connected))
    await transport.send(event("a"))
    await transport.report(.gap)
    await transport.report(.connection(.connecting))
    await transport.send(event("b"))
    await transport.report(.connection(.connected))
    var order: [String] = []
    for _ in 0..<3 {
      switch try await events.next() {
      case .data(let snapshot)?:
        order.append(snapshot.data?.__row.box.json["userChanged"]?["name"]?.string ?? "")
      case .gap?: order.append("gap")
      case .connection(let state)?: order.append("\(state)")
      case nil: order.append("end")
      }
    }
    #expect(order == ["gap", "b", "connected"])
  }

  @Test("a buffer of the newest replaces events that wait, not those that were taken")
  func newestAfterTaking() async throws {
    var events = environment.subscribe(to: UserChanged(), buffering: .newest).makeAsyncIterator()
    await transport.send(event("a"))
    await transport.report(.connection(.connected))
    guard case .data? = try await events.next() else { return #expect(Bool(false)) }
    await transport.send(event("b"))
    #expect(try await events.next()?.data == nil)
    #expect(try await events.next()?.data != nil)
  }

  @Test("an updater runs after each event, and its error ends the subscription")
  func updater() async throws {
    var events = environment.subscribe(
      to: UserChanged(),
      updater: { store in
        guard try store["1"]?.getValue("name") != "bad" else {
          throw RelayError(.request, "bad")
        }
        try store["1"]?.setValue(7, for: "age")
      }
    ).makeAsyncIterator()
    await transport.send(event("a"))
    _ = try await events.next()
    #expect(environment.store.dump().contains("\"age\":7"))
    await transport.send(event("bad"))
    await #expect(throws: RelayError.self) { try await events.next() }
    #expect(name() == "bad")
  }

  @Test("after a gap the named queries are stale, and those that are retained are fetched again")
  func gap() async throws {
    let server = MockTransport()
    let environment = RelayEnvironment(
      store: environment.store, transport: server.routingSubscriptions(to: transport))
    let loaded = environment.load(StaleUserQuery(id: "1"), policy: .networkOnly)
    try await server.next().resolve(data: ["user": ["id": "1", "name": "a"]])
    let retained = environment.retain(StaleUserQuery(id: "2"))
    for id in ["2", "3"] {
      try environment.commitPayload(
        StaleUserQuery(id: id), data: ["user": ["id": .string(id), "name": "x"]])
    }
    var events = environment.subscribe(
      to: UserChanged(), refetching: ["1", "2", "3"].map { StaleUserQuery(id: $0) }
    ).makeAsyncIterator()
    await transport.report(.gap)
    if case .gap? = try await events.next() {} else { Issue.record("No gap was delivered.") }
    #expect(loaded.state.isLoading)
    #expect(environment.check(StaleUserQuery(id: "3")) == .stale)
    let requests = [try await server.next(), try await server.next()]
    for request in requests {
      let id = request.request.variables["id"]
      request.resolve(data: ["user": ["id": id ?? .null, "name": "fresh"]])
    }
    #expect(requests.compactMap { $0.request.variables["id"]?.string }.sorted() == ["1", "2"])
    #expect(server.pending.isEmpty)
    var states = loaded.states.makeAsyncIterator()
    while let state = await states.next(), state.isLoading {}
    if case .stale = environment.check(StaleUserQuery(id: "1")) {
      Issue.record("It is still stale.")
    }
    retained.release()
  }

  @Test(
    "a query whose response was on its way at a gap is fetched again", arguments: [true, false])
  func outdatedResponse(hasOtherCaller: Bool) async throws {
    let server = MockTransport()
    let environment = RelayEnvironment(
      store: environment.store, transport: server.routingSubscriptions(to: transport))
    let query = StaleUserQuery(id: "1")
    let caller = hasOtherCaller ? Task { try await environment.fetch(query) } : nil
    let early = hasOtherCaller ? try await server.next() : nil
    let loaded = environment.load(query, policy: .networkOnly)
    let outdated = if let early { early } else { try await server.next() }
    #expect(server.requests.count == 1)
    let outcome = Task { try await loaded.outcome() }
    var events = environment.subscribe(to: UserChanged(), refetching: [query]).makeAsyncIterator()
    await transport.report(.gap)
    if case .gap? = try await events.next() {} else { Issue.record("No gap was delivered.") }
    let fresh = try await server.next()
    if hasOtherCaller {
      outdated.resolve(data: ["user": ["id": "1", "name": "outdated"]])
    } else {
      // The failure does not affect the request that replaces this one.
      outdated.reject(RelayError(.transport, "outdated"))
    }
    _ = try await caller?.value
    #expect(loaded.state.isLoading)
    if hasOtherCaller { #expect(environment.check(query) == .stale) }
    fresh.resolve(data: ["user": ["id": "1", "name": "fresh"]])
    var states = loaded.states.makeAsyncIterator()
    while let state = await states.next(), state.isLoading {}
    try await outcome.value
    #expect(name() == "fresh" && server.requests.count == 2)
    if case .available = environment.check(query) {} else { Issue.record("It is not available.") }
  }

  @Test("a retained query that is being fetched at a gap is fetched again")
  func outdatedFetch() async throws {
    let server = MockTransport()
    let environment = RelayEnvironment(
      store: environment.store, transport: server.routingSubscriptions(to: transport))
    let query = StaleUserQuery(id: "1")
    let retained = environment.retain(query)
    let fetch = Task { try await environment.fetch(query) }
    let outdated = try await server.next()
    var events = environment.subscribe(to: UserChanged(), refetching: [query]).makeAsyncIterator()
    await transport.report(.gap)
    if case .gap? = try await events.next() {} else { Issue.record("No gap was delivered.") }
    let fresh = try await server.next()
    outdated.resolve(data: ["user": ["id": "1", "name": "outdated"]])
    _ = try await fetch.value
    #expect(environment.check(query) == .stale)
    fresh.resolve(data: ["user": ["id": "1", "name": "fresh"]])
    try await environment.settle()
    if case .available = environment.check(query) {} else { Issue.record("It is not available.") }
    #expect(name() == "fresh")
    retained.release()
  }

  @Test("a gap sends the request of a load with a context once, and with the context")
  func gapWithContext() async throws {
    let server = MockTransport()
    let environment = RelayEnvironment(
      store: environment.store, transport: server.routingSubscriptions(to: transport))
    let context = RequestContext()
    let loaded = environment.load(
      StaleUserQuery(id: "1"), policy: .networkOnly, options: LoadOptions(context: context))
    try await server.next().resolve(data: ["user": ["id": "1", "name": "a"]])
    var events = environment.subscribe(
      to: UserChanged(), refetching: [StaleUserQuery(id: "1")]
    ).makeAsyncIterator()
    await transport.report(.gap)
    if case .gap? = try await events.next() {} else { Issue.record("No gap was delivered.") }
    let request = try await server.next()
    request.resolve(data: ["user": ["id": "1", "name": "b"]])
    var states = loaded.states.makeAsyncIterator()
    while let state = await states.next(), state.isLoading {}
    try await environment.settle()
    #expect(request.request.context === context && server.requests.count == 2)
  }

  @Test("a subscription is among the live resources until it ends, and does not prevent settling")
  func liveResources() async throws {
    do {
      var events = environment.subscribe(to: UserChanged()).makeAsyncIterator()
      await transport.send(event("a"))
      _ = try await events.next()
      #expect(environment.liveResources.operationNames == ["subscription UserChanged"])
      try await environment.settle()
    }
    try await eventually {
      environment.liveResources
    } is: {
      $0.isEmpty
    }
  }
}

private struct StaleUserQuery: GraphQLQuery, Hashable {
  static let __operation = OperationPlan(
    text: "query StaleUserQuery($id:ID){user(id:$id){id name}}",
    reader: "StaleUserQuery Query{user(id:$id) User{id ID! name String}}",
    normalization: "Query{user(id:$id) User{id ID! name String}}")
  let __variables: Variables

  init(id: String) { __variables = ["id": id] }

  struct Data: GraphQLView, Hashable {
    let __row: Row
  }
}

private struct ChangedUserName: GraphQLFragment {
  static let __plan = SelectionPlan("ChangedUserName User{name String}")
  let __row: Row
}

private struct UserChanged: GraphQLSubscription, Hashable {
  static let __operation = OperationPlan(
    text: "subscription UserChanged{userChanged{id name}}",
    reader: "UserChanged Subscription{userChanged User{id ID! name String}}",
    normalization: "Subscription{userChanged User{id ID! name String}}")

  struct Data: GraphQLView, Hashable {
    let __row: Row
  }
}
