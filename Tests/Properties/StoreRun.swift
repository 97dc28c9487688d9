@testable import InvariantChecks
@testable import RelayStore

/// Performs operations on a store and on the model, and compares the two after each.
final class StoreRun {
  /// An observer of the store, and the deliveries that the model expects.
  struct Observer {
    let ids: [String]
    let selection: ModelSelection
    /// Whether several records are observed as one list.
    let isPlural: Bool
    /// The last snapshot delivered, according to the model.
    var lastDelivered: ModelSnapshot
    let observation: ObservationHandle
    let deliveries: Locked<[ModelSnapshot]>

    /// Reads the records as an observer after its last delivery.
    func read(from records: Model.Records, after old: Model.Records) -> ModelSnapshot {
      isPlural
        ? ModelReader.read(all: ids, selection, from: records, after: lastDelivered, of: old)
        : ModelReader.read(ids[0], selection, from: records, after: lastDelivered, of: old)
    }
  }

  private static let bufferSize = 2
  let store: RecordStore
  var model = Model()
  /// The model's records at the last comparison.
  private(set) var compared: Model.Records = [:]
  private var numbers: [Int: UInt64] = [:]
  private(set) var observers: [Int: Observer] = [:]
  /// Responses in flight, for the model and normalized for the store.
  private var sent: [Int: (model: Model.Payload, store: RecordPayload)] = [:]
  private(set) var retained: [Int: (operation: Int, retention: Retention)] = [:]
  /// The operations in the release buffer, oldest first.
  private(set) var buffered: [Int] = []
  private(set) var holds: [Int: Retention] = [:]
  /// The loads that have not ended.
  var loads: [Int: ModelLoad] = [:]
  /// The number of times that each state of interest was reached.
  private(set) var reached: [String: Int] = [:]

  init() {
    store = RecordStore(
      configuration: .init(releaseBufferSize: Self.bufferSize, garbageCollection: .manual))
  }

  /// Performs one operation.
  ///
  /// - Parameter comparesRecords: Whether to compare all records in addition to deliveries.
  /// - Returns: A description of the difference between store and model, or `nil`.
  func run(_ operation: StoreOperation, comparesRecords: Bool) throws -> String? {
    if let problem = try change(operation) { return problem }
    defer { compared = model.visible }
    return compareObservers() ?? compareLoads() ?? (comparesRecords ? compareRecords() : nil)
      ?? violatedInvariant
  }

  /// The first violated invariant of the store's structures.
  private var violatedInvariant: String? {
    #if DEBUG || RELAYSTORE_CHECK_INVARIANTS
      return store.checkInvariants()
    #else
      return nil
    #endif
  }

  func markReached(_ state: String, if holds: Bool = true) {
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
      markReached(
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
      observe(number, TestSelections.fragments[fragment], id: id)
    case .observeOperation(let number, let operation):
      observe(number, TestSelections.operations[operation], id: "client:root")
    case .observeAll(let number, let fragment, let ids):
      observe(number, TestSelections.fragments[fragment], all: ids)
    case .cancel(let number): observers.removeValue(forKey: number)?.observation.cancel()
    case .retain(let number, let operation): retain(number, operation)
    case .release(let number): release(number)
    case .collect: return collect(isComplete: true) { _ = store.collectGarbage() }
    case .collectSlice(let records):
      markReached("garbage collection slice", if: store.garbageCollector.isPending)
      return collect(isComplete: false) { store.garbageCollector.step(records: records) }
    case .hold(let number): holds[number] = store.garbageCollector.hold()
    case .endHold(let number): holds.removeValue(forKey: number)?.release()
    case .restore: return try restore()
    case .check(let operation): return check(operation)
    case .load(let number, let operation, let policy):
      return load(number, operation: operation, policy: policy)
    case .endLoad(let number): endLoad(number)
    case .send(let number, let payload): sent[number] = (payload, try normalize(payload))
    case .arrive(let number):
      guard let payload = sent.removeValue(forKey: number) else { return nil }
      markReached("response out of order", if: sent.keys.contains { $0 < number })
      return try commit(payload.model, [], normalized: payload.store)
    case .batch(let operations):
      var problem: String?
      try store.batch {
        for operation in operations where problem == nil { problem = try change(operation) }
      }
      markReached("batch")
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
    markReached("commit that throws", if: !succeeds)
    markReached("commit that changes nothing", if: model.base == before)
    markReached("commit under an update", if: !model.layers.isEmpty)
    markReached(
      "record replaced by another type",
      if: before.contains { id, record in
        guard let old = record, let new = model.base[id] ?? nil else { return false }
        return old.typeName != new.typeName
      })
    markReached(
      "write during a garbage collection",
      if: store.garbageCollector.isPending && model.base != before)
    markReached("two values for one field in a response", if: model.conflicts > conflicts)
    if let payload { recordWrite(of: payload.operation) }
    let change = RecordStore.Change.commit(
      try normalized ?? payload.map(normalize), updater: updater(steps))
    return compareOutcome(with: succeeds) {
      try store.publish([change], of: payload.map { writtenOperation($0.operation) })
    }
  }

  /// Commits the response of a mutation, and reverts its optimistic update.
  private func commitMutation(_ number: Int, payload: Model.Payload, steps: [UpdateStep]) throws
    -> String?
  {
    guard let real = numbers[number] else { return nil }
    markReached("response replaces its optimistic update")
    model.freshness.begin()
    model.revert(number)
    let succeeds = model.commit(payload, steps)
    recordWrite(of: payload.operation)
    let changes = [
      RecordStore.Change.revert(real), .commit(try normalize(payload), updater: updater(steps)),
    ]
    return compareOutcome(with: succeeds) {
      try store.publish(changes, of: writtenOperation(payload.operation))
    }
  }

  /// Commits a response twice; the second commit must be a no-op without deliveries.
  private func commitTwice(_ payload: Model.Payload) throws -> String? {
    if let problem = try commit(payload, []) ?? compareObservers() { return problem }
    let dump = store.dump()
    if let problem = try commit(payload, []) { return problem }
    markReached("repeated response", if: !observers.isEmpty)
    if observers.values.contains(where: { !$0.deliveries.withLock(\.isEmpty) }) {
      return "The repeated response was delivered."
    }
    return store.dump() == dump
      ? nil : "The repeated response changed the store."
  }

  private func restore() throws -> String? {
    for layer in [RecordStore.Layer.base, .visible] {
      let dump = store.dump(layer)
      let restored = try RecordStore(dump: dump)
      if restored.dump(.base) != dump || restored.dump(.visible) != dump {
        return "A restored store has\n\(restored.dump())\ninstead of\n\(dump)"
      }
    }
    markReached("store restored from a dump")
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
    markReached("all updates reverted")
    if store.dump(.visible) != base {
      return "Without updates, the visible records differ from the base."
    }
    for observer in observers.values { observer.observation.cancel() }
    for number in Array(loads.keys) { endLoad(number) }
    for retention in retained.values { retention.retention.release() }
    return store.statistics.isEmpty ? nil : "Not everything was released: \(store.statistics)"
  }

  private func writtenOperation(_ operation: Int) -> WrittenOperation {
    let plan = TestSelections.operations[operation].stored
    return WrittenOperation(
      RequestIdentity(documentHash: plan.documentHash, variables: [:]),
      store.bind(plan, variables: [:]), root: .root)
  }

  /// Models the write of an operation. An operation that is not retained enters the release buffer
  /// if there is room.
  private func recordWrite(of operation: Int) {
    if !retained.values.contains(where: { $0.operation == operation }),
      !buffered.contains(operation)
    {
      guard buffered.count < Self.bufferSize else { return }
      buffered.append(operation)
    }
    model.freshness.operations[operation] = model.freshness.epoch
  }

  private func check(_ operation: Int) -> String? {
    let expected = model.freshness.check(operation, in: model.visible)
    let found =
      switch store.check(writtenOperation(operation)) {
      case .available: "available"
      case .stale: "stale"
      case .notLoaded: "not loaded"
      case .missing: "missing"
      }
    markReached("availability check returns \(expected)")
    return found == expected ? nil : "Operation \(operation) is \(found); expected \(expected)."
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
    return compareOutcome(with: succeeds) { try store.publish([change]) }
  }

  private func replace(_ number: Int, _ steps: [UpdateStep]) -> String? {
    model.freshness.begin()
    var succeeds = model.layers.contains { $0.number == number }
    if succeeds {
      markReached("update replaced")
      model.revert(number)
      succeeds = model.apply(.init(number: number, payload: nil, steps: steps))
    }
    let update = OptimisticUpdate(store: store, id: numbers[number] ?? .max)
    return compareOutcome(with: succeeds) { try update.replace(updater(steps)) }
  }

  private func compareOutcome(with succeeds: Bool, _ body: () throws -> Void) -> String? {
    do {
      try body()
      return succeeds ? nil : "The store made a change that the model rejects."
    } catch {
      return succeeds ? "The store rejected a change that the model makes: \(error)" : nil
    }
  }

  private func normalize(_ payload: Model.Payload) throws -> RecordPayload {
    let errors = payload.errors.map { path -> JSONValue in
      let steps = path.map { Int($0).map { .number(JSONNumber($0)) } ?? JSONValue.string($0) }
      return ["message": "no", "path": .array(steps)]
    }
    let body: JSONValue = ["data": payload.data, "errors": .array(errors)]
    let reader = ResponseReader(
      plan: store.bind(TestSelections.operations[payload.operation].stored, variables: [:]),
      root: .root,
      operationName: "Query")
    return try reader.response(body.jsonBytes).payload ?? RecordPayload()
  }

  private func updater(_ steps: [UpdateStep]) -> StoreUpdater {
    { store in for step in steps { try step.run(on: store) } }
  }

  // MARK: Observing

  private func observe(_ number: Int, _ selection: PlannedSelection, id: String) {
    let deliveries = Locked<[ModelSnapshot]>([])
    let scope = VariableScope(operation: [:])
    let observation = store.readAndObserve(.record(DataID(id), selection.plan, in: scope)) {
      snapshot in
      deliveries.withLock { $0.append(ModelSnapshot(snapshot)) }
    }.observation
    let current = ModelReader.read(id, selection.selection, from: model.visible)
    observers[number] = Observer(
      ids: [id], selection: selection.selection, isPlural: false, lastDelivered: current,
      observation: observation, deliveries: deliveries)
  }

  private func observe(_ number: Int, _ selection: PlannedSelection, all ids: [String]) {
    let deliveries = Locked<[ModelSnapshot]>([])
    let scope = VariableScope(operation: [:])
    let references = ids.map { SpreadReference.record(DataID($0), scope) }
    let observation = store.readAndObserve(.list(references, selection.plan)) { snapshot in
      deliveries.withLock { $0.append(ModelSnapshot(plural: snapshot)) }
    }.observation
    let current = ModelReader.read(all: ids, selection.selection, from: model.visible)
    observers[number] = Observer(
      ids: ids, selection: selection.selection, isPlural: true, lastDelivered: current,
      observation: observation, deliveries: deliveries)
  }

  private func compareObservers() -> String? {
    let visible = model.visible
    for (number, observer) in observers {
      let expected = observer.read(from: visible, after: compared)
      let deliveries = observer.deliveries.withLock { deliveries in
        defer { deliveries = [] }
        return deliveries
      }
      if deliveries != (expected == observer.lastDelivered ? [] : [expected]) {
        return
          "Observer \(number) received \(deliveries); expected the change from \(observer.lastDelivered) to \(expected)."
      }
      if let last = deliveries.last, last.keepsRows != expected.keepsRows {
        return "Observer \(number) keeps rows: \(last.keepsRows), in \(last)."
      }
      markReached("delivery", if: !deliveries.isEmpty)
      markReached("delivery of a list of records", if: !deliveries.isEmpty && observer.isPlural)
      markReached("deleted record", if: expected.isDeleted)
      markReached("missing data", if: !expected.missing.isEmpty)
      markReached("list element omitted", if: expected.omitsElements && expected.data != nil)
      markReached("list element left out", if: expected.leavesOutElements && expected.data != nil)
      markReached("row kept", if: expected.keepsRows && !observer.isPlural)
      markReached("row of a list of records kept", if: expected.keepsRows && observer.isPlural)
      markReached("field error", if: !expected.errors.isEmpty)
      observers[number]?.lastDelivered = expected
    }
    return nil
  }

  // MARK: Comparing

  private func compareRecords() -> String? {
    for (layer, records) in [(RecordStore.Layer.base, model.base), (.visible, model.visible)] {
      let expected = records.dump(model.freshness.invalidated)
      guard let found = try? JSONValue(parsing: Array(store.dump(layer).utf8)), found == expected
      else { return "\(layer):\n\(store.dump(layer))\ninstead of\n\(expected)" }
    }
    for selection in TestSelections.operations {
      let snapshot = store.read(.record(.root, selection.plan, in: VariableScope(operation: [:])))
      let found = ModelSnapshot(snapshot)
      let isStale = ModelReader.seen("client:root", selection.selection, from: model.visible)
        .contains(where: model.freshness.isStale)
      markReached("stale snapshot", if: isStale)
      if snapshot.isStale != isStale {
        return "\(selection.selection.plan(reads: true)) is stale: \(!isStale)"
      }
      let expected = ModelReader.read("client:root", selection.selection, from: model.visible)
      if found != expected {
        return "\(selection.selection.plan(reads: true)) reads\n\(found)\ninstead of\n\(expected)"
      }
    }
    return nil
  }

  // MARK: Retention

  func retain(_ number: Int, _ operation: Int) {
    let plan = TestSelections.operations[operation].stored
    let identity = RequestIdentity(documentHash: plan.documentHash, variables: [:])
    let retention = store.retain(identity, store.bind(plan, variables: [:]), root: .root)
    buffered.removeAll { $0 == operation }
    retained[number] = (operation, retention)
  }

  func release(_ number: Int) {
    guard let (operation, retention) = retained.removeValue(forKey: number) else { return }
    retention.release()
    // Releasing is idempotent.
    retention.release()
    if retained.values.contains(where: { $0.operation == operation }) { return }
    buffered.append(operation)
    markReached("release buffer overflow", if: buffered.count > Self.bufferSize)
    guard buffered.count > Self.bufferSize else { return }
    model.freshness.operations[buffered.removeFirst()] = nil
  }
}
