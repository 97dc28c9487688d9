import RelayStore
import SeededRandom
import Testing

/// Random pages, edits and deletions of one list, committed and optimistic, compared with an array.
@Suite("Connections against a model", .timeLimit(.minutes(1)))
struct ConnectionModelTests {
  private enum Change {
    case page(ids: [String], after: String?, before: String?)
    case insert(id: String, atEnd: Bool, nextTo: String?)
    case remove(id: String)
    case delete(id: String)
  }

  /// The expected state of a list.
  private struct Model: Equatable {
    /// The node of each edge; `nil` for an edge without a node.
    var nodes: [String?]?
    var deleted: Set<String> = []
    var start: String?
    var end: String?

    /// The nodes that a read shows.
    var visibleNodes: [String]? {
      nodes?.map { id in id.flatMap { deleted.contains($0) ? nil : $0 } ?? "null" }
    }

    mutating func apply(_ change: Change) {
      switch change {
      case .page(let ids, let after, let before):
        deleted.subtract(ids)
        addPage(ids, after: after, before: before)
      case .insert(let id, let atEnd, let other):
        guard var list = nodes else { return }
        deleted.remove(id)
        if list.contains(id) { return }
        let position = other.flatMap { other in list.firstIndex { ($0 ?? "none") == other } }
        list.insert(id, at: atEnd ? position.map { $0 + 1 } ?? list.count : position ?? 0)
        nodes = list
      case .remove(let id): nodes?.removeAll { $0 == id }
      case .delete(let id): deleted.insert(id)
      }
    }

    private mutating func addPage(_ ids: [String], after: String?, before: String?) {
      var ends = ids.filter { $0 != "none" }.map { "c" + $0 }
      let page = ids.map { $0 == "none" ? nil : $0 }
      guard let known = nodes, after != nil || before != nil else {
        (nodes, start, end) = (Self.unique(page), ends.first, ends.last)
        return
      }
      // In this case the page info has no cursor, but the edges have one.
      if ends.isEmpty, !ids.isEmpty { ends = ["cnone"] }
      if let after {
        guard end == after || ends.last != nil && ends.last == end else { return }
        nodes = Self.unique(known + page)
        end = ends.last ?? end
      } else {
        guard start == before else { return }
        nodes = Self.unique(page + known)
        start = ends.first ?? start
      }
    }

    private static func unique(_ list: [String?]) -> [String?] {
      var seen: Set<String> = []
      return list.filter { id in id.map { seen.insert($0).inserted } ?? true }
    }
  }

  /// A store and its model.
  private struct Run {
    let list = FriendsList(test: TestStore(releaseBufferSize: 0))
    var base = Model()
    var applied: [(number: UInt64, change: Change)] = []
    private var last: UInt64 = 0
    private let kept: SnapshotSubscription

    init() {
      kept = list.test.store.subscribe(
        .record(.root, FriendsList.read, in: VariableScope(operation: [:])))
    }

    var model: Model {
      var model = base
      for (_, change) in applied { model.apply(change) }
      return model
    }

    private static func variables(_ after: String?, _ before: String?) -> JSONObject {
      var variables: JSONObject = [:]
      if let after { variables["after"] = .string(after) }
      if let before { variables["before"] = .string(before) }
      return variables
    }

    private static func update(_ change: Change) -> StoreUpdater {
      { store in
        func connection() throws -> ConnectionProxy? {
          try store["1"]?.getConnection("Feed_friends")
        }
        switch change {
        case .page: break
        case .insert(let id, let atEnd, let other):
          guard let connection = try connection() else { return }
          var node = try store[DataID(id)]
          if node == nil {
            node = try store.create(DataID(id), type: "User")
            try node?.setValue(id, for: "id")
          }
          guard let node else { return }
          let edge = try connection.createEdge(to: node, type: "FriendsEdge", cursor: "c" + id)
          let cursor = other.map { "c" + $0 }
          if atEnd {
            try connection.insertEdgeAfter(edge, cursor: cursor)
          } else {
            try connection.insertEdgeBefore(edge, cursor: cursor)
          }
        case .remove(let id): try connection()?.deleteNode(DataID(id))
        case .delete(let id):
          if try store[DataID(id)] != nil { try store.delete(DataID(id)) }
        }
      }
    }

    private static let append = mutation(
      "edge @appendEdge(connections: $connections) { cursor node { id name } }")
    private static let prepend = mutation(
      "edge @prependEdge(connections: $connections) { cursor node { id name } }")
    private static let delete = mutation("id @deleteEdge(connections: $connections)")

    private static func mutation(_ field: String) -> TestSelection {
      TestSelection(
        "mutation Change($connections: [ID!]!) { \(field) }", schema: FriendsList.schema)
    }

    /// Commits a change to the model and the store.
    ///
    /// - Parameter isByMutation: Whether to make the change with a mutation's directives if
    ///   possible, instead of with an updater.
    mutating func commit(_ change: Change, isByMutation: Bool) throws {
      base.apply(change)
      func write(_ mutation: TestSelection, _ data: JSONValue) throws {
        let connections: JSONValue = [.string(FriendsList.id.rawValue)]
        try list.test.write(mutation, data, variables: ["connections": connections])
      }
      switch change {
      case .page(let ids, let after, let before):
        try list.write(ids, Self.variables(after, before))
      case .insert(let id, let atEnd, nil) where isByMutation:
        let node: JSONValue = ["id": .string(id), "name": "new"]
        try write(
          atEnd ? Self.append : Self.prepend,
          ["edge": ["cursor": .string("c" + id), "node": node]])
      case .remove(let id) where isByMutation:
        try write(Self.delete, ["id": .string(id)])
      default: try list.test.environment.commitUpdate(Self.update(change))
      }
    }

    mutating func applyOptimistically(_ change: Change) throws {
      last += 1
      applied.append((last, change))
      guard case .page(let ids, let after, let before) = change else {
        return try list.test.store.publish([.apply(last, updater: Self.update(change))])
      }
      let reader = ResponseReader(
        plan: list.test.store.bind(FriendsList.written, variables: Self.variables(after, before)),
        root: .root, operationName: "TestQuery")
      let body: JSONValue = ["data": FriendsList.data(FriendsList.page(ids))]
      try list.test.store.publish([
        .apply(last, payload: try reader.response(body.jsonBytes).payload, root: .root)
      ])
    }

    mutating func revert(_ position: Int) {
      list.test.store.revert(applied.remove(at: position).number)
    }

    mutating func reset() {
      list.test.environment.reset()
      (base, applied) = (Model(), [])
    }

    /// A description of the difference between list and model; `nil` if they agree.
    var difference: String? {
      let model = model
      if list.nodes != model.visibleNodes {
        return
          "\(list.nodes.map { "\($0)" } ?? "none"), not \(model.visibleNodes.map { "\($0)" } ?? "none")"
      }
      if model.nodes != nil,
        list.info("endCursor")?.string != model.end
          || list.info("startCursor")?.string != model.start
      {
        return "the ends differ"
      }
      return nil
    }
  }

  private static func change(
    _ model: Model, _ random: inout some RandomNumberGenerator
  ) -> Change {
    func id() -> String { "u\(Int.random(in: 0..<12, using: &random))" }
    func ids() -> [String] {
      (0..<Int.random(in: 0..<5, using: &random)).map { _ in
        Int.random(in: 0..<16, using: &random) == 0 ? "none" : id()
      }
    }
    switch Int.random(in: 0..<20, using: &random) {
    case 0: return .page(ids: ids(), after: nil, before: nil)
    case 1...5 where model.end != nil: return .page(ids: ids(), after: model.end, before: nil)
    case 6...9 where model.start != nil: return .page(ids: ids(), after: nil, before: model.start)
    case 10...14:
      return .insert(
        id: id(), atEnd: Bool.random(using: &random),
        nextTo: Bool.random(using: &random) ? id() : nil)
    case 15...17: return .remove(id: id())
    default: return .delete(id: id())
    }
  }

  @Test("after any changes, a list reads as the array to which the same changes were made")
  func agreement() throws {
    var (longest, deleted, layers) = (0, 0, 0)
    for seed in 0..<40 as Range<UInt64> {
      var random = SeededGenerator(seed: seed)
      var run = Run()
      var done: [String] = []
      for _ in 0..<60 {
        let change = Self.change(run.model, &random)
        switch Int.random(in: 0..<40, using: &random) {
        case 0...23:
          done.append("commit \(change)")
          try run.commit(change, isByMutation: Bool.random(using: &random))
        case 24...30:
          done.append("apply \(change)")
          try run.applyOptimistically(change)
        case 31...36 where !run.applied.isEmpty:
          let position = run.applied.indices.randomElement(using: &random) ?? 0
          done.append("revert \(run.applied[position].number)")
          run.revert(position)
        case 37 where Int.random(in: 0..<6, using: &random) == 0:
          done.append("reset")
          run.reset()
        default:
          done.append("collect")
          run.list.test.store.collectGarbage()
        }
        if let difference = run.difference {
          Issue.record("seed \(seed), after \(done.suffix(10)): \(difference)")
          return
        }
        longest = max(longest, run.model.nodes?.count ?? 0)
        deleted += run.model.visibleNodes?.contains("null") == true ? 1 : 0
        layers = max(layers, run.applied.count)
      }
    }
    print(
      "Connections against a model: up to \(longest) edges and \(layers) layers; \(deleted) states with deleted nodes."
    )
    #expect(longest > 8 && layers > 3 && deleted > 100)
  }
}
