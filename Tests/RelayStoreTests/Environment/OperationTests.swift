import RelayStore
import RelayStoreTesting
import Testing

@Suite(.timeLimit(.minutes(1))) struct OperationTests {
  private let transport = MockTransport()
  private let environment: RelayEnvironment

  init() {
    environment = RelayEnvironment(
      store: RecordStore(configuration: .init(garbageCollection: .manual)), transport: transport)
  }

  private let list: JSONValue = [
    "data": TodoListQuery.oneTodo("a")
  ]

  private func load() throws {
    try environment.commitPayload(TodoListQuery(), data: list["data"] ?? nil)
  }

  private var row: TodoRow_todo? { environment.read(FragmentRef<TodoRow_todo>(id: "1")).data }

  private func confirmed(_ isComplete: Bool) -> JSONValue {
    [
      "data": [
        "setComplete": [
          "todo": ["id": "1", "isComplete": .bool(isComplete), "text": "from server"]
        ]
      ]
    ]
  }

  @Test("a query is fetched, committed and read")
  func fetch() async throws {
    async let snapshot = environment.fetch(TodoListQuery())
    try await transport.next().resolve(GraphQLResponse(json: list))
    let reference = try await snapshot.data?.todos.first?.fragments.row
    #expect(reference == FragmentRef(id: "1", variables: ["first": 10]))
    #expect(row?.text == "a")
  }

  @Test("a default value and the same explicit value share a box key; absent and null do not")
  func defaults() throws {
    try load()
    #expect(environment.read(TodoListQuery(first: 10)).data?.todos.count == 1)
    #expect(environment.read(TodoListQuery(first: 11)).isMissingData)
    #expect(environment.read(TodoListQuery(first: 10, after: .null)).isMissingData)
  }

  @Test(
    "a response without data is an error with the operation's name, and changes nothing",
    arguments: [
      (.success(["data": nil, "errors": [["message": "no", "path": ["todos"]]]]), .graphQL),
      (.success(["errors": [["message": "no"]]]), .graphQL), (.success([:]), .response),
      (.success(["data": ["todos": 3]]), .response), (.failure(CancellationError()), .cancelled),
      (.failure(RelayError(.transport, "refused")), .transport),
    ] as [(Result<JSONValue, any Error>, RelayError.Code)])
  func failures(_ result: Result<JSONValue, any Error>, _ code: RelayError.Code) async throws {
    try load()
    let before = environment.store.dump()
    let task = Task { [environment] in try await environment.fetch(TodoListQuery()) }
    let request = try await transport.next()
    switch result {
    case .success(let json): request.resolve(GraphQLResponse(json: json))
    case .failure(let error): request.reject(error)
    }
    let error = await #expect(throws: RelayError.self) { try await task.value }
    #expect(error?.code == code && error?.operationName == "TodoListQuery")
    if code == .graphQL { #expect(error?.errors.map(\.message) == ["no"]) }
    #expect(environment.store.dump() == before)
  }

  @Test(
    "a mutation's optimistic response is visible at once, and replaced by the response in one change"
  )
  func confirmedMutation() async throws {
    try load()
    var iterator = environment.observe(FragmentRef<TodoRow_todo>(id: "1")).makeAsyncIterator()
    let before = await iterator.next()
    let task = Task { [environment] in
      try await environment.commit(
        SetCompleteMutation(id: "1", isComplete: true),
        optimisticResponse: .init(id: "1", isComplete: true))
    }
    let request = try await transport.next()
    let shown = await iterator.next()
    #expect(
      shown?.data?.isComplete == true && shown?.data?.text == "a" && shown?.isOptimistic == true)
    request.resolve(GraphQLResponse(json: confirmed(true)))
    let result = try await task.value
    #expect(result.data?.setComplete?.todo?.isComplete == true)
    let after = await iterator.next()
    #expect(after?.data?.text == "from server" && after?.isOptimistic == false)
    #expect(after?.revision == (before?.revision ?? 0) + 2)
    #expect(environment.store.statistics.optimisticUpdates == 0)
  }

  @Test("a refused mutation restores the previous data exactly")
  func refused() async throws {
    try load()
    let before = environment.store.dump()
    let task = Task { [environment] in
      try await environment.commit(
        SetCompleteMutation(id: "1", isComplete: true),
        optimisticResponse: .init(id: "1", isComplete: true))
    }
    let request = try await transport.next()
    #expect(row?.isComplete == true)
    request.resolve(GraphQLResponse(json: ["data": nil, "errors": [["message": "no"]]]))
    await #expect(throws: RelayError.self) { try await task.value }
    #expect(environment.store.dump() == before)
  }

  @Test("an optimistic updater that throws does so before the request is sent, and changes nothing")
  func refusedOptimism() async throws {
    struct Refusal: Error {}
    try load()
    let before = environment.store.dump()
    await #expect(throws: Refusal.self) {
      try await environment.commit(
        SetCompleteMutation(id: "1", isComplete: true),
        optimisticResponse: .init(id: "1", isComplete: true),
        optimisticUpdater: { _ in throw Refusal() })
    }
    #expect(environment.store.dump() == before)
    #expect(environment.store.statistics.optimisticUpdates == 0)
  }

  @Test("an optimistic response without discriminators records nothing about its types")
  func optimisticTypes() async throws {
    struct Hire: GraphQLMutation, Hashable {
      static let selection = TestSelection(
        #"mutation Hire { hire(id: "u") { ... on Actor { login } } }"#)
      static let __operation = OperationPlan(
        name: "Hire", text: "", reader: selection.reader, normalization: selection.normalization)
      var __variables: Variables { [:] }
      typealias Data = AnySelection
      typealias RawResponse = AnySelection
    }
    let plan = Hire.__operation.normalization
    let hire = AnySelection(plan, AnySelection(plan[0], "User", "u"))
    let task = Task { [environment] in
      try await environment.commit(Hire(), optimisticResponse: hire)
    }
    let request = try await transport.next()
    let shown = try JSONValue(parsing: Array(environment.store.dump().utf8))
    #expect(shown["u"]?["__typename"] == "User")
    #expect(shown["client:__type:User"]?["__isActor"] == nil)
    request.reject(RelayError(.transport, "lost"))
    _ = try? await task.value
  }

  @Test("a cancelled mutation restores the previous data exactly")
  func cancelled() async throws {
    try load()
    let before = environment.store.dump()
    let task = Task { [environment] in
      try await environment.commit(
        SetCompleteMutation(id: "1", isComplete: true),
        optimisticResponse: .init(id: "1", isComplete: true))
    }
    _ = try await transport.next()
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
    #expect(environment.store.dump() == before)
    #expect(environment.store.statistics.optimisticUpdates == 0)
  }

  @Test("a failing mutation leaves a newer optimistic update in place")
  func overlapping() async throws {
    try load()
    let task = Task { [environment] in
      try await environment.commit(
        SetCompleteMutation(id: "1", isComplete: true),
        optimisticResponse: .init(id: "1", isComplete: true))
    }
    let request = try await transport.next()
    let newer = try environment.applyUpdate { try $0["1"]?.setValue("newer", for: "text") }
    request.reject(RelayError(.transport, "lost"))
    await #expect(throws: RelayError.self) { try await task.value }
    #expect(row?.isComplete == false && row?.text == "newer")
    newer.revert()
    #expect(row?.text == "a")
  }

  @Test(
    "an updater can read the response; if it throws, the response stays and the error is thrown")
  func updaters() async throws {
    struct Refusal: Error {}
    try load()
    let task = Task { [environment] in
      try await environment.commit(SetCompleteMutation(id: "1", isComplete: true)) { store in
        let payload = try store.getRootField(
          "setComplete", arguments: ["id": "1", "isComplete": true])
        let todo = try payload?.getLinkedRecord("todo")
        #expect(todo?.id == "1")
        try store["1"]?.setValue("lost", for: "text")
        throw Refusal()
      }
    }
    try await transport.next().resolve(GraphQLResponse(json: confirmed(true)))
    await #expect(throws: Refusal.self) { try await task.value }
    #expect(row?.isComplete == true && row?.text == "from server")
  }

  @Test("the root field of a mutation's response is not kept")
  func mutationRoots() async throws {
    try load()
    for _ in 0..<2 {
      let task = Task { [environment] in
        try await environment.commit(SetCompleteMutation(id: "1", isComplete: true))
      }
      try await transport.next().resolve(GraphQLResponse(json: confirmed(true)))
      _ = try await task.value
    }
    let dump = try JSONValue(parsing: Array(environment.store.dump().utf8))
    #expect(dump["client:root"]?.object?.keys == ["__id", "__typename", "todos(first:10)"])
  }

  @Test(
    "garbage collection keeps retained, buffered, observed and optimistic records only")
  func garbage() async throws {
    let store = RecordStore(configuration: .init(releaseBufferSize: 0, garbageCollection: .manual))
    let environment = RelayEnvironment(store: store, transport: NoTransport())
    func todo(_ id: String) -> JSONValue {
      [
        "id": .string(id), "text": "t", "isComplete": false,
        "assignee": ["id": .string("u" + id), "name": "n"],
      ]
    }
    let query = TodoListQuery()
    let retention = environment.retain(query)
    let again = environment.retain(query)
    try environment.commitPayload(query, data: ["todos": [todo("1"), todo("2"), todo("3")]])
    let retained = store.collectGarbage()
    #expect(retained.collected == 0 && retained.retained == 7)
    var iterator = environment.observe(FragmentRef<TodoRow_todo>(id: "1")).makeAsyncIterator()
    _ = await iterator.next()
    let update = try environment.applyUpdate { try $0["2"]?.setValue("shown", for: "text") }
    retention.release()
    retention.release()
    #expect(store.collectGarbage().collected == 0)
    again.release()
    #expect(store.statistics.retainedOperations == 0)
    // Todo 1 and its user are observed; todo 2 and its user are written optimistically. Todo 3 and
    // its user are collected.
    let shown = store.collectGarbage()
    #expect(shown.collected == 2 && shown.retained == 5)
    #expect(environment.read(FragmentRef<TodoRow_todo>(id: "1")).data?.assignee?.name == "n")
    update.revert()
    let reverted = store.collectGarbage()
    #expect(reverted.collected == 2 && reverted.retained == 3)
    #expect(environment.read(query).isMissingData)
    // The index of a record is not reused while a dangling link still uses it.
    try environment.commitPayload(TodoListQuery(first: 1), data: ["todos": [todo("9")]])
    #expect(environment.read(query).data == nil)
  }

  @Test("a released operation stays in the release buffer; the oldest one leaves first")
  func releaseBuffer() throws {
    let store = RecordStore(configuration: .init(releaseBufferSize: 1, garbageCollection: .manual))
    let environment = RelayEnvironment(store: store, transport: NoTransport())
    func load(_ first: Int) throws -> Retention {
      let retention = environment.retain(TodoListQuery(first: .some(first)))
      try environment.commitPayload(
        TodoListQuery(first: .some(first)),
        data: [
          "todos": [
            ["id": .string("t\(first)"), "text": "t", "isComplete": false, "assignee": nil]
          ]
        ])
      return retention
    }
    let (one, two) = (try load(1), try load(2))
    one.release()
    #expect(store.collectGarbage().collected == 0)
    two.release()
    #expect(store.collectGarbage().collected == 1)
    #expect(environment.read(TodoListQuery(first: 1)).isMissingData)
    #expect(!environment.read(TodoListQuery(first: 2)).isMissingData)
  }
}
