public import RelayStore

/// A query over the records in the store: the records of a fragment's type, filtered and sorted by
/// Swift code. Does not fetch.
///
///     let query = LocalQuery(TodoRow_todo.self)
///       .filter { !$0.isComplete }
///       .sorted(by: \.likes, .descending)
///       .then(by: \.text)
///     for row in environment.read(query).rows { print(row.data.text) }
///
/// The rows are all records of the fragment's type whose data is complete, whether or not a query
/// reaches them. Rows that the order does not distinguish are sorted by id.
///
/// The closures must be functions of the fragment alone: a row is filtered and positioned when its
/// data has changed, and not when other state that a closure reads changes. They run where the rows
/// are received: on the main actor for a model, on the consumer's actor for a stream. They must not
/// commit.
public struct LocalQuery<Fragment: GraphQLFragment>: Sendable {
  /// The direction of a sort key.
  public enum Direction: Sendable, Hashable {
    /// The least key first.
    case ascending
    /// The greatest key first.
    case descending
  }

  private let variables: Variables
  private var filters: [@Sendable (Fragment) -> Bool] = []
  private var keys: [SortKey<Fragment>] = []

  /// Creates a query for all records of a fragment's type, ordered by id.
  ///
  /// - Parameters:
  ///   - fragment: A fragment on the type of the records.
  ///   - variables: The values of the variables that the fragment uses, including its own
  ///     arguments.
  public init(_ fragment: Fragment.Type = Fragment.self, variables: Variables = [:]) {
    self.variables = variables
  }

  /// Returns the query restricted to rows that satisfy a predicate, in addition to earlier filters.
  public func filter(_ isIncluded: @escaping @Sendable (Fragment) -> Bool) -> LocalQuery {
    var query = self
    query.filters.append(isIncluded)
    return query
  }

  /// Returns the query ordered by a key, replacing any earlier order.
  ///
  /// - Parameters:
  ///   - key: Returns the key of a row, for example through a key path. A key that is not equal to
  ///     itself, such as a floating-point NaN, sorts last, or first if the order is descending.
  ///   - direction: The direction of the order.
  public func sorted<Key: Comparable & Sendable>(
    by key: @escaping @Sendable (Fragment) -> Key, _ direction: Direction = .ascending
  ) -> LocalQuery {
    sorted(by: [SortKey(key, direction)])
  }

  /// Returns the query ordered by an optional key, replacing any earlier order. Rows without a key
  /// come first, or last if the order is descending.
  @_disfavoredOverload
  public func sorted<Key: Comparable & Sendable>(
    by key: @escaping @Sendable (Fragment) -> Key?, _ direction: Direction = .ascending
  ) -> LocalQuery {
    sorted(by: [SortKey(optional: key, direction)])
  }

  /// Returns the query ordered by a predicate, replacing any earlier order.
  ///
  /// - Parameter areInIncreasingOrder: Returns whether the first row is before the second. If it is
  ///   not a strict weak order, the query has the same rows in an unspecified order.
  public func sorted(
    by areInIncreasingOrder: @escaping @Sendable (Fragment, Fragment) -> Bool
  ) -> LocalQuery {
    sorted(by: [SortKey(areInIncreasingOrder)])
  }

  /// Returns the query with a further key for rows that the current order does not distinguish.
  public func then<Key: Comparable & Sendable>(
    by key: @escaping @Sendable (Fragment) -> Key, _ direction: Direction = .ascending
  ) -> LocalQuery {
    sorted(by: keys + [SortKey(key, direction)])
  }

  /// Returns the query with a further optional key for rows that the current order does not
  /// distinguish. Rows without a key come first, or last if the order is descending.
  @_disfavoredOverload
  public func then<Key: Comparable & Sendable>(
    by key: @escaping @Sendable (Fragment) -> Key?, _ direction: Direction = .ascending
  ) -> LocalQuery {
    sorted(by: keys + [SortKey(optional: key, direction)])
  }

  /// Returns the query with a further predicate for rows that the current order does not
  /// distinguish.
  public func then(
    by areInIncreasingOrder: @escaping @Sendable (Fragment, Fragment) -> Bool
  ) -> LocalQuery {
    sorted(by: keys + [SortKey(areInIncreasingOrder)])
  }

  private func sorted(by keys: [SortKey<Fragment>]) -> LocalQuery {
    var query = self
    query.keys = keys
    return query
  }

  // MARK: Running

  /// Returns the query with its rows grouped by a key.
  func grouped(by key: SortKey<Fragment>) -> LocalQuery { sorted(by: [key] + keys) }

  /// The values of the variables that the fragment is read with.
  var scope: VariableScope {
    let reference = FragmentRef<Fragment>(id: .root, variables: variables)
    guard case .record(_, let scope) = reference.target else { return .empty }
    return scope
  }

  /// Returns whether a row is in the result.
  func includes(_ row: RowBox) -> Bool {
    let fragment = Fragment(__row: Row(row))
    return filters.allSatisfy { $0(fragment) }
  }

  /// Returns whether a row is before another one.
  func areInOrder(_ left: RowBox, _ right: RowBox) -> Bool {
    let (a, b) = (Fragment(__row: Row(left)), Fragment(__row: Row(right)))
    for key in keys {
      switch key.compare(a, b) {
      case .before: return true
      case .after: return false
      case .same: continue
      }
    }
    return left.precedesByID(right)
  }
}

/// The order of one value relative to another.
enum Precedence {
  case before, same, after

  init<Key: Comparable & Sendable>(of left: Key, _ right: Key) {
    if left < right {
      self = .before
    } else if right < left {
      self = .after
    } else {
      // Values that are not equal to themselves, such as NaN, come last.
      switch (left == left, right == right) {
      case (true, false): self = .before
      case (false, true): self = .after
      default: self = .same
      }
    }
  }

  var reversed: Precedence {
    switch self {
    case .before: .after
    case .same: .same
    case .after: .before
    }
  }
}

/// One of the keys that a query's rows are sorted by.
struct SortKey<Fragment: GraphQLFragment>: Sendable {
  let compare: @Sendable (Fragment, Fragment) -> Precedence

  init<Key: Comparable & Sendable>(
    _ key: @escaping @Sendable (Fragment) -> Key, _ direction: LocalQuery<Fragment>.Direction
  ) {
    self.init(in: direction) { Precedence(of: key($0), key($1)) }
  }

  init<Key: Comparable & Sendable>(
    optional key: @escaping @Sendable (Fragment) -> Key?,
    _ direction: LocalQuery<Fragment>.Direction
  ) {
    self.init(in: direction) { left, right -> Precedence in
      switch (key(left), key(right)) {
      case (nil, nil): return .same
      case (nil, _): return .before
      case (_, nil): return .after
      case (let left?, let right?): return Precedence(of: left, right)
      }
    }
  }

  private init(
    in direction: LocalQuery<Fragment>.Direction,
    ascending: @escaping @Sendable (Fragment, Fragment) -> Precedence
  ) {
    compare =
      switch direction {
      case .ascending: ascending
      case .descending: { ascending($0, $1).reversed }
      }
  }

  init(_ areInIncreasingOrder: @escaping @Sendable (Fragment, Fragment) -> Bool) {
    compare = { left, right in
      if areInIncreasingOrder(left, right) { return .before }
      return areInIncreasingOrder(right, left) ? .after : .same
    }
  }
}

extension RowBox {
  /// Returns whether the bytes of the record's id precede the bytes of the other record's.
  fileprivate func precedesByID(_ other: RowBox) -> Bool {
    guard let left = record?.box, let right = other.record?.box else { return false }
    return left.withID { a in right.withID { b in a.lexicographicallyPrecedes(b) } }
  }
}
