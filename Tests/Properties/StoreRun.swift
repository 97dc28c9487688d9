@testable import RelayStore

/// Performs operations on a store and on the model, and compares the two after each.
final class StoreRun {
  struct Watch {
    let ids: [String]
    let selection: ModelSelection
    /// Whether several records are observed as one list.
    let isPlural: Bool
    /// The snapshot that was delivered last, according to the model.
    var known: ModelSnapshot
    let observation: ObservationHandle
    let calls: Locked<[ModelSnapshot]>

    func read(from records: Model.Records) -> ModelSnapshot {
      isPlural
        ? ModelReader.read(all: ids, selection, from: records)
        : ModelReader.read(ids[0], selection, from: records)
    }
  }

  private static let bufferSize = 2
  let store: RecordStore
  var model = Model()
  private var numbers: [Int: UInt64] = [:]
  private(set) var watches: [Int: Watch] = [:]
  /// Responses in flight, for the model and normalized for the store.
  private var sent: [Int: (model: Model.Payload, store: RecordPayload)] = [:]
  private(set) var retained: [Int: (shape: Int, retention: Retention)] = [:]
  /// The operations in the release buffer, the oldest first.
  private(set) var buffered: [Int] = []
  private(set) var holds: [Int: Retention] = [:]
  /// The loads that have not ended.
  var loads: [Int: (shape: Int, policy: FetchPolicy, load: QueryLoad)] = [:]
  /// The coverage: the number of times that each state of interest was reached.
  private(set) var reached: [String: Int] = [:]

  init() {
    store = RecordStore(
      configuration: .init(releaseBufferSize: Self.bufferSize, garbageCollection: .manual))
  }

  /// Performs one operation.
  ///
  /// - Parameter comparesRecords: Whether to compare all records, and not only deliveries.
  /// - Returns: A description of the difference between store and model, or `nil`.
  func run(_ operation: StoreOperation, comparesRecords: Bool) throws -> String? {
    if let problem = try change(operation) { return problem }
    return compareObservers() ?? compareLoads() ?? (comparesRecords ? compareRecords() : nil)
      ?? violatedInvariant
  }

  /// The first invariant of the store's structures that does not hold.
  private var violatedInvariant: String? {
    #if DEBUG || RELAYSTORE_CHECK_INVARIANTS
      return store.checkInvariants()
    #else
      return nil
    #endif
  }

  func reach(_ state: String, if holds: Bool = true) {
    if holds { reached[state, default: 0] += 1 }
  }

  // MARK: Changes

  private func change(_ operation: StoreOperation) throws -> String? {
    switch operation {
    case .commit(let payload, let steps): return try commit(payload, steps)
    case .apply(let number, let payload, let steps):
      return try apply(number, payload: payload, steps: steps)
    case .replace(let number, let steps): return replace(number, steps)
    case .revert(let number):
      reach(
        // The oldest of several updates.
        "revert under a newer update",
        if: model.layers.first?.number == number && model.layers.count > 1)
      if let number = numbers[number] {
        model.freshness.begin()
        store.revert(number)
      }
      model.revert(number)
    case .commitMutation(let number, let payload, let steps):
      return try commitMutation(number, payload: payload, steps: steps)
    case .repeated(let payload): return try commitTwice(payload)
    case .observe(let number, let fragment, let id):
      observe(number, Shapes.fragments[fragment], id: id)
    case .observeOperation(let number, let shape):
      observe(number, Shapes.operations[shape], id: "client:root")
    case .observeAll(let number, let fragment, let ids):
      observe(number, Shapes.fragments[fragment], all: ids)
    case .cancel(let number): watches.removeValue(forKey: number)?.observation.cancel()
    case .retain(let number, let shape): retain(number, shape)
    case .release(let number): release(number)
    case .collect: return collect(isWhole: true) { _ = store.collectGarbage() }
    case .collectSlice(let records):
      reach("slice of a collection", if: store.garbageCollector.isPending)
      return collect(isWhole: false) { store.garbageCollector.step(records: records) }
    case .hold(let number): holds[number] = store.garbageCollector.hold()
    case .endHold(let number): holds.removeValue(forKey: number)?.release()
    case .restore: return try restore()
    case .check(let shape): return check(shape)
    case .load(let number, let shape, let policy):
      return load(number, shape: shape, policy: policy)
    case .endLoad(let number): endLoad(number)
    case .send(let number, let payload): sent[number] = (payload, try normalize(payload))
    case .arrive(let number):
      guard let payload = sent.removeValue(forKey: number) else { return nil }
      reach("response out of order", if: sent.keys.contains { $0 < number })
      return try commit(payload.model, [], normalized: payload.store)
    case .batch(let operations):
      var problem: String?
      try store.batch {
        for operation in operations where problem == nil { problem = try change(operation) }
      }
      reach("batch")
      return problem
    }
    return nil
  }

  private func commit(
    _ payload: Model.Payload?, _ steps: [UpdateStep], normalized: RecordPayload? = nil
  ) throws -> String? {
    let (before, conflicts) = (model.base, model.conflicts)
    model.freshness.begin()
    let succeeds = model.commit(payload, steps)
    reach("commit that throws", if: !succeeds)
    reach("commit that changes nothing", if: model.base == before)
    reach("commit under an update", if: !model.layers.isEmpty)
    reach(
      "type replaced",
      if: before.contains { id, record in
        guard let old = record, let new = model.base[id] ?? nil else { return false }
        return old.typeName != new.typeName
      })
    reach("write during a collection", if: store.garbageCollector.isPending && model.base != before)
    reach("merge conflict", if: model.conflicts > conflicts)
    if let payload { recordWrite(of: payload.shape) }
    let change = RecordStore.Change.commit(
      try normalized ?? payload.map(normalize), updater: updater(steps))
    return agreement(on: succeeds) {
      try store.publish([change], of: payload.map { operation($0.shape) })
    }
  }

  /// Commits the response of a mutation, and reverts its optimistic update.
  private func commitMutation(_ number: Int, payload: Model.Payload, steps: [UpdateStep]) throws
    -> String?
  {
    guard let real = numbers[number] else { return nil }
    reach("response in place of its update")
    model.freshness.begin()
    model.revert(number)
    let succeeds = model.commit(payload, steps)
    recordWrite(of: payload.shape)
    let changes = [
      RecordStore.Change.revert(real), .commit(try normalize(payload), updater: updater(steps)),
    ]
    return agreement(on: succeeds) {
      try store.publish(changes, of: operation(payload.shape))
    }
  }

  /// Commits a response twice; the second commit must change nothing and deliver nothing.
  private func commitTwice(_ payload: Model.Payload) throws -> String? {
    if let problem = try commit(payload, []) ?? compareObservers() { return problem }
    let dump = store.dump()
    if let problem = try commit(payload, []) { return problem }
    reach("the same response twice", if: !watches.isEmpty)
    if watches.values.contains(where: { !$0.calls.withLock(\.isEmpty) }) {
      return "The same response was told twice."
    }
    return store.dump() == dump
      ? nil : "The same response changed something the second time."
  }

  private func restore() throws -> String? {
    for layer in [RecordStore.Layer.base, .visible] {
      let dump = store.dump(layer)
      let restored = try RecordStore(dump: dump)
      if restored.dump(.base) != dump || restored.dump(.visible) != dump {
        return "A restored store has\n\(restored.dump())\nand not\n\(dump)"
      }
    }
    reach("restored")
    return nil
  }

  /// Ends the run: reverts every update, cancels every observer, ends every load and releases every
  /// retention. The visible records must equal the base without updates, and the store's statistics
  /// must be empty at the end.
  func finish() -> String? {
    let base = store.dump(.base)
    for number in model.layers.map(\.number) {
      if let real = numbers[number] { store.revert(real) }
      model.revert(number)
      if let problem = compareObservers() { return problem }
    }
    reach("all updates taken away")
    if store.dump(.visible) != base { return "Without updates there is something over the base." }
    for watch in watches.values { watch.observation.cancel() }
    for number in Array(loads.keys) { endLoad(number) }
    for retention in retained.values { retention.retention.release() }
    return store.statistics.isEmpty ? nil : "Something is left: \(store.statistics)"
  }

  private func operation(_ shape: Int) -> WrittenOperation {
    let plan = Shapes.operations[shape].stored
    return WrittenOperation(
      RequestIdentity(plan, variables: [:]), store.bind(plan, variables: [:]), root: .root)
  }

  /// Models the write of an operation. An operation that is not retained enters the release buffer
  /// if there is room.
  private func recordWrite(of shape: Int) {
    if !retained.values.contains(where: { $0.shape == shape }), !buffered.contains(shape) {
      guard buffered.count < Self.bufferSize else { return }
      buffered.append(shape)
    }
    model.freshness.operations[shape] = model.freshness.epoch
  }

  private func check(_ shape: Int) -> String? {
    let expected = model.freshness.check(shape, in: model.visible)
    let found =
      switch store.check(operation(shape)) {
      case .available: "available"
      case .stale: "stale"
      case .missing: "missing"
      }
    reach("check says \(expected)")
    return found == expected ? nil : "Operation \(shape) is \(found) and not \(expected)."
  }

  private func apply(_ number: Int, payload: Model.Payload?, steps: [UpdateStep]) throws
    -> String?
  {
    model.freshness.begin()
    let succeeds = model.apply(.init(number: number, payload: payload, steps: steps))
    let real = store.makeID()
    numbers[number] = real
    let change = RecordStore.Change.apply(
      real, payload: try payload.map(normalize), updater: updater(steps))
    return agreement(on: succeeds) { try store.publish([change]) }
  }

  private func replace(_ number: Int, _ steps: [UpdateStep]) -> String? {
    model.freshness.begin()
    var succeeds = model.layers.contains { $0.number == number }
    if succeeds {
      reach("replace")
      model.revert(number)
      succeeds = model.apply(.init(number: number, payload: nil, steps: steps))
    }
    let update = OptimisticUpdate(store: store, id: numbers[number] ?? .max)
    return agreement(on: succeeds) { try update.replace(updater(steps)) }
  }

  private func agreement(on succeeds: Bool, _ body: () throws -> Void) -> String? {
    do {
      try body()
      return succeeds ? nil : "The store did what the model refuses."
    } catch {
      return succeeds ? "The store threw: \(error)" : nil
    }
  }

  private func normalize(_ payload: Model.Payload) throws -> RecordPayload {
    let errors = payload.errors.map { path -> JSONValue in
      let steps = path.map { Int($0).map { .number(JSONNumber($0)) } ?? JSONValue.string($0) }
      return ["message": "no", "path": .array(steps)]
    }
    let body: JSONValue = ["data": payload.data, "errors": .array(errors)]
    let reader = ResponseReader(
      plan: store.bind(Shapes.operations[payload.shape].stored, variables: [:]), root: .root,
      operationName: "Query")
    return try reader.response(body.jsonBytes).payload ?? RecordPayload()
  }

  private func updater(_ steps: [UpdateStep]) -> StoreUpdater {
    { store in for step in steps { try step.run(on: store) } }
  }

  // MARK: Observing

  private func observe(_ number: Int, _ shape: Shape, id: String) {
    let calls = Locked<[ModelSnapshot]>([])
    let scope = VariableScope(operation: [:])
    let observation = store.observe(DataID(id), shape.plan, in: scope) { snapshot in
      calls.withLock { $0.append(ModelSnapshot(snapshot)) }
    }
    let known = ModelReader.read(id, shape.selection, from: model.visible)
    watches[number] = Watch(
      ids: [id], selection: shape.selection, isPlural: false, known: known,
      observation: observation, calls: calls)
  }

  private func observe(_ number: Int, _ shape: Shape, all ids: [String]) {
    let calls = Locked<[ModelSnapshot]>([])
    let scope = VariableScope(operation: [:])
    let parts = ids.map { StoreState.PluralPart.record(DataID($0), scope) }
    let observation = store.observe(parts, shape.plan) { snapshot in
      calls.withLock { $0.append(ModelSnapshot(plural: snapshot)) }
    }
    let known = ModelReader.read(all: ids, shape.selection, from: model.visible)
    watches[number] = Watch(
      ids: ids, selection: shape.selection, isPlural: true, known: known,
      observation: observation, calls: calls)
  }

  private func compareObservers() -> String? {
    let visible = model.visible
    for (number, watch) in watches {
      let expected = watch.read(from: visible)
      let calls = watch.calls.withLock { calls in
        defer { calls = [] }
        return calls
      }
      if calls != (expected == watch.known ? [] : [expected]) {
        return "Observer \(number) was told \(calls), from \(watch.known) to \(expected)."
      }
      reach("delivery", if: !calls.isEmpty)
      reach("delivery of several as one", if: !calls.isEmpty && watch.isPlural)
      reach("deleted", if: expected.isDeleted)
      reach("missing data", if: !expected.missing.isEmpty)
      reach("element left out", if: expected.omitsElements && expected.data != nil)
      reach("field error", if: !expected.errors.isEmpty)
      watches[number]?.known = expected
    }
    return nil
  }

  // MARK: Comparing

  private func compareRecords() -> String? {
    for (layer, records) in [(RecordStore.Layer.base, model.base), (.visible, model.visible)] {
      let expected = records.dump(model.freshness.invalidated)
      guard let found = try? JSONValue(parsing: Array(store.dump(layer).utf8)), found == expected
      else { return "\(layer):\n\(store.dump(layer))\nand not\n\(expected)" }
    }
    for shape in Shapes.operations {
      let snapshot = store.read(.root, shape.plan, in: VariableScope(operation: [:]))
      let found = ModelSnapshot(snapshot)
      let isStale = ModelReader.seen("client:root", shape.selection, from: model.visible)
        .contains(where: model.freshness.isStale)
      reach("stale snapshot", if: isStale)
      if snapshot.isStale != isStale {
        return "\(shape.selection.plan(reads: true)) is stale: \(!isStale)"
      }
      let expected = ModelReader.read("client:root", shape.selection, from: model.visible)
      if found != expected {
        return "\(shape.selection.plan(reads: true)) reads\n\(found)\nand not\n\(expected)"
      }
    }
    return nil
  }

  // MARK: Retention

  func retain(_ number: Int, _ shape: Int) {
    let plan = Shapes.operations[shape].stored
    let identity = RequestIdentity(plan, variables: [:])
    let retention = store.retain(identity, store.bind(plan, variables: [:]), root: .root)
    buffered.removeAll { $0 == shape }
    retained[number] = (shape, retention)
  }

  func release(_ number: Int) {
    guard let (shape, retention) = retained.removeValue(forKey: number) else { return }
    retention.release()
    // Releasing is idempotent.
    retention.release()
    if retained.values.contains(where: { $0.shape == shape }) { return }
    buffered.append(shape)
    reach("release buffer overflows", if: buffered.count > Self.bufferSize)
    guard buffered.count > Self.bufferSize else { return }
    model.freshness.operations[buffered.removeFirst()] = nil
  }
}
