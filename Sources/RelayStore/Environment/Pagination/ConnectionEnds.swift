/// The ends of a connection's list, as known to the store.
struct ConnectionEnds: Sendable, Equatable {
  /// The connection's record.
  var id: DataID?
  var hasNext = false
  var hasPrevious = false
  /// The cursor that the next page starts after; `nil` when the list cannot be continued.
  var endCursor: JSONValue?
  var startCursor: JSONValue?

  /// Creates the ends of a connection that the store does not have.
  init() {}

  /// - Parameters:
  ///   - row: A row read with a plan of ``plan(_:path:)``.
  ///   - depth: The number of linked fields from the row to the connection.
  init?(_ row: RowBox?, depth: Int) {
    guard let row else { return nil }
    if depth > 0 {
      for slot in row.slots {
        if let ends = ConnectionEnds(slot.row, depth: depth - 1) {
          self = ends
          return
        }
      }
      return nil
    }
    id = row.id
    guard let info = row.slot(at: 0).row else { return }
    endCursor = Self.cursor(info.slot(at: 0))
    hasNext = Bool(__slot: info.slot(at: 1)) ?? false
    hasPrevious = Bool(__slot: info.slot(at: 2)) ?? false
    startCursor = Self.cursor(info.slot(at: 3))
  }

  private static func cursor(_ slot: RowSlot) -> JSONValue? {
    if slot.isNil { return nil }
    return JSONValue(slot)
  }

  private static let connection = SelectionPlan(
    "Connection{pageInfo PageInfo{endCursor JSON hasNextPage Boolean hasPreviousPage Boolean startCursor JSON}}"
  )

  /// Returns a plan that reads only the ends of the connection at `path` in a fragment.
  static func plan(_ fragment: SelectionPlan, path: ArraySlice<String>) -> SelectionPlan {
    guard let key = path.first else { return connection }
    let slots = fragment.slots.compactMap { slot -> PlanSlot? in
      guard let field = slot.field, let child = field.child, field.responseKey == key else {
        return nil
      }
      // A field links to one record, whatever type conditions enclose it.
      let end = PlanField(
        responseKey: key, name: field.name, arguments: field.arguments,
        type: PlanType(namedType: .object, isNullable: [true]),
        child: plan(child, path: path.dropFirst()), scalar: nil)
      return PlanSlot(content: .field(end), guards: slot.guards)
    }
    return SelectionPlan(
      SelectionPlan.Definition(
        typeName: fragment.typeName, isAbstract: fragment.isAbstract, slots: slots,
        types: fragment.types, fragmentVariables: fragment.fragmentVariables, owner: fragment.owner)
    )
  }
}

/// The memoized results of ``ConnectionEnds/plan(_:path:)`` by fragment and path. Observers of a
/// fragment share one plan, so their rows can be compared.
final class ConnectionEndsPlans: Sendable {
  private struct Key: Hashable {
    let fragment: ObjectIdentifier
    let path: [String]
  }

  private let plans = Locked<[Key: SelectionPlan]>([:], rank: .leaf)

  /// Returns the plan that reads the ends of the connection at `path` in a fragment.
  func plan(_ fragment: SelectionPlan, path: [String]) -> SelectionPlan {
    plans.withLock { plans in
      let key = Key(fragment: ObjectIdentifier(fragment), path: path)
      let plan = plans[key] ?? ConnectionEnds.plan(fragment, path: path[...])
      plans[key] = plan
      return plan
    }
  }
}
