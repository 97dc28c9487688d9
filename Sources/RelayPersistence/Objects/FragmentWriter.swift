public import RelayStore

/// The changes that one commit makes to the objects of a fragment's type.
public struct FragmentChanges<Fragment: GraphQLFragment>: Sendable {
  /// The values of changed and new objects.
  public var updated: [Fragment]
  /// The stamps of the ``updated`` values, in the same order, for a ``PersistentFragmentWriter``;
  /// empty for other writers.
  public var stamps: [FragmentStamp]
  /// The ids of deleted objects.
  public var deletedIDs: [String]

  /// Creates the changes of a commit; empty by default.
  public init(
    updated: [Fragment] = [], stamps: [FragmentStamp] = [], deletedIDs: [String] = []
  ) {
    self.updated = updated
    self.stamps = stamps
    self.deletedIDs = deletedIDs
  }
}

/// A consumer of the objects of a fragment's type; see
/// ``RelayStore/RelayEnvironment/mirror(_:variables:into:)``.
public protocol FragmentWriter<Fragment>: Sendable {
  /// The type of the values that the writer receives.
  associatedtype Fragment: GraphQLFragment

  /// Writes the changes of a commit. Called in order, one call at a time, on the thread of the
  /// commit.
  func write(_ changes: FragmentChanges<Fragment>)
}

/// A writer that saves each value and its stamp in one transaction, so that the mirror of the app's
/// next run does not write the value again.
///
/// That mirror writes an object of the store if its value differs from the saved one. It deletes an
/// object with a saved stamp if the store knows that the object was deleted. Objects that are not
/// in the store remain unchanged.
public protocol PersistentFragmentWriter<Fragment>: FragmentWriter {
  /// Reads the saved stamps, then calls the closure once, on any thread.
  ///
  /// Called once for each mirror, when the store's records are loaded and before any
  /// ``FragmentWriter/write(_:)`` of the mirror.
  ///
  /// - Parameter completion: Receives the stamp of each object by id, with
  ///   ``/RelayStore/FragmentStamp/outdated`` for an object whose value must be written again.
  func readStamps(_ completion: @escaping @Sendable ([DataID: FragmentStamp]) -> Void)
}

extension RelayEnvironment {
  /// Writes every object of a fragment's type to the app's own storage: the existing objects first,
  /// then the changes of each commit.
  ///
  ///     let mirror = environment.mirror(
  ///       PersonFragment.self, into: ObjectWriter(Person.self, in: context))
  ///
  /// The writer is called once for each commit, or batch, that changes a fragment's value or
  /// deletes an object. Only complete values are written; an object with a missing field is written
  /// when the field arrives. Optimistic values are also written, and replaced when their update is
  /// reverted.
  ///
  /// With a persisted store, mirroring starts once its records are loaded and the optimistic
  /// updates of its outbox are applied again. A ``PersistentFragmentWriter``, such as an
  /// ``ObjectWriter``, does not receive values that it saved in an earlier run.
  ///
  /// Records removed by garbage collection or ``/RelayStore/RelayEnvironment/reset()`` are not
  /// deleted from the app's storage. The mirror retains neither records nor values. It remembers
  /// only the id and a hash of each value written. So an unchanged value is not written again after
  /// its record returns, and a later deletion is passed on.
  ///
  /// - Parameters:
  ///   - fragment: A fragment on the type of the objects.
  ///   - variables: Values for the variables that the fragment uses.
  ///   - writer: The consumer of the objects, such as an ``ObjectWriter``.
  /// - Returns: A handle that keeps the mirror running; dropping or cancelling it ends the writes.
  /// - Complexity: O(*n*) in the records of the store at first; then in the records that change.
  public func mirror<Fragment: GraphQLFragment>(
    _ fragment: Fragment.Type, variables: Variables = [:],
    into writer: some FragmentWriter<Fragment>
  ) -> ObservationHandle {
    let reference = FragmentRef<Fragment>(id: .root, variables: variables)
    guard case .record(_, let scope) = reference.target else {
      return ObservationHandle(nil, in: store)
    }
    let durable = writer as? any PersistentFragmentWriter
    return store.replicate(
      Fragment.__plan, in: scope,
      stamps: { [persistentMutations] completion in
        let readStamps = { @Sendable in durable?.readStamps(completion) ?? completion(nil) }
        guard let persistentMutations, !persistentMutations.isLoaded else { return readStamps() }
        // If it started before the outbox is loaded, the mirror would revert the values of pending
        // mutations and then write them again.
        Task.detached {
          try? await persistentMutations.loaded()
          readStamps()
        }
      }
    ) { changes in
      var delivered = FragmentChanges<Fragment>()
      for change in changes.rows {
        if let row = change.row {
          delivered.updated.append(Fragment(__row: Row(row)))
          if durable == nil { continue }
          delivered.stamps.append(
            change.hashing.map { FragmentStamp(row, $0, revision: change.revision) } ?? .outdated)
        } else {
          delivered.deletedIDs.append(change.id.rawValue)
        }
      }
      writer.write(delivered)
    }
  }
}
