public import Observation
public import RelayStore

/// The outbox of an environment, for a view.
///
///     let outbox = OutboxModel(in: environment)
///     Text("\(outbox.entries.count) changes are waiting")
@MainActor
public final class OutboxModel: Observable {
  private let outbox: Outbox?
  private let registrar = ObservationRegistrar()
  /// The entries that observers were last told of, and those that were last read.
  private var (shownEntries, readEntries): ([OutboxEntry], [OutboxEntry]) = ([], [])
  private var task: Task<Void, Never>?

  /// Creates a model. It has no entries if the environment has no outbox.
  public init(in environment: RelayEnvironment) {
    outbox = environment.outbox
    guard let outbox else { return }
    shownEntries = outbox.entries
    let lists = outbox.observe()
    task = Task { [weak self] in
      for await entries in lists { self?.show(entries) }
    }
  }

  deinit { task?.cancel() }

  /// The entries in the order of their commits. A mutation has its entry as soon as its commit
  /// returns.
  public var entries: [OutboxEntry] {
    registrar.access(self, keyPath: \.entries)
    readEntries = outbox?.entries ?? []
    return readEntries
  }

  /// Sends an entry again; see ``Outbox/retry(_:)``.
  public func retry(_ id: OutboxEntry.ID) async throws { try await outbox?.retry(id) }

  /// Removes an entry and reverts its optimistic update; see ``Outbox/discard(_:)``.
  public func discard(_ id: OutboxEntry.ID) async throws { try await outbox?.discard(id) }

  private func show(_ entries: [OutboxEntry]) {
    if entries == shownEntries, entries == readEntries { return }
    registrar.withMutation(of: self, keyPath: \.entries) {
      (shownEntries, readEntries) = (entries, entries)
    }
  }
}
