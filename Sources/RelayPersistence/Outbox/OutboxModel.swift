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
  private var currentEntries: [OutboxEntry] = []
  private var task: Task<Void, Never>?

  /// Creates a model. It has no entries if the environment has no outbox.
  public init(in environment: RelayEnvironment) {
    outbox = environment.outbox
    guard let outbox else { return }
    currentEntries = outbox.entries
    let lists = outbox.observe()
    task = Task { [weak self] in
      for await entries in lists { self?.show(entries) }
    }
  }

  deinit { task?.cancel() }

  /// The entries in the order of their commits.
  public var entries: [OutboxEntry] {
    registrar.access(self, keyPath: \.entries)
    return currentEntries
  }

  /// Sends an entry again; see ``Outbox/retry(_:)``.
  public func retry(_ id: OutboxEntry.ID) async throws { try await outbox?.retry(id) }

  /// Removes an entry and reverts its optimistic update; see ``Outbox/discard(_:)``.
  public func discard(_ id: OutboxEntry.ID) async throws { try await outbox?.discard(id) }

  private func show(_ entries: [OutboxEntry]) {
    if entries == currentEntries { return }
    registrar.withMutation(of: self, keyPath: \.entries) { currentEntries = entries }
  }
}
