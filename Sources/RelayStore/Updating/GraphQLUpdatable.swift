/// An object of an `@updatable` query or fragment, as an updater reads and writes it.
///
/// Properties show what the store has at the moment; setting one writes it. It is valid inside its
/// updater only.
public protocol GraphQLUpdatable {
  /// What the properties read and write.
  var __record: UpdatableRecord { get }
  init(__record: UpdatableRecord)
}

/// An `@updatable` query; it is never sent.
public protocol GraphQLUpdatableQuery: Sendable {
  /// The query's root.
  associatedtype Data: GraphQLUpdatable
  static var __plan: SelectionPlan { get }
  /// The values of variables that are absent, as a JSON object.
  static var __defaults: String { get }
  /// The values of its variables; what was left out is absent.
  var __variables: Variables { get }
}

extension GraphQLUpdatableQuery {
  public static var __defaults: String { "{}" }

  /// What a query without variables has.
  public var __variables: Variables { [:] }
}

/// An `@updatable` fragment: read like any other, and written with its ``Updatable``.
public protocol GraphQLUpdatableFragment: GraphQLFragment {
  /// The fragment's record, as an updater writes it.
  associatedtype Updatable: GraphQLUpdatable
}

extension RecordSourceProxy {
  /// What an `@updatable` query selects, to be read and written.
  ///
  ///     try environment.commitUpdate { store in
  ///       let data = try store.updatable(RenameQuery())
  ///       data.viewer?.name = "Ada"
  ///       try data.viewer?.setBestFriend(user.fragments.assignable_user)
  ///     }
  ///
  /// Setters cannot throw: the first one that failed makes the updater fail when it returns, and
  /// nothing it wrote stays.
  ///
  /// - Throws: ``RelayError`` with code `update` after the updater has ended.
  public func updatable<Query: GraphQLUpdatableQuery>(_ query: Query) throws -> Query.Data {
    var variables = (try? JSONValue(parsing: Array(Query.__defaults.utf8)))?.object ?? [:]
    for member in query.__variables.json.members { variables[member.key] = member.value }
    let scope = VariableScope(operation: variables)
    return try Query.Data(
      __record: UpdatableRecord(
        root, plan: Query.__plan, variables: scope.values(for: Query.__plan)))
  }

  /// What an `@updatable` fragment selects, to be read and written.
  ///
  /// - Throws: ``RelayError`` with code `update` where the reference holds its data itself, or its
  ///   record is unknown or deleted.
  public func updatable<Fragment: GraphQLUpdatableFragment>(
    _ reference: FragmentRef<Fragment>
  ) throws -> Fragment.Updatable {
    guard case .record(let id, let scope) = reference.target else {
      throw RelayError(
        .update, "A reference that holds its data itself cannot be updated: it has no record.")
    }
    guard let record = try self[id] else {
      throw RelayError(.update, "Record \"\(id)\" cannot be updated: the store does not have it.")
    }
    let plan = Fragment.__plan
    return Fragment.Updatable(
      __record: UpdatableRecord(record, plan: plan, variables: scope.values(for: plan)))
  }
}
