public import RelayStore

/// A writer that updates the objects of a context.
///
/// The changes of a commit are one unit of work. Changes that could not be saved are not lost: they
/// are written again before the next commit's changes, and one at a time if they cannot be saved
/// together. So an object that can never be saved does not block the others.
public struct ObjectWriter<Object: ContextObject>: PersistentFragmentWriter {
  public typealias Fragment = Object.Fragment

  private struct State {
    /// The changes that could not be saved and wait for the next commit.
    var failed = PendingFragments<Fragment>()
    /// The changes that could not be saved together and are about to be written one at a time.
    var single = PendingFragments<Fragment>()
  }

  private let context: Object.Context
  private let state = Locked(State(), rank: .leaf)

  /// Creates a writer.
  ///
  /// - Parameters:
  ///   - type: The type of the objects.
  ///   - context: The context that owns the objects.
  public init(_ type: Object.Type = Object.self, in context: Object.Context) {
    self.context = context
  }

  public func write(_ changes: FragmentChanges<Object.Fragment>) {
    writeFailed()
    var new = PendingFragments<Fragment>()
    new.add(changes)
    context.perform { [state, new] context in
      state.withLock { state in
        state.failed.remove(new)
        state.single.remove(new)
      }
      return try Object.apply(changes, in: context)
    } onFailure: { [state, new] in
      state.withLock { $0.failed.restore(new) }
    }
  }

  public func readStamps(_ completion: @escaping @Sendable ([DataID: FragmentStamp]) -> Void) {
    writeFailed()
    context.perform { context in
      let stamps = Result { try Object.stamps(in: context) }
      completion((try? stamps.get()) ?? [:])
      _ = try stamps.get()
      return false
    }
  }

  /// Writes the changes that could not be saved, as one unit of work.
  private func writeFailed() {
    write {
      $0.failed.take()
    } onFailure: { failed in
      if failed.changes.count == 1 { return state.withLock { $0.failed.restore(failed) } }
      state.withLock { $0.single.restore(failed) }
      for id in failed.ids {
        write {
          $0.single.take(id)
        } onFailure: { failed in
          state.withLock { $0.failed.restore(failed) }
        }
      }
    }
  }

  /// Writes changes, which are taken from the state only when the context performs the work.
  private func write(
    _ take: @escaping @Sendable (inout State) -> PendingFragments<Fragment>,
    onFailure: @escaping @Sendable (PendingFragments<Fragment>) -> Void
  ) {
    let taken = Locked(PendingFragments<Fragment>(), rank: .leaf)
    context.perform { [state] context in
      let changes = state.withLock { take(&$0) }
      taken.withLock { $0 = changes }
      return try !changes.isEmpty && Object.apply(changes.merged, in: context)
    } onFailure: {
      let failed = taken.withLock { $0 }
      if !failed.isEmpty { onFailure(failed) }
    }
  }
}
