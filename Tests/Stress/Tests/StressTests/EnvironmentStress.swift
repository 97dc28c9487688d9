import RelayStore
import SeededRandom

/// A transport that responds to queries, pages and mutations after some suspensions, rejects some
/// of them, and ignores cancellation.
struct ItemTransport: Transport {
  func execute(_ request: GraphQLRequest) async throws -> GraphQLResponse {
    let seed = UInt64(request.variables["page"]?.int ?? request.variables["number"]?.int ?? 0)
    var random = SeededGenerator(seed: seed)
    for _ in 0..<seed % 3 { await Task.yield() }
    if request.variables["page"]?.int == 3 { throw RelayError(.transport, "No response.") }
    switch request.operationName {
    case "FeedQuery": return GraphQLResponse(json: ["data": FeedTransport.data(&random)])
    case "SetNumber":
      guard let id = request.variables["id"], seed % 7 != 0 else {
        return GraphQLResponse(json: ["data": ["setNumber": .null], "errors": [["message": "no"]]])
      }
      let item: JSONValue = [
        "id": id, "number": .number(JSONNumber(Int(seed))),
        "label": .string(ItemInvariant.label(Int(seed))),
      ]
      return GraphQLResponse(json: ["data": ["setNumber": item]])
    default:
      return GraphQLResponse(json: ["data": ["items": page(after: request.variables["cursor"])]])
    }
  }

  /// Returns a page of two items out of twelve.
  private func page(after cursor: JSONValue?) -> JSONValue {
    let first = (cursor?.string.flatMap(Int.init) ?? -1) + 1
    let edges = (first..<first + 2).map { number -> JSONValue in
      let node: JSONValue = [
        "__typename": "Item", "id": .string(Stress.ids[number % Stress.ids.count].rawValue),
        "number": .number(JSONNumber(number)), "label": .string(ItemInvariant.label(number)),
      ]
      return ["cursor": .string("\(number)"), "node": node]
    }
    return [
      "edges": .array(edges),
      "pageInfo": [
        "endCursor": .string("\(first + 1)"), "startCursor": .string("\(first)"),
        "hasNextPage": .bool(first < 10), "hasPreviousPage": false,
      ],
    ]
  }
}

/// Operations of all kinds on one environment, including resets. Several tasks perform them
/// concurrently, and check each snapshot that they see.
final class EnvironmentStress: Sendable {
  struct Pool {
    var loads: [LoadedQuery<FeedQuery>] = []
    var lists: [Pagination<Paged_query>] = []
    var tasks: [Task<Void, Never>] = []
    /// The cancelled tasks; some of them may not have ended yet.
    var cancelled: [Task<Void, Never>] = []
    var handles: [ObservationHandle] = []
    var problems: Set<String> = []
    /// The number of steps performed, by name.
    var performed: [String: Int] = [:]
  }

  typealias Step = @Sendable (EnvironmentStress, inout SeededGenerator) async throws -> Void

  let environment = RelayEnvironment(
    store: RecordStore(configuration: .init(releaseBufferSize: 2, garbageCollectionThreshold: 20)),
    transport: ItemTransport())
  let pool = Shared(Pool())

  static let steps: [(name: String, step: Step)] = [
    ("fetch", { try await $0.fetch(&$1) }), ("load", { $0.load(&$1) }),
    ("refetch", { $0.pick(\.loads, &$1)?.refetch() }),
    ("release", { $0.take(\.loads, &$1)?.release() }),
    ("follow", { $0.follow(&$1) }), ("cancel", { $0.cancelTask(&$1) }),
    ("commit", { try await $0.commit(&$1) }), ("abandon", { $0.abandon(&$1) }),
    ("update", { try $0.update(&$1) }), ("observe", { $0.observe(&$1) }),
    ("stop", { $0.take(\.handles, &$1)?.cancel() }), ("page", { try await $0.page(&$1) }),
    ("refetch a list", { try await $0.pick(\.lists, &$1)?.refetch() }),
    ("release a list", { _ = $0.take(\.lists, &$1) }), ("check", { $0.check(&$1) }),
    ("collect", { stress, _ in stress.environment.store.collectGarbage() }),
    ("reset", { if Int.random(in: 0..<4, using: &$1) == 0 { $0.environment.reset() } }),
  ]

  /// Performs steps chosen by the seed.
  func work(_ count: Int, seed: UInt64) async {
    var random = SeededGenerator(seed: seed)
    for operation in 1...max(1, count) {
      let (name, step) = Self.steps[Int.random(in: 0..<Self.steps.count, using: &random)]
      do {
        try await step(self, &random)
      } catch let error as RelayError where error.code == .cancelled || error.code == .transport {
        // A reset cancels requests, and page 3 has no response.
      } catch {
        report("\(name) threw: \(error)")
      }
      pool.withValue { $0.performed[name, default: 0] += 1 }
      if let violation = StoreInvariants.violation(in: environment.store, after: operation) {
        report(violation)
      }
    }
  }

  private func report(_ problem: String) { pool.withValue { _ = $0.problems.insert(problem) } }

  private func expect(_ holds: Bool, _ problem: String) { if !holds { report(problem) } }

  // MARK: Queries

  private func query(_ random: inout SeededGenerator) -> FeedQuery {
    FeedQuery(page: .random(in: 0..<4, using: &random))
  }

  private func fetch(_ random: inout SeededGenerator) async throws {
    let policies: [FetchPolicy] = [.networkOnly, .storeOrNetwork, .storeOnly]
    let policy = policies[Int.random(in: 0..<3, using: &random)]
    let data = try await environment.fetch(query(&random), policy: policy).data
    expect(data.map(ItemInvariant.holds) ?? true, "A fetched item violates the invariant.")
  }

  private func load(_ random: inout SeededGenerator) {
    let loaded = environment.load(query(&random), policy: .storeAndNetwork)
    pool.withValue { $0.loads.append(loaded) }
  }

  private func follow(_ random: inout SeededGenerator) {
    let states = environment.observe(query(&random), policy: .storeOrNetwork)
    let task = Task { [weak self] in
      for await state in states {
        self?.expect(
          state.data.map(ItemInvariant.holds) ?? true,
          "The state of a query violates the invariant.")
      }
    }
    pool.withValue { $0.tasks.append(task) }
  }

  private func cancelTask(_ random: inout SeededGenerator) {
    guard let task = take(\.tasks, &random) else { return }
    task.cancel()
    pool.withValue { $0.cancelled.append(task) }
  }

  private func check(_ random: inout SeededGenerator) {
    let query = query(&random)
    _ = environment.check(query)
    _ = environment.isActive(query)
    _ = environment.pendingOperations(affecting: FragmentRef<Item_item>(id: id(&random)))
  }

  // MARK: Changes

  private func id(_ random: inout SeededGenerator) -> DataID {
    Stress.ids[Int.random(in: 0..<Stress.ids.count, using: &random)]
  }

  private func mutation(_ random: inout SeededGenerator) -> SetNumberMutation {
    SetNumberMutation(id: id(&random).rawValue, number: .random(in: 0..<100, using: &random))
  }

  private func commit(_ random: inout SeededGenerator) async throws {
    let mutation = mutation(&random)
    try await environment.commit(
      mutation, optimisticResponse: .init(id: mutation.id, number: mutation.number))
  }

  private func abandon(_ random: inout SeededGenerator) {
    let mutation = mutation(&random)
    let task = Task { [environment] in
      _ = try? await environment.commit(
        mutation, optimisticResponse: .init(id: mutation.id, number: mutation.number))
    }
    let isCancelled = Bool.random(using: &random)
    if isCancelled { task.cancel() }
    pool.withValue { isCancelled ? $0.cancelled.append(task) : $0.tasks.append(task) }
  }

  private func update(_ random: inout SeededGenerator) throws {
    let (id, number) = (id(&random), Int.random(in: 0..<1_000, using: &random))
    try environment.commitUpdate { store in
      guard let item = try store[id] else { return }
      try item.setValue(number, for: "number")
      try item.setValue(ItemInvariant.label(number), for: "label")
    }
  }

  // MARK: Observing

  private func observe(_ random: inout SeededGenerator) {
    let handle = environment.observe(FragmentRef<Item_item>(id: id(&random))) { [weak self] in
      self?.expect(
        $0.data.map(ItemInvariant.holds) ?? true, "A delivered item violates the invariant.")
    }
    pool.withValue { $0.handles.append(handle) }
  }

  private func page(_ random: inout SeededGenerator) async throws {
    if let list = pick(\.lists, &random) { return try await list.loadNext(2) }
    let data = try await environment.fetch(PagedPaginationQuery()).data
    guard let data else { return report("A page has no data.") }
    let list = environment.paginate(data.paged)
    pool.withValue { $0.lists.append(list) }
  }

  // MARK: The shared pool

  private func pick<Value>(
    _ all: KeyPath<Pool, [Value]> & Sendable, _ random: inout SeededGenerator
  ) -> Value? {
    let number = Int.random(in: 0..<1_000, using: &random)
    return pool.withValue { pool in
      let all = pool[keyPath: all]
      return all.isEmpty ? nil : all[number % all.count]
    }
  }

  private func take<Value>(
    _ all: WritableKeyPath<Pool, [Value]> & Sendable, _ random: inout SeededGenerator
  ) -> Value? {
    let number = Int.random(in: 0..<1_000, using: &random)
    return pool.withValue { pool in
      let count = pool[keyPath: all].count
      return count == 0 ? nil : pool[keyPath: all].remove(at: number % count)
    }
  }
}
