/// Data that a fragment or a query lacks, and why.
public struct MissingExplanation: Sendable, Hashable {
  /// A reason for which data is missing.
  public enum Reason: Sendable, Hashable {
    /// The operation reaches the record at the path, and its selection there lacks the field: it has
    /// only these fields.
    case notSelected(operation: String, path: ResponsePath, fields: [String])
    /// The operation selects the data at the path, and its response did not have it, or it was removed
    /// or replaced since.
    case notInResponse(operation: String, path: ResponsePath)
    /// The operation selects the data at the path, and has no response yet.
    case notFetched(operation: String, path: ResponsePath)
    /// A request of the operation is in flight that may bring the data.
    case inFlight(operation: String)
    /// The record has the field with other arguments only.
    case otherArguments(fields: [String])
    /// No operation that is retained, released or recorded reaches the record: an updater, a payload
    /// or an operation that is not kept has written it, or nothing has.
    case notReached
    /// A null or a deleted record is the reason, rather than missing data.
    case nullOrDeleted
  }

  /// What is missing.
  public let data: MissingData
  /// The reasons.
  public let reasons: [Reason]
}

extension MissingExplanation: CustomStringConvertible {
  /// The explanation on one line.
  public var description: String {
    "\(data); " + reasons.map(\.description).joined(separator: "; ")
  }
}

extension MissingExplanation.Reason: CustomStringConvertible {
  /// The reason in words.
  public var description: String {
    switch self {
    case .notSelected(let operation, let path, let fields):
      "\(operation) reaches the record at \(path), and selects only \(fields.joined(separator: ", "))"
    case .notInResponse(let operation, let path):
      "\(operation) selects it at \(path), and its response did not have it, or it was removed since"
    case .notFetched(let operation, let path):
      "\(operation) selects it at \(path), and was not fetched"
    case .inFlight(let operation): "a request of \(operation) is in flight"
    case .otherArguments(let fields):
      "the record has the field with other arguments: \(fields.joined(separator: ", "))"
    case .notReached: "no known operation reaches the record"
    case .nullOrDeleted: "a null or a deleted record is the reason"
    }
  }
}

extension StoreQuestion where Answer == [MissingExplanation] {
  /// What does a fragment lack, at most 100 fields, and which selection of which operation never
  /// fetched it? Empty if it lacks nothing.
  ///
  /// The operations are those that the store retains or has in its release buffer, those whose
  /// responses are arriving, and those of the timeline, if one is recorded.
  public static func missing<Fragment>(_ fragment: FragmentRef<Fragment>) -> StoreQuestion {
    StoreQuestion { environment throws(RelayError) in
      let (id, scope) = try fragment.questionTarget
      return environment.explainMissing { state in
        (state.index(of: id), state.bind(Fragment.__plan, in: scope))
      }
    }
  }

  /// What does a query lack, with all its fragments? See ``missing(_:)-(FragmentRef<Fragment>)``.
  public static func missing<Query: GraphQLQuery>(_ query: Query) -> StoreQuestion {
    StoreQuestion { environment throws(RelayError) in
      let request = OperationRequest(query, store: environment.store, root: .root)
      let asked = KnownOperation(
        name: request.operation.name, plan: request.plan, root: .root, isFetched: false)
      return environment.explainMissing(asked) { state in
        (state.index(of: .root), request.plan)
      }
    }
  }
}

/// An operation that may have fetched data.
struct KnownOperation: Sendable {
  let name: String
  let plan: BoundPlan
  let root: DataID
  /// Whether a response to it was written.
  let isFetched: Bool
}

extension RelayEnvironment {
  /// Explains what a plan lacks.
  ///
  /// - Parameters:
  ///   - asked: The operation that the question is about, if it is one.
  ///   - target: Returns the record and the plan.
  fileprivate func explainMissing(
    _ asked: KnownOperation? = nil, _ target: (inout StoreState) -> (RecordIndex, BoundPlan)
  ) -> [MissingExplanation] {
    let inFlight = executions.executions.map { execution in
      let written = execution.request.written
      return KnownOperation(
        name: execution.request.operation.name, plan: written.plan, root: written.root,
        isFetched: false)
    }
    return store.state.withLock { state in
      let (index, plan) = target(&state)
      let missing = AvailabilityChecker.check(index, plan, in: state.source, listing: 100).missing
      if missing.isEmpty { return [] }
      let known = state.knownOperations(adding: asked)
      return missing.map { state.explain($0, known, inFlight: inFlight) }
    }
  }
}

extension StoreState {
  /// Returns the operations that may have fetched data: each once, fetched if any of its uses was.
  fileprivate mutating func knownOperations(adding asked: KnownOperation?) -> [KnownOperation] {
    var known = retention.entries.sorted { $0.key.name < $1.key.name }.map { identity, entry in
      KnownOperation(
        name: identity.name, plan: entry.plan, root: source.id(of: entry.root) ?? .root,
        isFetched: entry.write != nil)
    }
    known += receiving.values.map {
      KnownOperation(name: $0.name, plan: $0.plan, root: $0.root, isFetched: true)
    }
    for event in recording?.recorder.contents.events ?? [] {
      guard case .request(let request) = event.content else { continue }
      known.append(
        KnownOperation(
          name: request.request.operation, plan: request.plan, root: request.root,
          isFetched: request.request.responses > 0))
    }
    if let asked { known.append(asked) }
    var found: [ObjectIdentifier: Int] = [:]
    var all: [KnownOperation] = []
    for operation in known {
      if let position = found[ObjectIdentifier(operation.plan)] {
        if operation.isFetched, !all[position].isFetched { all[position] = operation }
      } else {
        found[ObjectIdentifier(operation.plan)] = all.count
        all.append(operation)
      }
    }
    return all
  }

  fileprivate mutating func explain(
    _ data: MissingData, _ known: [KnownOperation], inFlight: [KnownOperation]
  ) -> MissingExplanation {
    guard let id = data.recordID, let index = source.index(of: id) else {
      return MissingExplanation(data: data, reasons: [.nullOrDeleted])
    }
    let key = data.storageKey.flatMap { source.keys.key(of: $0) }
    var reasons = known.compactMap { reason($0, index, key) }
    if reasons.isEmpty { reasons.append(.notReached) }
    for operation in inFlight where selects(operation, index, key) {
      reasons.append(.inFlight(operation: operation.name))
    }
    let others = data.storageKey.map { otherArguments(of: $0, in: source[index]) } ?? []
    if !others.isEmpty { reasons.append(.otherArguments(fields: others)) }
    return MissingExplanation(data: data, reasons: reasons)
  }

  /// Returns the fields of a record with the same name and other arguments.
  private func otherArguments(of storageKey: String, in record: Record) -> [String] {
    let name = storageKey.prefix { $0 != "(" }
    return record.keys.map { source.keys.text(of: $0) }
      .filter { $0 != storageKey && $0.prefix { $0 != "(" } == name }
      .sorted { $0.precedesByBytes($1) }
  }

  private mutating func selects(
    _ operation: KnownOperation, _ index: RecordIndex, _ key: FieldKey?
  ) -> Bool {
    let visits = RecordVisits.find(
      index, from: self.index(of: operation.root), operation.plan, in: source)
    guard let key else { return !visits.isEmpty }
    return visits.contains { $0.plan.selects(key, of: source[index], in: source) }
  }

  /// Returns the reason that an operation is for a missing field of a record, or for a missing record;
  /// `nil` if the operation does not reach the record.
  private mutating func reason(
    _ operation: KnownOperation, _ index: RecordIndex, _ key: FieldKey?
  ) -> MissingExplanation.Reason? {
    let visits = RecordVisits.find(
      index, from: self.index(of: operation.root), operation.plan, in: source)
    guard let first = visits.first else { return nil }
    let selecting = visits.first { visit in
      key.map { visit.plan.selects($0, of: source[index], in: source) } ?? true
    }
    guard let selecting else {
      let here = visits.filter { $0.path == first.path }
      let fields = Set(here.flatMap { $0.plan.selectedFields(of: source[index], in: source) })
      return .notSelected(
        operation: operation.name, path: first.path,
        fields: fields.sorted { $0.precedesByBytes($1) })
    }
    return operation.isFetched
      ? .notInResponse(operation: operation.name, path: selecting.path)
      : .notFetched(operation: operation.name, path: selecting.path)
  }
}

extension BoundPlan {
  /// Whether it selects a field of a record.
  fileprivate func selects(_ key: FieldKey, of record: Record, in source: LayeredSource) -> Bool {
    plan.slots.indices.contains { slot in
      let isField = keys[slot] == key && plan.slots[slot].field != nil
      let isHandle = handles.contains { $0.slot == slot && $0.handle.key == key }
      return (isField || isHandle) && applies(slot, to: record, in: source)
    }
  }

  /// Returns the storage keys of the fields that it selects of a record.
  fileprivate func selectedFields(of record: Record, in source: LayeredSource) -> [String] {
    plan.slots.indices.filter {
      plan.slots[$0].field != nil && applies($0, to: record, in: source)
    }.map { storageKeys[$0] }
  }

  /// Whether the variables and the type conditions include a slot for a record.
  private func applies(_ slot: Int, to record: Record, in source: LayeredSource) -> Bool {
    var next: Int? = slot
    while let position = next {
      if !isIncluded[position] { return false }
      if position != slot, case .condition(let condition) = plan.slots[position].content,
        let typeName = record.typeName
      {
        let holds =
          condition.isAbstract
          ? source.satisfies(
            typeName, condition.typeName, discriminator: keys[position], types: plan.types
          ).0 ?? true
          : typeName == condition.typeName
        if !holds { return false }
      }
      next = plan.slots[position].enclosing
    }
    return true
  }
}
