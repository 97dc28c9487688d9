public import Foundation
import RelayStore

extension RelayEnvironment {
  /// Creates an environment that reads a snapshot file, for example in a widget. Queries, fragments
  /// and observers work as in the exporting app. Data that was not exported is missing.
  ///
  ///     let environment = try RelayEnvironment(snapshot: group.appending(path: "feed.snapshot"))
  ///     let feed = environment.read(FeedQuery(first: 10)).data
  ///
  /// The environment never writes to the file. Its responses and updates are only in memory, until
  /// ``reloadSnapshot()``.
  ///
  /// - Parameters:
  ///   - url: The file written by ``exportSnapshot(of:to:layer:)``.
  ///   - cipher: The cipher of the app's storage; `nil` for none.
  ///   - inbox: The inbox for mutations committed with
  ///     ``commit(_:optimisticResponse:durability:label:userInfo:coalescing:movesFiles:)``; `nil`
  ///     for none.
  ///   - configuration: The options of the store; its storage is ignored.
  ///   - transport: The transport that sends operations; without one every request throws.
  /// - Throws: ``/RelayStore/RelayError`` with code `persistence` if the file does not exist, is
  ///   not a snapshot, is truncated or damaged, or has a different version.
  /// - Complexity: O(*n*) in the bytes of the file; a record is decoded when it is first read.
  public convenience init(
    snapshot url: URL, cipher: (any PersistenceCipher)? = nil, inbox: MutationInbox? = nil,
    configuration: RecordStore.Configuration = RecordStore.Configuration(),
    transport: (any Transport)? = nil
  ) throws {
    let snapshot = OpenedSnapshot(path: url.path, cipher: cipher, inbox: inbox)
    let store = try snapshot.read { try RecordStore($0, configuration: configuration) }
    // Never `nil`: this is the first read.
    guard let store else { throw RelayError(.persistence, "The snapshot has not changed.") }
    self.init(store: store, transport: transport ?? NoTransport())
    attachments[OpenedSnapshot.self] = snapshot
  }

  /// Rereads the snapshot file and replaces the data with its contents, in one change for
  /// observers.
  ///
  /// Optimistic responses are preserved. If the file cannot be read, the data is unchanged.
  ///
  /// - Returns: Whether the file has changed since it was last read.
  /// - Throws: ``/RelayStore/RelayError`` with code `persistence`, as
  ///   ``init(snapshot:cipher:inbox:configuration:transport:)``, and if the environment was created
  ///   without a snapshot; with code `update` inside an updater.
  /// - Complexity: O(*n*) in the bytes of the file and the ids of the store; the store is locked
  ///   for part of it.
  @discardableResult
  public func reloadSnapshot() throws -> Bool {
    guard let snapshot = attachments[OpenedSnapshot.self] else {
      throw RelayError(.persistence, "The environment was created without a snapshot file.")
    }
    return try snapshot.read { [store] in try store.replaceRecords(by: $0) } != nil
  }

  /// Puts a mutation in an inbox and applies its optimistic response.
  func add(
    _ commit: MutationCommit, _ description: OutboxDescription, to inbox: MutationInbox,
    after: [OutboxEntry.ID]
  ) throws -> OutboxEntry {
    let update = store.makeID()
    let root = DataID("client:local:\(update)")
    let request = OperationRequest(
      commit.operation, variables: commit.variables, store: store, root: root)
    // A response with the wrong shape is rejected before a file is created.
    let payload = try commit.optimisticResponse.map { try request.clientPayload($0) }
    let entry = try inbox.add(commit, description, after: after, date: store.date)
    if let payload, inbox.showsOptimisticResponses {
      try store.publish([.apply(update, payload: payload, root: root, of: commit.operation.name)])
    }
    return entry
  }
}
