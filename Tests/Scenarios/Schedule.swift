import RelayStore
import RelayStoreTesting
import SeededRandom

/// Operations that start and end in a random order while others are in flight, and a naive model of
/// the data that the store must have.
struct Schedule: ~Copyable {
  /// The fields of a task.
  struct Fields: Equatable {
    var title: String
    var estimate: Double
  }

  private enum Kind { case response, updater, responseUpdater, query }

  /// A request in flight.
  private struct Request {
    let number: Int
    let kind: Kind
    let id: String
    let pending: MockTransport.Pending
    let task: Task<RelayError.Code?, Never>
  }

  private typealias Layer = @Sendable (inout [String: Fields]) -> Void

  private static let ids = ["a", "b"]

  private var random: SeededGenerator
  private let server = MockTransport()
  private let environment: RelayEnvironment
  private var base: [String: Fields] = [:]
  private var layers: [(number: Int, change: Layer)] = []
  private var requests: [Request] = []
  private var drafts: [(number: Int, update: OptimisticUpdate)] = []
  /// The newest query of each task whose response was committed.
  private var newest: [String: Int] = [:]
  private var lastNumber = 0
  /// The number of times that each state was reached.
  private(set) var reached: [String: Int] = [:]

  init(seed: UInt64) throws {
    random = SeededGenerator(seed: seed)
    environment = RelayEnvironment(
      store: RecordStore(configuration: .init(garbageCollection: .manual)), transport: server)
    for id in Self.ids {
      base[id] = Fields(title: "t", estimate: 0)
      try environment.commitPayload(
        TitleQuery(id: id), data: ["task": ["id": .string(id), "title": "t", "estimate": 0]])
    }
  }

  /// Runs the schedule to its end, and returns the first difference between store and model.
  mutating func run() async throws -> String? {
    for step in 0..<(4 + Int.random(in: 0..<8, using: &random)) {
      try await advance()
      if let problem = difference() { return "after step \(step): \(problem)" }
    }
    while !requests.isEmpty {
      try await end(requests.remove(at: Int.random(in: 0..<requests.count, using: &random)))
      if let problem = difference() { return "at the end: \(problem)" }
    }
    while !drafts.isEmpty {
      revert(drafts.remove(at: Int.random(in: 0..<drafts.count, using: &random)))
    }
    if !layers.isEmpty { return "the model still has layers" }
    if let problem = difference() { return "with nothing in flight: \(problem)" }
    if environment.store.dump(.base) != environment.store.dump(.visible) {
      return "the visible records differ from the base"
    }
    let resources = environment.liveResources
    return resources.operations + resources.optimisticUpdates + resources.observers == 0
      ? nil : "\(resources)"
  }

  private mutating func advance() async throws {
    switch Int.random(in: 0..<10, using: &random) {
    case 0..<4: try await begin()
    case 4..<7 where !requests.isEmpty:
      try await end(requests.remove(at: Int.random(in: 0..<requests.count, using: &random)))
    case 7 where !drafts.isEmpty:
      revert(drafts.remove(at: Int.random(in: 0..<drafts.count, using: &random)))
    case 8: try commitLocally()
    default: try draft()
    }
  }

  // MARK: Starting

  private mutating func begin() async throws {
    lastNumber += 1
    let number = lastNumber
    let id = Self.ids[Int.random(in: 0..<2, using: &random)]
    let kinds: [Kind] = [.response, .updater, .responseUpdater, .query]
    let kind = kinds[Int.random(in: 0..<kinds.count, using: &random)]
    let task = Task { [environment] () -> RelayError.Code? in
      do {
        try await Self.send(kind, number: number, for: id, in: environment)
        return nil
      } catch {
        if error is CancellationError { return .cancelled }
        return (error as? RelayError)?.code ?? .update
      }
    }
    let pending = try await server.next()
    switch kind {
    case .response: layers.append((number, { $0[id]?.title = "o\(number)" }))
    case .updater: layers.append((number, { $0[id]?.title += "+\(number)" }))
    case .responseUpdater, .query: break
    }
    requests.append(Request(number: number, kind: kind, id: id, pending: pending, task: task))
    reached["\(min(requests.count, 4)) in flight", default: 0] += 1
  }

  private static func send(
    _ kind: Kind, number: Int, for id: String, in environment: RelayEnvironment
  ) async throws {
    let mutation = TitleMutation(id: id, title: "s\(number)")
    switch kind {
    case .response:
      try await environment.commit(
        mutation,
        optimisticResponse: .init(updateTask: .init(task: .init(id: id, title: "o\(number)"))))
    case .updater:
      try await environment.commit(
        mutation, optimisticUpdater: { try Self.append("+\(number)", to: id, in: $0) })
    case .responseUpdater:
      try await environment.commit(mutation) { store in
        let task = try store[DataID(id)]
        let estimate = try task?.getValue("estimate")?.number?.double ?? 0
        try task?.setValue(estimate + 1, for: "estimate")
      }
    case .query:
      // With its own context the request is not shared.
      try await environment.fetch(TitleQuery(id: id), context: RequestContext())
    }
  }

  private static func append(_ text: String, to id: String, in store: RecordSourceProxy) throws {
    let task = try store[DataID(id)]
    try task?.setValue((task?.getValue("title")?.string ?? "") + text, for: "title")
  }

  // MARK: Ending

  private mutating func end(_ request: Request) async throws {
    layers.removeAll { $0.number == request.number }
    switch Int.random(in: 0..<6, using: &random) {
    case 0:
      request.pending.reject(RelayError(.transport, "no network"))
      try await expect(.transport, request)
    case 1:
      request.pending.resolve(data: nil, errors: [["message": "no"]])
      try await expect(.graphQL, request)
    case 2:
      request.task.cancel()
      try await expect(.cancelled, request)
      // A response after the cancellation is not written.
      request.pending.resolve(data: response(to: request))
    default:
      request.pending.resolve(data: response(to: request))
      try await expect(nil, request)
      write(request)
    }
  }

  private mutating func expect(_ code: RelayError.Code?, _ request: Request) async throws {
    let actual = await request.task.value
    reached["ended with \(code.map { "\($0)" } ?? "data")", default: 0] += 1
    if actual != code {
      throw RelayError(
        .update, "ended with \(String(describing: actual)), not \(String(describing: code))")
    }
  }

  private func response(to request: Request) -> JSONValue {
    let title: JSONValue = .string("s\(request.number)")
    if request.kind == .query {
      return ["task": ["id": .string(request.id), "title": title, "estimate": 7]]
    }
    return ["updateTask": ["task": ["id": .string(request.id), "title": title]]]
  }

  /// Writes a response to the model's base.
  private mutating func write(_ request: Request) {
    if request.kind == .query {
      if newest[request.id, default: 0] > request.number {
        reached["outdated response", default: 0] += 1
        return
      }
      newest[request.id] = request.number
      base[request.id]?.estimate = 7
    }
    if !layers.isEmpty { reached["written under a layer", default: 0] += 1 }
    base[request.id]?.title = "s\(request.number)"
    if request.kind == .responseUpdater { base[request.id]?.estimate += 1 }
  }

  // MARK: Local changes

  private mutating func commitLocally() throws {
    lastNumber += 1
    let (id, text) = (Self.ids[Int.random(in: 0..<2, using: &random)], "c\(lastNumber)")
    try environment.commitUpdate { try $0[DataID(id)]?.setValue(text, for: "title") }
    base[id]?.title = text
  }

  private mutating func draft() throws {
    lastNumber += 1
    let (id, text) = (Self.ids[Int.random(in: 0..<2, using: &random)], "~\(lastNumber)")
    let update = try environment.applyUpdate { try Self.append(text, to: id, in: $0) }
    drafts.append((lastNumber, update))
    layers.append((lastNumber, { $0[id]?.title += text }))
    reached["drafts", default: 0] += 1
  }

  private mutating func revert(_ draft: (number: Int, update: OptimisticUpdate)) {
    draft.update.revert()
    layers.removeAll { $0.number == draft.number }
  }

  // MARK: Comparing

  /// Returns a difference between the store's visible data and the model's, or `nil`.
  private func difference() -> String? {
    let visible = layers.reduce(into: base) { $1.change(&$0) }
    for id in Self.ids {
      let task = environment.read(TitleQuery(id: id)).data?.task
      let shown = task.map { Fields(title: $0.title, estimate: $0.estimate ?? -1) }
      if shown != visible[id] {
        return "\(id) is \(String(describing: shown)), not \(String(describing: visible[id]))"
      }
    }
    return nil
  }
}
