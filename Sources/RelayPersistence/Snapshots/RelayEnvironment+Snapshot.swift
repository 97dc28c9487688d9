public import Foundation
import RelayStore

extension RelayEnvironment {
  /// Creates an environment that reads a snapshot file, for example in a widget: queries, fragments and
  /// observers work as in the app that has exported it. What was not exported is missing.
  ///
  ///     let environment = try RelayEnvironment(snapshot: group.appending(path: "feed.snapshot"))
  ///     let feed = environment.read(FeedQuery(first: 10)).data
  ///
  /// The file is never written. What the environment fetches, and its updates, are in its memory only, until
  /// ``reloadSnapshot()``.
  ///
  /// - Parameters:
  ///   - url: The file that ``exportSnapshot(of:to:layer:)`` has written.
  ///   - cipher: The cipher of the app's storage; `nil` for none.
  ///   - inbox: The inbox into which
  ///     ``commit(_:optimisticResponse:durability:)`` puts mutations; `nil` for none.
  ///   - configuration: The options of the store; its storage is not used.
  ///   - transport: The transport that sends operations; without one every request throws.
  /// - Throws: ``/RelayStore/RelayError`` with code `storage` if there is no such file, or it is not a snapshot, is
  ///   truncated or damaged, or of another version.
  /// - Complexity: O(*n*) in the bytes of the file; a record is decoded when it is first read.
  public convenience init(
    snapshot url: URL, cipher: (any StorageCipher)? = nil, inbox: MutationInbox? = nil,
    configuration: RecordStore.Configuration = RecordStore.Configuration(),
    transport: (any Transport)? = nil
  ) throws {
    let snapshot = OpenedSnapshot(path: url.path, cipher: cipher, inbox: inbox)
    let store = try snapshot.read { try RecordStore($0, configuration: configuration) }
    // It was never read before.
    guard let store else { throw RelayError(.storage, "The snapshot has not changed.") }
    self.init(store: store, transport: transport ?? NoTransport())
    attachments[OpenedSnapshot.self] = snapshot
  }

  /// Reads the snapshot file again, and replaces the data by what it has now, in one change for observers.
  ///
  /// Optimistic responses stay. If the file cannot be read, the data stays.
  ///
  /// - Returns: Whether the file has changed since it was read last.
  /// - Throws: ``/RelayStore/RelayError`` with code `storage`, as ``init(snapshot:cipher:inbox:configuration:transport:)``,
  ///   and if the environment was created without a snapshot; with code `update` inside an updater.
  /// - Complexity: O(*n*) in the bytes of the file and the ids of the store, which is locked for a part of it.
  @discardableResult
  public func reloadSnapshot() throws -> Bool {
    guard let snapshot = attachments[OpenedSnapshot.self] else {
      throw RelayError(.storage, "The environment was created without a snapshot file.")
    }
    return try snapshot.read { [store] in try store.replaceRecords(by: $0) } != nil
  }

  /// Puts a mutation into an inbox, and applies its optimistic response.
  func add(
    _ commit: MutationCommit, to inbox: MutationInbox, after: [OutboxEntry.ID]
  ) throws -> OutboxEntry {
    let update = store.makeID()
    let root = DataID("client:local:\(update)")
    let request = OperationRequest(
      commit.operation, variables: commit.variables, store: store, root: root)
    // A response of another shape is refused before there is a file.
    let payload = try commit.optimisticResponse.map { try request.clientPayload($0) }
    let entry = try inbox.add(commit, after: after, date: store.date)
    if let payload, inbox.showsOptimisticResponses {
      try store.publish([.apply(update, payload: payload, root: root)])
    }
    return entry
  }
}
