public import RelayStore

/// A field that is missing from a fragment or a query, and the reasons.
public struct MissingExplanation: Sendable, Hashable {
  /// A reason for missing data.
  public enum Reason: Sendable, Hashable {
    /// The operation reaches the record at the path, but does not select the field there. `fields`
    /// are all fields that it selects.
    case notSelected(operation: String, path: ResponsePath, fields: [String])
    /// The operation selects the data at the path, but its response did not have it, or the data
    /// has since been removed or replaced.
    case notInResponse(operation: String, path: ResponsePath)
    /// The operation selects the data at the path, but has no response yet.
    case notFetched(operation: String, path: ResponsePath)
    /// An optimistic update leads to the record but has not written the data, although the base is
    /// complete. `operation` is the operation with that optimistic response or updater, if it is in
    /// flight or in the outbox. Of several updates that wrote a new record it is the one that created
    /// it.
    case notInOptimisticUpdate(operation: String?)
    /// A request of the operation is in flight that may deliver the data.
    case inFlight(operation: String)
    /// The record has the field only with other arguments.
    case otherArguments(fields: [String])
    /// The store had the record, and a garbage collection removed it; see
    /// ``StoreTimeline/Event/id``. Only known with a timeline, which has the ids of the first 1,000
    /// records of each collection.
    case collected(event: Int)
    /// No retained, released or recorded operation reaches the record. An updater, a payload or an
    /// unknown operation may have written it, or it was never written.
    case notReached
    /// A null or a deleted record is the reason, rather than missing data.
    case nullOrDeleted
  }

  /// The kind of the missing data.
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
    case .notInOptimisticUpdate(let operation?):
      "the optimistic response or updater of \(operation) left it out"
    case .notInOptimisticUpdate(nil): "an optimistic update left it out"
    case .inFlight(let operation): "a request of \(operation) is in flight"
    case .otherArguments(let fields):
      "the record has the field with other arguments: \(fields.joined(separator: ", "))"
    case .collected(let event): "garbage collection removed the record (event \(event))"
    case .notReached: "no known operation reaches the record"
    case .nullOrDeleted: "a null or a deleted record is the reason"
    }
  }
}

extension StoreQuestion where Explanation == [MissingExplanation] {
  /// Asks which of a fragment's fields are missing, at most 100, and which selection of which
  /// operation did not fetch them. The result is empty if none is missing.
  ///
  /// Considers the operations that the store retains or has in its release buffer, those with an
  /// incomplete response, and those of the timeline, if one is recorded.
  public static func missing<Fragment>(_ fragment: FragmentRef<Fragment>) -> StoreQuestion {
    StoreQuestion { environment throws(RelayError) in
      let (id, scope) = try fragment.questionTarget
      return environment.explainMissing { state in
        (state.index(of: id), state.bind(Fragment.__plan, in: scope))
      }
    }
  }

  /// Asks which fields of a query and its fragments are missing. See
  /// ``missing(_:)-(FragmentRef<Fragment>)``.
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

extension MissingExplanation {
  /// Returns the explanation without the arguments of fields.
  func redacted(by redaction: inout TimelineRedaction) -> MissingExplanation {
    var data = data
    data.recordID = data.recordID.map { redaction.id($0) }
    data.storageKey = data.storageKey.map { redaction.key($0) }
    var reasons: [Reason] = []
    for reason in self.reasons {
      switch reason {
      case .notSelected(let operation, let path, let fields):
        let fields = fields.map { redaction.key($0) }
        reasons.append(.notSelected(operation: operation, path: path, fields: fields))
      case .otherArguments(let fields):
        reasons.append(.otherArguments(fields: fields.map { redaction.key($0) }))
      default: reasons.append(reason)
      }
    }
    return MissingExplanation(data: data, reasons: reasons)
  }
}
