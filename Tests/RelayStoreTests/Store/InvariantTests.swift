#if DEBUG || RELAYSTORE_CHECK_INVARIANTS
  import RelayStoreTesting
  import Testing

  @testable import InvariantChecks
  @testable import RelayStore

  /// Corrupts each structure by hand, one field at a time, and expects its check to name the
  /// violation.
  @Suite("Invariants of the store's structures", .timeLimit(.minutes(1)))
  struct InvariantTests {
    /// A store with two retained queries, observers and an optimistic update.
    private func state() throws -> StoreState {
      var state = StoreState(.init(releaseBufferSize: 2))
      let plan = TestSelection("{ users { id name best { id } } }").normalization
      let bound = state.bind(plan, in: VariableScope(operation: [:]), isRoot: true)
      let data: JSONValue = [
        "users": [
          ["id": "1", "name": "Ada", "best": ["id": "2"]],
          ["id": "2", "name": "Bob", "best": nil],
          ["id": "3", "name": "Cleo", "best": ["id": "1"]],
        ]
      ]
      let payload = try ResponseReader(plan: bound, root: .root, operationName: "Users")
        .data(data.jsonBytes)
      let operation = WrittenOperation(
        RequestIdentity(name: "Users", documentHash: plan.documentHash, variables: [:]), bound,
        root: .root)
      _ = state.publish([.commit(payload, root: .root, updater: nil)], of: operation)
      let user = TestSelection("fragment F on User { name best { id } }").reader
      for id in ["1", "2", "3"] {
        _ = state.observe(
          .record(
            DataID(id), user, in: VariableScope(operation: [:])), ObserverCallback { _ in })
      }
      _ = state.publish([
        .apply(.init(id: 1, updater: { try $0["1"]?.setValue("Eve", for: "name") }))
      ])
      return state
    }

    private func index(_ id: DataID, in state: StoreState) throws -> RecordIndex {
      try #require(state.source.index(of: id))
    }

    @Test("every check passes for an intact store")
    func whole() throws {
      let store = RecordStore()
      #expect(store.checkInvariants() == nil)
      let state = try state()
      #expect(state.source.checkInvariants() == nil)
      #expect(state.observers.checkInvariants() == nil)
      #expect(state.retention.checkInvariants() == nil)
    }

    // MARK: The record table

    private func violation(_ mutate: (inout RecordTable, RecordIndex) -> Void) throws -> String? {
      let state = try state()
      var table = state.source.base
      mutate(&table, try index("1", in: state))
      return table.checkInvariants()
    }

    @Test("the record table counts its indexes, and each index has one state")
    func recordTableIndexes() throws {
      #expect(try violation { table, _ in table.count += 1 }?.contains("count is") == true)
      #expect(
        try violation { table, index in table.free.append(index) }?.contains("in use, free") == true
      )
      #expect(
        try violation { table, index in table.records[index.position] = nil }?
          .contains("[false, false, false]") == true)
      #expect(
        try violation { table, index in
          let position = table.indexBound
          table.free = [RecordIndex(position), RecordIndex(position)]
        }?.contains("free twice") == true)
      #expect(
        try violation { table, _ in table.free = [RecordIndex(table.indexBound)] }?
          .contains("is beyond") == true)
      #expect(
        try violation { table, _ in table.records.words.history.tombstones.count += 1 }?
          .contains("number of tombstones") == true)
      #expect(
        try violation { table, _ in table.records.words.history.tombstones.byteCount += 1 }?
          .contains("bytes are used") == true)
    }

    @Test("the record table's buckets lead to each index once, by its hash")
    func recordTableBuckets() throws {
      func bucket(_ table: RecordTable, of index: RecordIndex) -> Int {
        (0..<table.ids.count).first {
          table.ids[$0] != 0 && IDTable.index(of: table.ids[$0]) == index
        } ?? 0
      }
      #expect(
        try violation { table, index in table.ids[bucket(table, of: index)] ^= 1 << 40 }?
          .contains("another hash") == true)
      #expect(
        try violation { table, index in table.ids[bucket(table, of: index)] = 0 }?
          .contains("probing does not find") == true)
      #expect(
        try violation { table, index in
          let empty = (0..<table.ids.count).first { table.ids[$0] == 0 } ?? 0
          table.ids[empty] = table.ids[bucket(table, of: index)]
        }?.contains("two buckets lead") == true)
      #expect(
        try violation { table, _ in
          let empty = (0..<table.ids.count).first { table.ids[$0] == 0 } ?? 0
          table.ids[empty] = UInt64(table.indexBound + 8)
        }?.contains("the unused index") == true)
      #expect(
        try violation { table, _ in table.ids.resize(to: 24) { _ in true } }?.contains(
          "power of two") == true)
      #expect(
        try violation { table, _ in
          while table.count & (table.count + 1) != 0 {
            DataID("new \(table.count)").withBytes { id in
              _ = table.insert(.unknown(id: id), hash: RecordTable.hash(id))
            }
          }
          table.ids.resize(to: table.count + 1) { _ in true }
        }?.contains("are occupied") == true)
    }

    // MARK: Observers, retention, layers

    @Test("the observer table links seen records to their observers, and counts both")
    func observerTable() throws {
      func violation(_ mutate: (inout ObserverTable, RecordIndex) -> Void) throws -> String? {
        let state = try state()
        var table = state.observers
        mutate(&table, try index("1", in: state))
        return table.checkInvariants()
      }
      #expect(try violation { table, _ in table.count += 1 }?.contains("count is") == true)
      #expect(try violation { table, _ in table.free = [0] }?.contains("free list") == true)
      #expect(try violation { table, _ in table.lastOrdinal = 0 }?.contains("is newer") == true)
      #expect(
        try violation { table, index in table.heads[index.position] = ObserverTable.noLink }?
          .contains("records have") == true)
      #expect(
        try violation { table, index in
          let head = Int(table.heads[index.position])
          let link = table.links[head]
          table.links[head] = .init(slot: link.slot, ordinal: link.ordinal, next: UInt32(head))
        }?.contains("in a circle") == true)
      #expect(
        try violation { table, index in
          let head = Int(table.heads[index.position])
          let link = table.links[head]
          table.links[head] = .init(slot: link.slot, ordinal: 99, next: link.next)
        }?.contains("estimate of stale links") == true)
      #expect(
        try violation { table, index in
          let head = Int(table.heads[index.position])
          let link = table.links[head]
          table.links[head] = .init(slot: link.slot, ordinal: 99, next: link.next)
          table.staleCount += 1
        }?.contains("does not lead to observer") == true)
    }

    @Test("the retention table's buffer has exactly the released operations")
    func retentionTable() throws {
      let table = try state().retention
      let identity = try #require(table.buffer.first)
      func violation(_ mutate: (inout RetentionTable) -> Void) -> String? {
        var table = table
        mutate(&table)
        return table.checkInvariants()
      }
      #expect(violation { $0.entries[identity]?.count = -1 }?.contains("retain count -1") == true)
      #expect(
        violation { $0.entries[identity]?.count = 1 }?.contains("released ones are 0") == true)
      #expect(violation { $0.buffer = [] }?.contains("has 0 operations") == true)
      #expect(violation { $0.buffer += [identity] }?.contains("has 2 operations") == true)
      #expect(
        violation { $0.buffer += [identity, identity] }?.contains("3 operations, of 2") == true)
    }

    @Test("the layers have an id for every index that they name")
    func layeredSource() throws {
      func violation(_ mutate: (inout LayeredSource, RecordIndex) -> Void) throws -> String? {
        let state = try state()
        var source = state.source
        mutate(&source, try index("1", in: state))
        return source.checkInvariants()
      }
      let nowhere = RecordIndex(10_000)
      #expect(
        try violation { source, index in source.overlay[nowhere] = source.overlay[index] }?
          .contains("is overlaid at") == true)
      #expect(
        try violation { source, _ in source.observers.clientWritten.fields[nowhere] = [] }?
          .contains("was written by an updater") == true)
      #expect(
        try violation { source, _ in source.registeredTypes.insert(ByteString("Ghost")) }?
          .contains("\"Ghost\" has no type schema record") == true)
      #expect(
        try violation { source, index in source.changedInBase.insert(index) }?
          .contains("not drained") == true)
      #expect(
        try violation { source, index in source.base.drop(RecordIndex(index.position + 1)) }?
          .contains("without an id") == true)
      #expect(
        try violation { source, _ in source.base.count += 1 }?.contains("RecordTable") == true)
    }

    // MARK: The connection index

    @Test("the connection index agrees with the base, and watches its dependencies")
    func connectionEdgeIndex() throws {
      var state = StoreState(.init())
      let plan = TestSelection(
        "{ edges { id node { id } } }",
        schema: """
          type Query { edges: [Edge] }
          type Edge { id: ID! node: User }
          type User { id: ID! }
          """
      ).normalization
      let data: JSONValue = [
        "edges": [
          ["id": "e1", "node": ["id": "n1"]], ["id": "e2", "node": ["id": "n2"]],
        ]
      ]
      let payload = try ResponseReader(
        plan: state.bind(plan, in: VariableScope(operation: [:]), isRoot: true), root: .root,
        operationName: "Edges"
      ).data(data.jsonBytes)
      _ = state.publish([.commit(payload, root: .root, updater: nil)])
      let index = { try self.index($0, in: state) }
      let (e1, e2, n1, n2) = try (index("e1"), index("e2"), index("n1"), index("n2"))
      var list = ConnectionEdgeIndex.List()
      list.append(e1, to: n1)
      list.append(e2, to: n2)
      let connection = try index("client:root")
      var edges = ConnectionEdgeIndex()
      edges.setList(
        list, newEdges: [e1, e2], of: connection,
        nodeKey: try #require(state.source.keys.key(of: "node")))
      func violation(_ mutate: (inout ConnectionEdgeIndex) -> Void) -> String? {
        var edges = edges
        mutate(&edges)
        return edges.checkInvariants(in: state.source.base)
      }
      #expect(violation { _ in } == nil)
      #expect(
        violation { $0.lists[connection]?.edges = [e1, e2, e1] }?.contains("an edge twice") == true)
      #expect(
        violation { $0.lists[connection]?.edges.append(.none) }?.contains("a null edge") == true)
      #expect(
        violation { $0.lists[connection]?.nodes[n2] = e1 }?.contains("two nodes for one") == true)
      #expect(
        violation { $0.lists[connection]?.edges = [e1] }?.contains("has no edge") == true)
      #expect(
        violation { $0.lists[connection]?.nodes = [n1: e2, n2: e1] }?
          .contains("does not link to node") == true)
      #expect(violation { $0.watched = RecordSet() }?.contains("is not watched") == true)
    }

    // MARK: Garbage collection

    @Test("a garbage collection keeps the tricolor invariant and the indexes of linked records")
    func garbageCollectionRun() throws {
      var state = try state()
      let root = try #require(state.retention.roots.first)
      func run(_ steps: Int, _ mutate: (inout GarbageCollectionRun) -> Void) throws -> String? {
        var (run, source) = (GarbageCollectionRun(), state.source)
        run.add(root.record, root.plan)
        for _ in 0..<steps { _ = run.step(1, on: &source) }
        mutate(&run)
        return run.checkInvariants(in: source)
      }
      for steps in 0..<40 { #expect(try run(steps) { _ in } == nil) }
      #expect(try run(1) { $0.worklist = [] }?.contains("a white record") == true)
      #expect(try run(2) { $0.marked = RecordSet() }?.contains("is not marked") == true)
      let isKept = try run(40) { run in
        run.phase = .sweep(0)
        run.linked = RecordSet()
      }
      #expect(isKept?.contains("may be dropped") == true)
      _ = state.collectGarbage()
      #expect(state.source.checkInvariants() == nil)
    }
  }
#endif
