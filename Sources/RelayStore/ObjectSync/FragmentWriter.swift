/// What one commit has changed among the objects of a fragment's type.
public struct FragmentChanges<Fragment: GraphQLFragment>: Sendable {
  /// Those with other values than before, and those that are new.
  public var updated: [Fragment]
  /// The ids of those that do not exist any more.
  public var deletedIDs: [String]

  public init(updated: [Fragment] = [], deletedIDs: [String] = []) {
    self.updated = updated
    self.deletedIDs = deletedIDs
  }
}

/// What takes over the objects of a fragment's type; see ``RelayEnvironment/mirror(_:variables:into:)``.
public protocol FragmentWriter<Fragment>: Sendable {
  /// What it takes.
  associatedtype Fragment: GraphQLFragment

  /// Takes over what a commit has changed; called by the thread that made it, one call at a time and in order.
  func write(_ changes: FragmentChanges<Fragment>)
}

/// Writes what changes to the objects of a context.
public struct ObjectWriter<Object: ContextObject>: FragmentWriter {
  public typealias Fragment = Object.Fragment

  private let context: Object.Context

  public init(_ type: Object.Type = Object.self, in context: Object.Context) {
    self.context = context
  }

  public func write(_ changes: FragmentChanges<Object.Fragment>) {
    context.perform { try Object.apply(changes, in: $0) }
  }
}

extension RelayEnvironment {
  /// Writes every object of a fragment's type to a store of the app's own: those that are there at once, then what each
  /// commit changes.
  ///
  ///     let mirror = environment.mirror(PersonFragment.self, into: ObjectWriter(Person.self, in: context))
  ///
  /// There is one call for each commit, or batch, in which a fragment's value has changed or an object was deleted, and none for
  /// others. Only what is whole is written: an object of which a field is missing waits for it. What optimistic updates
  /// show is written too, and written back when they are reverted. Records that are merely forgotten, by garbage collection or
  /// ``reset()``, are not deleted in the other store. The mirror keeps none of them in the store, nor their values: only the id and
  /// a hash of what was written, so that they are not written once more when they come again unchanged, and a deletion is passed on
  /// even then.
  ///
  /// - Parameters:
  ///   - fragment: A fragment on the type of the objects.
  ///   - variables: Values for the variables that the fragment uses.
  /// - Returns: What keeps it going; dropping it ends it, as cancelling does.
  /// - Complexity: O(*n*) in the records of the store at first; then in those that change.
  public func mirror<Fragment: GraphQLFragment>(
    _ fragment: Fragment.Type, variables: Variables = [:],
    into writer: some FragmentWriter<Fragment>
  ) -> ObservationHandle {
    let reference = FragmentRef<Fragment>(id: .root, variables: variables)
    guard case .record(_, let scope) = reference.target else {
      return ObservationHandle(receiver: ReplicaQueue { _ in }) {}
    }
    return store.replicate(Fragment.__plan, in: scope) { changes in
      var delivered = FragmentChanges<Fragment>()
      for change in changes {
        if let row = change.row {
          delivered.updated.append(Fragment(__row: Row(row)))
        } else {
          delivered.deletedIDs.append(change.id.rawValue)
        }
      }
      writer.write(delivered)
    }
  }
}
