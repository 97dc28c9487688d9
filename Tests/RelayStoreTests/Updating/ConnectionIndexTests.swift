import SeededRandom
import Testing

@testable import RelayStore

/// Random operations on a store with the connection index, and on one whose index is invalidated
/// before each step. Both must hold the same records: the index only reduces the cost of merging a
/// page to the size of the page instead of the list.
@Suite("The connection index", .timeLimit(.minutes(1)))
struct ConnectionIndexTests {
  private static let me = TestSelection("{ me { id } }", schema: FriendsList.schema).reader
  /// Partial selections of a connection: only its end cursor, or edges without nodes.
  private static let parts = ["pageInfo { endCursor }", "edges { cursor }"].map {
    TestSelection("fragment F on FriendsConnection { \($0) }", schema: FriendsList.schema).reader
  }
  private static let user = TestSelection(
    "query UserQuery($id: ID!) { user(id: $id) { id name } }", schema: FriendsList.schema)

  /// A random operation on a store.
  private enum Step {
    case first(list: Int, ids: [String])
    case next(list: Int, ids: [String])
    case previous(list: Int, ids: [String])
    case insert(list: Int, id: String, atEnd: Bool)
    case removeNode(list: Int, id: String)
    case removeEdge(list: Int, at: Int)
    case clear(list: Int)
    case linkEdge(list: Int, at: Int, to: String)
    case unlinkEdge(list: Int, at: Int)
    case deleteEdge(list: Int, at: Int)
    case nullEdge(list: Int)
    case repeatEdge(list: Int, at: Int)
    case delete(String)
    case restoreNode(String)
    case rename(String)
    case resetCounter(list: Int)
    case failingUpdate(list: Int, id: String)
    case applyPage(list: Int, ids: [String])
    case applyDeletion(String)
    case applyRemoval(list: Int, id: String)
    case revertOldest
    case collect
    case collectKeeping(plan: Int)
    case releaseOperations
    case reset
    case restoreDump
  }

  /// A store and the steps performed on it.
  private struct Run {
    var test = TestStore(releaseBufferSize: 0)
    /// Whether the connection index is invalidated before each step.
    let invalidates: Bool
    private var applied: [UInt64] = []
    private var lastApplied: UInt64 = 0
    private var retentions: [Retention] = []
    /// The number of pages merged while the index was not empty.
    private(set) var indexedPages = 0

    init(invalidates: Bool) { self.invalidates = invalidates }

    static func order(_ list: Int) -> JSONObject { ["orderBy": .string("o\(list)")] }

    private func cursor(_ field: String, of list: Int) -> JSONValue {
      FriendsList(test: test).info(field, Self.order(list)) ?? .null
    }

    /// Returns the ids of the nodes in the index of a list; `nil` if the list is not indexed.
    func indexedNodes(of list: Int) -> Set<String>? {
      test.store.withState { state in
        let id = DataID.connection("Feed_friends", of: "1", filters: Self.order(list))
        let edges = state.source.keys.intern("edges")
        guard let index = state.source.index(of: id),
          case .links(let links)? = state.source[base: index][edges],
          let known = state.source.observers.connectionEdges.removeList(of: index, edges: links)
        else { return nil }
        // The fast comparison needs both arrays to share one storage.
        let sharesStorage = known.edges.withUnsafeBufferPointer { known in
          links.withUnsafeBufferPointer { $0.baseAddress == known.baseAddress }
        }
        #expect(sharesStorage)
        state.source.observers.connectionEdges.setList(
          known, newEdges: [], of: index, nodeKey: state.source.keys.intern("node"))
        return Set(known.nodes.keys.compactMap { state.source.id(of: $0)?.rawValue })
      }
    }

    /// Returns the ids of a list's nodes as read.
    func nodes(_ list: Int) -> Set<String>? {
      FriendsList(test: test).nodes(Self.order(list)).map(Set.init)
    }

    private mutating func write(_ ids: [String], to list: Int, page: JSONObject = [:]) throws {
      var variables = Self.order(list)
      for member in page.members { variables[member.key] = member.value }
      if !page.members.isEmpty,
        test.store.withState({ !$0.source.observers.connectionEdges.isEmpty })
      {
        indexedPages += 1
      }
      try FriendsList(test: test).write(ids, variables)
      let plan = test.store.bind(FriendsList.written, variables: variables)
      let identity = RequestIdentity(
        documentHash: FriendsList.written.documentHash, variables: variables)
      retentions.append(test.store.retain(identity, plan, root: .root))
    }

    private func update(
      _ list: Int, _ body: @escaping @Sendable (ConnectionProxy, RecordSourceProxy) throws -> Void
    ) throws {
      try test.environment.commitUpdate { store in
        guard
          let connection = try store["1"]?.getConnection(
            "Feed_friends", filters: Self.order(list)),
          try store[connection.record.id] != nil
        else { return }
        try body(connection, store)
      }
    }

    private func updateEdges(
      _ list: Int, _ body: @escaping @Sendable (inout [RecordProxy?]) throws -> Void
    ) throws {
      try update(list) { connection, _ in
        var edges = try connection.record.getLinkedRecords("edges") ?? []
        if edges.isEmpty { return }
        try body(&edges)
        try connection.record.setLinkedRecords(edges, for: "edges")
      }
    }

    private func updateEdge(
      at position: Int, in list: Int,
      _ body: @escaping @Sendable (RecordProxy, RecordSourceProxy) throws -> Void
    ) throws {
      try update(list) { connection, store in
        let edges = try connection.record.getLinkedRecords("edges") ?? []
        if edges.isEmpty { return }
        if let edge = edges[position % edges.count] { try body(edge, store) }
      }
    }

    private static func user(_ id: String, _ store: RecordSourceProxy) throws -> RecordProxy {
      if let known = try store[DataID(id)] { return known }
      let new = try store.create(DataID(id), type: "User")
      try new.setValue(id, for: "id")
      return new
    }

    private mutating func apply(_ updater: @escaping StoreUpdater) throws {
      lastApplied += 1
      try test.store.publish([.apply(lastApplied, updater: updater)])
      applied.append(lastApplied)
    }

    mutating func perform(_ step: Step) throws {
      if invalidates {
        test.store.withState { $0.source.observers.connectionEdges.invalidateAll() }
      }
      switch step {
      case .first(let list, let ids): try write(ids, to: list)
      case .next(let list, let ids):
        try write(ids, to: list, page: ["first": 2, "after": cursor("endCursor", of: list)])
      case .previous(let list, let ids):
        try write(ids, to: list, page: ["last": 2, "before": cursor("startCursor", of: list)])
      case .applyPage(let list, let ids):
        var variables = Self.order(list)
        variables["after"] = cursor("endCursor", of: list)
        let reader = ResponseReader(
          plan: test.store.bind(FriendsList.written, variables: variables), root: .root,
          operationName: "TestQuery")
        let body: JSONValue = ["data": FriendsList.data(FriendsList.page(ids))]
        lastApplied += 1
        try test.store.publish([
          .apply(lastApplied, payload: try reader.response(body.jsonBytes).payload, root: .root)
        ])
        applied.append(lastApplied)
      case .applyDeletion(let id):
        try apply { store in if try store[DataID(id)] != nil { try store.delete(DataID(id)) } }
      case .applyRemoval(let list, let id):
        try apply { store in
          let user = try store["1"]
          try user?.getConnection("Feed_friends", filters: Self.order(list))?.deleteNode(DataID(id))
        }
      case .revertOldest:
        if !applied.isEmpty { test.store.revert(applied.removeFirst()) }
      case .collect: test.store.collectGarbage()
      case .collectKeeping(let plan):
        for retention in retentions { retention.release() }
        retentions = []
        let scope = VariableScope(operation: [:])
        var kept = [test.store.subscribe(.record(.root, ConnectionIndexTests.me, in: scope))]
        for list in 0..<2 {
          let id = DataID.connection("Feed_friends", of: "1", filters: Self.order(list))
          kept.append(
            test.store.subscribe(.record(id, ConnectionIndexTests.parts[plan], in: scope)))
        }
        test.store.collectGarbage()
        withExtendedLifetime(kept) {}
      case .releaseOperations:
        for retention in retentions { retention.release() }
        retentions = []
      case .reset:
        test.environment.reset()
        (applied, retentions) = ([], [])
      case .restoreDump:
        for id in applied { test.store.revert(id) }
        (applied, retentions) = ([], [])
        test = TestStore(
          try RecordStore(
            dump: test.store.dump(.base),
            configuration: .init(releaseBufferSize: 0, garbageCollection: .manual)))
      default: try edit(step)
      }
    }

    private func edit(_ step: Step) throws {
      switch step {
      case .insert(let list, let id, let atEnd):
        try update(list) { connection, store in
          let edge = try connection.createEdge(to: Self.user(id, store), type: "FriendsEdge")
          if atEnd {
            try connection.insertEdgeAfter(edge)
          } else {
            try connection.insertEdgeBefore(edge)
          }
        }
      case .removeNode(let list, let id):
        try update(list) { connection, _ in try connection.deleteNode(DataID(id)) }
      case .removeEdge(let list, let at): try updateEdges(list) { $0.remove(at: at % $0.count) }
      case .nullEdge(let list): try updateEdges(list) { $0.append(nil) }
      case .repeatEdge(let list, let at): try updateEdges(list) { $0.append($0[at % $0.count]) }
      case .clear(let list):
        try update(list) { connection, _ in
          try connection.record.setLinkedRecords([], for: "edges")
        }
      case .linkEdge(let list, let at, let id):
        try updateEdge(at: at, in: list) { try $0.setLinkedRecord(Self.user(id, $1), for: "node") }
      case .unlinkEdge(let list, let at):
        try updateEdge(at: at, in: list) { edge, _ in try edge.setLinkedRecord(nil, for: "node") }
      case .deleteEdge(let list, let at): try updateEdge(at: at, in: list) { try $1.delete($0.id) }
      case .resetCounter(let list):
        try update(list) { connection, _ in
          try connection.record.setValue(0, for: "__connection_next_edge_index")
        }
      case .delete(let id):
        try test.environment.commitUpdate { store in
          if try store[DataID(id)] != nil { try store.delete(DataID(id)) }
        }
      case .restoreNode(let id):
        try test.write(
          ConnectionIndexTests.user, ["user": ["id": .string(id), "name": "back"]],
          variables: ["id": .string(id)])
      case .rename(let id):
        try test.environment.commitUpdate { try $0[DataID(id)]?.setValue("renamed", for: "name") }
      case .failingUpdate(let list, let id):
        do {
          try update(list) { connection, store in
            let edges = try connection.record.getLinkedRecords("edges") ?? []
            for case let edge? in edges {
              try edge.setLinkedRecord(Self.user(id, store), for: "node")
            }
            try store.delete(DataID(id))
            throw CancellationError()
          }
        } catch is CancellationError {}
      default: break
      }
    }
  }

  /// Returns a random step; most are pages.
  private static func step(_ random: inout some RandomNumberGenerator) -> Step {
    func id() -> String { "u\(Int.random(in: 0..<14, using: &random))" }
    func ids() -> [String] {
      (0..<Int.random(in: 0..<5, using: &random)).map { _ in
        switch Int.random(in: 0..<20, using: &random) {
        case 0: "null"
        case 1: "none"
        default: id()
        }
      }
    }
    let list = Int.random(in: 0..<2, using: &random)
    let at = Int.random(in: 0..<6, using: &random)
    let atEnd = Bool.random(using: &random)
    switch Int.random(in: 0..<60, using: &random) {
    case 0, 1: return .first(list: list, ids: ids())
    case 2...16: return .next(list: list, ids: ids())
    case 17...26: return .previous(list: list, ids: ids())
    case 27, 28: return .insert(list: list, id: id(), atEnd: atEnd)
    case 29, 30: return .removeNode(list: list, id: id())
    case 31: return .removeEdge(list: list, at: at)
    case 32: return .clear(list: list)
    case 33, 34: return .linkEdge(list: list, at: at, to: id())
    case 35: return .unlinkEdge(list: list, at: at)
    case 36: return .deleteEdge(list: list, at: at)
    case 37: return .nullEdge(list: list)
    case 38: return .repeatEdge(list: list, at: at)
    case 39...41: return .delete(id())
    case 42...43: return .restoreNode(id())
    case 44: return .rename(id())
    case 45: return .resetCounter(list: list)
    case 46, 47: return .failingUpdate(list: list, id: id())
    case 48, 49: return .applyPage(list: list, ids: ids())
    case 50: return .applyDeletion(id())
    case 51: return .applyRemoval(list: list, id: id())
    case 52...54: return .revertOldest
    case 55: return .collect
    case 56: return .collectKeeping(plan: at % 2)
    case 57: return .releaseOperations
    case 58: return Int.random(in: 0..<4, using: &random) == 0 ? .reset : .collect
    default: return Int.random(in: 0..<4, using: &random) == 0 ? .restoreDump : .revertOldest
    }
  }

  @Test("a node whose edge was collected is appended again by a page that contains it")
  func collectedEdges() throws {
    for invalidates in [false, true] {
      var run = Run(invalidates: invalidates)
      try run.perform(.first(list: 0, ids: ["u1", "u2"]))
      try run.perform(.next(list: 0, ids: ["u3"]))
      #expect(run.test.store.withState { !$0.source.observers.connectionEdges.isEmpty })
      try run.perform(.collectKeeping(plan: 0))
      try run.perform(.next(list: 0, ids: ["u1", "u4"]))
      let dump = try JSONValue(parsing: Array(run.test.store.dump(.base).utf8)).object
      let list = dump?[#"client:1:__Feed_friends_connection(orderBy:"o0")"#]?.object
      #expect(list?["edges"]?.object?["__refs"]?.array?.count == 5)
    }
  }

  @Test("edits and overlapping pages keep the index of a list up to date")
  func indexedLists() throws {
    var run = Run(invalidates: false)
    func expect(_ count: Int, _ place: SourceLocation = #_sourceLocation) throws {
      let nodes = run.indexedNodes(of: 0)
      #expect(nodes?.count == count && nodes == run.nodes(0), sourceLocation: place)
    }
    try run.perform(.first(list: 0, ids: ["u3", "u4"]))
    try run.perform(.next(list: 0, ids: ["u5"]))
    try expect(3)
    try run.perform(.previous(list: 0, ids: ["u1", "u2", "u3", "u5"]))
    try expect(5)
    try run.perform(.insert(list: 0, id: "u6", atEnd: true))
    try expect(6)
    try run.perform(.insert(list: 0, id: "u6", atEnd: false))
    try run.perform(.insert(list: 0, id: "u7", atEnd: false))
    try expect(7)
    try run.perform(.removeNode(list: 0, id: "u1"))
    try run.perform(.removeNode(list: 0, id: "u9"))
    try expect(6)
    try run.perform(.linkEdge(list: 0, at: 5, to: "u8"))
    #expect(run.indexedNodes(of: 0) == nil)
  }

  @Test("the edge to a node that was deleted before its list was indexed can be removed")
  func deletedNodes() throws {
    for invalidates in [false, true] {
      var run = Run(invalidates: invalidates)
      try run.perform(.first(list: 0, ids: ["u1", "u2"]))
      try run.perform(.delete("u2"))
      try run.perform(.next(list: 0, ids: ["u3"]))
      #expect(run.nodes(0) == ["u1", "null", "u3"])
      try run.perform(.removeNode(list: 0, id: "u2"))
      #expect(run.nodes(0) == ["u1", "u3"])
    }
  }

  @Test("a store with the index holds the same records as one that reads every edge")
  func agreement() throws {
    var indexedPages = 0
    var pages = 0
    for seed in 0..<40 as Range<UInt64> {
      var random = SeededGenerator(seed: seed)
      var (indexed, unindexed) = (Run(invalidates: false), Run(invalidates: true))
      var done: [Step] = []
      for number in 1...48 {
        let step = Self.step(&random)
        done.append(step)
        try indexed.perform(step)
        try unindexed.perform(step)
        if case .next = step { pages += 1 }
        let isSame =
          number % 12 != 0
          || indexed.test.store.dump(.base) == unindexed.test.store.dump(.base)
            && indexed.test.store.dump() == unindexed.test.store.dump()
        guard isSame else {
          Issue.record("seed \(seed), after \(done.suffix(8)): the stores differ")
          return
        }
      }
      indexedPages += indexed.indexedPages
      #expect(unindexed.indexedPages == 0)
    }
    print(
      "Connection index: \(pages) next pages; \(indexedPages) pages merged with an index."
    )
    #expect(indexedPages > 250)
  }
}
