import Observation
@_spi(GeneratedCode) import RelayStore
import RelayStoreTesting
import Testing

@MainActor
@Suite("The model of a subscription", .timeLimit(.minutes(1)))
struct SubscriptionModelTests {
  private let server = MockTransport()
  private let environment: RelayEnvironment

  init() {
    environment = RelayEnvironment(
      store: RecordStore(configuration: .init(garbageCollection: .manual)), transport: server)
  }

  private func data(_ name: JSONValue, id: JSONValue = "1") -> JSONValue {
    ["messageAdded": ["id": id, "text": name]]
  }

  /// Waits until the models contain everything that was sent.
  private func settle(_ request: MockTransport.Pending) async throws {
    try await request.delivered()
    try await environment.settle()
  }

  @Test("a model that is not read sends nothing, and the first read subscribes")
  func firstRead() async throws {
    let model = SubscriptionModel(MessageAdded(), in: environment)
    #expect(model.subscription == MessageAdded() && environment.operationsInFlight.count == 0)
    #expect(model.data == nil)
    #expect(model.isActive && environment.isActive(MessageAdded()))
    _ = try await server.next(MessageAdded.self)
    _ = (model.snapshot, model.connection, model.gapCount, model.error, model.isActive)
    model.start()
    try await environment.settle()
    #expect(server.requests.count == 1)
  }

  @Test("a model has the last event, the store's changes with it, until the server completes")
  func events() async throws {
    let model = SubscriptionModel(MessageAdded(), in: environment)
    let row = FragmentModel(FragmentRef<MessageText>(id: "1"), in: environment)
    model.start()
    let request = try await server.next(MessageAdded.self)
    request.send(data: data("a"))
    request.send(data: data("b"))
    try await settle(request)
    #expect(model.text == "b" && row.data?.text == "b")
    request.finish()
    try await environment.settle()
    #expect(!model.isActive && model.error == nil && model.text == "b")
    #expect(environment.operationsInFlight.count == 0)
  }

  @Test("the closure receives every event in order, in the turn that changes the other models")
  func closure() async throws {
    let row = FragmentModel(FragmentRef<MessageText>(id: "1"), in: environment)
    var received: [String] = []
    var model: SubscriptionModel<MessageAdded>?
    model = SubscriptionModel(MessageAdded(), in: environment) { event in
      switch event {
      case .data(let snapshot):
        #expect(model?.text == snapshot.data?.text)
        received.append("\(snapshot.data?.text ?? "") of \(row.data?.text ?? "")")
      case .connection(let state): received.append("\(state) \(model?.isConnected ?? false)")
      case .gap: received.append("gap \(model?.gapCount ?? 0)")
      }
    }
    model?.start()
    let request = try await server.next(MessageAdded.self)
    request.report(.connection(.connected))
    request.send(data: data("a"))
    try await settle(request)
    request.report(.gap)
    request.send(data: data("b"))
    try await settle(request)
    #expect(received == ["connected true", "a of a", "gap 1", "b of b"])
    model = nil
  }

  @Test("events that arrive while the main actor is busy are all received later")
  func busy() async throws {
    var received: [String] = []
    let model = SubscriptionModel(MessageAdded(), in: environment) { event in
      if let text = event.data?.text { received.append(text) }
    }
    model.start()
    let request = try await server.next(MessageAdded.self)
    for number in 0..<100 { request.send(data: data(.string("\(number)"))) }
    // Block the main actor until the store has the last event.
    while name != "99" {}
    #expect(received.isEmpty && model.data == nil)
    try await settle(request)
    #expect(received == (0..<100).map { "\($0)" })
  }

  @Test("more events than the declared buffer holds end the model with an error, after those in it")
  func overflow() async throws {
    var received: [String] = []
    let model = SubscriptionModel(
      MessageAdded(), in: environment, buffering: .all(limit: 2)
    ) { if let text = $0.data?.text { received.append(text) } }
    model.start()
    let request = try await server.next(MessageAdded.self)
    for text in ["a", "b", "c"] { request.send(data: data(.string(text))) }
    while environment.isActive(MessageAdded()) {}
    try await environment.settle()
    #expect(received == ["a", "b"] && model.error?.code == .overflow && !model.isActive)
  }

  @Test("a model without a closure shows the newest of more events than any buffer holds")
  func newest() async throws {
    let model = SubscriptionModel(MessageAdded(), in: environment)
    model.start()
    let request = try await server.next(MessageAdded.self)
    for number in 0..<1_500 { request.send(data: data(.string("\(number)"))) }
    while name != "1499" {}
    try await settle(request)
    #expect(model.text == "1499" && model.error == nil && model.isActive)
  }

  @Test("each property notifies its readers alone, and equal data notifies none of data")
  func tracking() async throws {
    let model = SubscriptionModel(MessageAdded(), in: environment)
    model.start()
    let request = try await server.next(MessageAdded.self)
    let changed = Locked<Set<String>>([])
    func track(_ name: String, _ read: @MainActor () -> Void) {
      withObservationTracking {
        read()
      } onChange: {
        _ = changed.withLock { $0.insert(name) }
      }
    }
    func changes(
      until isDone: () -> Bool = { true }, _ cause: () -> Void
    ) async throws -> Set<String> {
      changed.withLock { $0 = [] }
      track("subscription") { _ = model.subscription }
      track("data") { _ = model.data }
      track("snapshot") { _ = model.snapshot }
      track("connection") { _ = model.connection }
      track("isConnected") { _ = model.isConnected }
      track("gapCount") { _ = model.gapCount }
      track("hasGap") { _ = model.hasGap }
      track("error") { _ = model.error }
      track("isActive") { _ = model.isActive }
      cause()
      try await settle(request)
      try await eventually(true) { isDone() }
      return changed.withLock { $0 }
    }
    #expect(try await changes { request.send(data: data("a")) } == ["data", "snapshot"])
    #expect(try await changes { request.send(data: data("a")) } == ["snapshot"])
    #expect(
      try await changes { request.report(.connection(.connected)) }
        == ["connection", "isConnected"])
    #expect(
      try await changes { request.report(.connection(.connecting)) }
        == ["connection", "isConnected"])
    #expect(try await changes { request.report(.connection(.suspended)) } == ["connection"])
    #expect(try await changes { request.report(.gap) } == ["gapCount", "hasGap"])
    #expect(try await changes { request.report(.gap) } == ["gapCount"])
    #expect(try await changes { model.acknowledgeGap() } == ["gapCount", "hasGap"])
    #expect(
      // A subscription can settle without having ended.
      try await changes(until: { !model.isActive }) {
        request.reject(RelayError(.transport, "lost"))
      } == ["error", "isActive", "connection"])
  }

  @Test("gaps count until they are acknowledged")
  func gaps() async throws {
    let model = SubscriptionModel(MessageAdded(), in: environment)
    #expect(!model.hasGap && model.gapCount == 0)
    let request = try await server.next(MessageAdded.self)
    for count in 1...2 {
      request.report(.gap)
      try await settle(request)
      #expect(model.hasGap && model.gapCount == count)
    }
    model.acknowledgeGap()
    #expect(!model.hasGap && model.gapCount == 0)
  }

  @Test("after an error the data stays, and a restart subscribes again and reports a gap")
  func restart() async throws {
    var gaps: [Int] = []
    let model = SubscriptionModel(MessageAdded(), in: environment, refetching: [MessageQuery()]) {
      if case .gap = $0 { gaps.append(1) }
    }
    try environment.commitPayload(
      MessageQuery(), data: ["message": ["id": "1", "text": "old"]])
    model.start()
    let first = try await server.next(MessageAdded.self)
    first.report(.connection(.connected))
    first.send(data: data("a"))
    first.reject(RelayError(.transport, "lost"))
    try await settle(first)
    #expect(model.error?.message == "lost" && model.text == "a")
    #expect(!model.isActive && model.connection == nil)
    model.restart()
    #expect(model.error == nil && model.isActive && model.text == "a" && !model.hasGap)
    let second = try await server.next(MessageAdded.self)
    second.report(.connection(.connecting))
    try await settle(second)
    #expect(!model.hasGap && environment.check(MessageQuery()) != .stale)
    second.report(.connection(.connected))
    second.send(data: data("b"))
    try await settle(second)
    #expect(model.gapCount == 1 && gaps == [1] && model.text == "b")
    #expect(environment.check(MessageQuery()) == .stale)
  }

  @Test("a restart of a transport without states reports the gap before the first event")
  func restartWithoutStates() async throws {
    var order: [String] = []
    let model = SubscriptionModel(MessageAdded(), in: environment) { event in
      if case .gap = event { order.append("gap") }
      if let text = event.data?.text { order.append(text) }
    }
    model.restart()
    let first = try await server.next(MessageAdded.self)
    first.send(data: data("a"))
    try await settle(first)
    model.restart()
    #expect(try await first.cancelled())
    let second = try await server.next(MessageAdded.self)
    second.send(data: data("b"))
    try await settle(second)
    #expect(order == ["a", "gap", "b"])
  }

  @Test("a stopped model is not subscribed again by a read, and keeps its data")
  func stop() async throws {
    let model = SubscriptionModel(MessageAdded(), in: environment)
    model.stop()
    #expect(!model.isActive && model.data == nil && environment.operationsInFlight.count == 0)
    model.restart()
    let request = try await server.next(MessageAdded.self)
    request.report(.connection(.connected))
    request.send(data: data("a"))
    try await settle(request)
    model.stop()
    #expect(model.text == "a" && !model.isActive && model.connection == nil)
    #expect(model.error == nil && !model.hasGap)
    #expect(try await request.cancelled())
    #expect(environment.operationsInFlight.count == 0)
  }

  @Test("another value replaces the subscription, without the data of the previous one")
  func replacing() async throws {
    let model = SubscriptionModel(MessageAdded(room: "1"), in: environment)
    model.start()
    let first = try await server.next(MessageAdded.self)
    first.send(data: data("a"))
    first.report(.gap)
    try await settle(first)
    model.subscribe(to: MessageAdded(room: "1"))
    #expect(model.text == "a" && server.requests.count == 1)
    model.subscribe(to: MessageAdded(room: "2"))
    #expect(model.subscription == MessageAdded(room: "2") && model.isActive)
    #expect(model.data == nil && !model.hasGap)
    #expect(try await first.cancelled())
    let second = try await server.next(MessageAdded.self)
    #expect(second.request.variables["room"] == "2")
    first.send(data: data("late"))
    second.send(data: data("b"))
    try await settle(second)
    #expect(model.text == "b" && !model.hasGap)
  }

  @Test("a closure that stops the model receives no more of the events that have arrived")
  func stoppingClosure() async throws {
    var received: [String] = []
    var model: SubscriptionModel<MessageAdded>?
    model = SubscriptionModel(MessageAdded(), in: environment) { event in
      if let text = event.data?.text { received.append(text) }
      model?.stop()
    }
    model?.start()
    let request = try await server.next(MessageAdded.self)
    for text in ["a", "b", "c"] { request.send(data: data(.string(text))) }
    while name != "c" {}
    try await environment.settle()
    #expect(received == ["a"] && model?.isActive == false)
    model = nil
  }

  @Test("a view that acknowledges a gap while it is notified loses no event")
  func reentrancy() async throws {
    let model = SubscriptionModel(MessageAdded(), in: environment)
    model.start()
    let request = try await server.next(MessageAdded.self)
    request.report(.gap)
    try await settle(request)
    withObservationTracking {
      _ = model.data
    } onChange: {
      MainActor.assumeIsolated { model.acknowledgeGap() }
    }
    request.send(data: data("a"))
    try await settle(request)
    #expect(model.text == "a" && !model.hasGap)
  }

  @Test("dropping a model unsubscribes")
  func dropping() async throws {
    var model: SubscriptionModel? = SubscriptionModel(MessageAdded(), in: environment)
    model?.start()
    let request = try await server.next(MessageAdded.self)
    request.send(data: data("a"))
    try await settle(request)
    weak let dropped = model
    model = nil
    #expect(dropped == nil && environment.operationsInFlight.count == 0)
    #expect(try await request.cancelled())
    #expect(environment.listenerCount == 0 && environment.store.statistics.isEmpty)
  }

  @Test("a reset empties the model at once, and a restart after it reports no gap")
  func reset() async throws {
    let model = SubscriptionModel(MessageAdded(), in: environment)
    model.start()
    let request = try await server.next(MessageAdded.self)
    request.report(.connection(.connected))
    request.report(.gap)
    request.send(data: data("a"))
    try await settle(request)
    environment.reset()
    #expect(model.data == nil && model.snapshot == nil && model.connection == nil)
    #expect(!model.isActive && !model.hasGap && model.error == nil)
    try await environment.settle()
    #expect(model.error == nil && !model.isActive && server.requests.count == 1)
    model.restart()
    let second = try await server.next(MessageAdded.self)
    second.report(.connection(.connected))
    second.send(data: data("b"))
    try await settle(second)
    #expect(model.text == "b" && !model.hasGap)
  }

  @Test("an event with errors and without data empties data, and is not an error of the model")
  func errorEvent() async throws {
    let model = SubscriptionModel(MessageAdded(), in: environment)
    model.start()
    let request = try await server.next(MessageAdded.self)
    request.send(data: data("a"))
    request.send(data: nil, errors: [["message": "no"]])
    try await settle(request)
    #expect(model.data == nil && model.snapshot?.responseErrors.map(\.message) == ["no"])
    #expect(model.error == nil && model.isActive)
  }

  /// The text of message "1" in the store.
  private var name: String? {
    environment.read(FragmentRef<MessageText>(id: "1")).data?.text
  }
}

extension SubscriptionModel<MessageAdded> {
  fileprivate var text: String? { data?.text }
}

private struct MessageQuery: GraphQLQuery, Hashable {
  static let __operation = OperationPlan(
    text: "query MessageQuery{message{id text}}",
    reader: "MessageQuery Query{message Message{id ID! text String}}",
    normalization: "Query{message Message{id ID! text String}}")

  struct Data: GraphQLView, Hashable {
    let __row: Row
  }
}

private struct MessageText: GraphQLFragment {
  static let __plan = SelectionPlan("MessageText Message{text String}")
  let __row: Row

  var text: String? { __row.box.json["text"]?.string }
}

private struct MessageAdded: GraphQLSubscription, Hashable {
  static let __operation = OperationPlan(
    text: "subscription MessageAdded($room:ID){messageAdded(room:$room){id text}}",
    reader: "MessageAdded Subscription{messageAdded(room:$room) Message{id ID! text String}}",
    normalization: "Subscription{messageAdded(room:$room) Message{id ID! text String}}")
  let __variables: Variables

  init(room: String = "1") { __variables = ["room": room] }

  struct Data: GraphQLView, Hashable {
    let __row: Row

    var text: String? { __row.box.json["messageAdded"]?["text"]?.string }
  }
}
