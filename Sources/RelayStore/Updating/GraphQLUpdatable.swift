/// An object of an `@updatable` query or fragment, as an updater reads and writes it.
///
/// Properties read the store's current data; setting one writes it. The object is valid only inside
/// its updater.
public protocol GraphQLUpdatable {
  /// The record that the properties read and write.
  var __record: UpdatableRecord { get }
  init(__record: UpdatableRecord)
}

/// An `@updatable` query, which is never sent.
public protocol GraphQLUpdatableQuery: Sendable {
  /// The object at the query's root.
  associatedtype Data: GraphQLUpdatable
  static var __plan: SelectionPlan { get }
  /// The default values of omitted variables, as a JSON object.
  static var __defaults: String { get }
  /// The values of the query's variables, without omitted ones.
  var __variables: Variables { get }
}

extension GraphQLUpdatableQuery {
  public static var __defaults: String { "{}" }

  /// No variables.
  public var __variables: Variables { [:] }
}

/// An `@updatable` fragment, read like any other and written through its ``Updatable``.
public protocol GraphQLUpdatableFragment: GraphQLFragment {
  /// The fragment's object, as an updater writes it.
  associatedtype Updatable: GraphQLUpdatable
}

extension RecordSourceProxy {
  /// Returns the object that an `@updatable` query selects, for reading and writing.
  ///
  ///     try environment.commitUpdate { store in
  ///       let data = try store.updatable(RenameQuery())
  ///       data.viewer?.name = "Ada"
  ///       try data.viewer?.setBestFriend(user.fragments.assignable_user)
  ///     }
  ///
  /// Setters cannot throw. If one fails, the updater fails with the first error when it returns,
  /// and its writes are discarded.
  ///
  /// - Throws: ``RelayError`` with code `update` after the updater has ended.
  public func updatable<Query: GraphQLUpdatableQuery>(_ query: Query) throws -> Query.Data {
    var variables = (try? JSONValue(parsing: Array(Query.__defaults.utf8)))?.object ?? [:]
    for member in query.__variables.json.members { variables[member.key] = member.value }
    let scope = VariableScope(operation: variables)
    return try Query.Data(
      __record: UpdatableRecord(
        record: root, plan: Query.__plan,
        variables: scope.values(forOwn: Query.__plan.fragmentVariables)))
  }

  /// Returns the object that an `@updatable` fragment selects, for reading and writing.
  ///
  /// - Throws: ``RelayError`` with code `update` if the reference contains its data (`.value(…)`),
  ///   or if its record is unknown or deleted.
  public func updatable<Fragment: GraphQLUpdatableFragment>(
    _ reference: FragmentRef<Fragment>
  ) throws -> Fragment.Updatable {
    guard case .record(let id, let scope) = reference.target else {
      throw RelayError(
        .update, "A reference that contains its data cannot be updated: it has no record.")
    }
    guard let record = try self[id] else {
      throw RelayError(.update, "Record \"\(id)\" cannot be updated: the store does not have it.")
    }
    let plan = Fragment.__plan
    return Fragment.Updatable(
      __record: UpdatableRecord(
        record: record, plan: plan, variables: scope.values(forOwn: plan.fragmentVariables)))
  }
}
