public import Foundation
import RelayStore

/// A directory where other processes, such as an app's extensions, put mutations for the app's
/// outbox.
///
///     let inbox = MutationInbox(directory: group.appending(path: "inbox"), user: user.id)
///
/// Each mutation has its own file, complete and on disk as soon as it has its name. The app imports
/// the files; see ``OutboxOptions/inbox``. Several processes may add mutations at the same time.
public struct MutationInbox: Sendable {
  /// The directory, created on demand. It must not contain anything else.
  public let directory: URL
  /// The maximum number of bytes of one mutation, including its document and optimistic response; 1
  /// MiB by default. A larger one is rejected by
  /// ``add(_:optimisticResponse:after:label:userInfo:)`` and by the app.
  public var byteLimit = 1 << 20
  /// The maximum number of files in the directory, 1,000 by default; adding another one throws.
  public var fileLimit = 1_000
  /// Whether an environment that reads a snapshot shows the optimistic responses of its own
  /// mutations until its process ends.
  public var showsOptimisticResponses = true
  /// The identifier of the user: a hash, as in the storage.
  let user: String
  let cipher: (any PersistenceCipher)?
  /// File-system operations; tests inject failures here.
  package var files = FileSystem()

  /// Creates an inbox without reading or writing files.
  ///
  /// - Parameters:
  ///   - directory: The directory, in a container shared by the app and its extensions.
  ///   - user: The identifier of the user, as in the app's storage. The app rejects the mutations
  ///     of a different user.
  ///   - cipher: An encryption of the files; `nil` for none.
  public init(directory: URL, user: String = "", cipher: (any PersistenceCipher)? = nil) {
    self.directory = directory
    self.user = String(SHA256.hexadecimal(Array(user.utf8)).prefix(32))
    self.cipher = cipher
  }

  /// The path of the directory without a trailing slash, because that would follow a link.
  var path: String {
    var path = Substring(directory.path)
    while path.utf8.count > 1, path.last == "/" { path.removeLast() }
    return String(path)
  }

  /// The directory of rejected files.
  var rejectedPath: String { path + "/rejected" }

  // MARK: Adding

  /// Adds a mutation for the app to send.
  ///
  ///     try inbox.add(
  ///       SetCompleteMutation(input: .init(id: id, isComplete: true)),
  ///       optimisticResponse: .init(setComplete: .init(todo: .init(id: id, isComplete: true))))
  ///
  /// Mutations added by one process are imported in that order.
  ///
  /// - Parameters:
  ///   - mutation: The mutation with its variables, without files.
  ///   - optimisticResponse: The response that the app applies until it receives the server's.
  ///   - after: Entries that must complete before this one is sent, such as earlier results of this
  ///     method.
  ///   - label: Words for the user, persisted with the entry.
  ///   - userInfo: Values of the app, persisted with the entry as JSON.
  /// - Returns: The entry, with the id that it will have in the app's outbox.
  /// - Throws: ``/RelayStore/RelayError`` with code `persistence` if it cannot be persisted, and
  ///   with code `request` if there are too many mutations, or it is too large or has files. The
  ///   mutation is then not sent, unless the disk failed after the file got its name.
  /// - Complexity: O(*n*) in the files of the directory; waits for the disk.
  @discardableResult
  public func add<Mutation: GraphQLMutation>(
    _ mutation: Mutation, optimisticResponse: Mutation.RawResponse? = nil,
    after: [OutboxEntry.ID] = [], label: String? = nil, userInfo: (any Encodable)? = nil
  ) throws -> OutboxEntry {
    let commit = try MutationCommit(
      mutation, optimisticResponse: optimisticResponse, rowLimit: ReadLimits().rows)
    let description = try OutboxDescription(
      label: label, userInfo: userInfo, operationName: commit.operation.name)
    return try add(commit, description, after: after, date: Date())
  }

  /// Adds a mutation given as a commit.
  func add(
    _ commit: MutationCommit, _ description: OutboxDescription = .init(),
    after: [OutboxEntry.ID], date: Date
  ) throws -> OutboxEntry {
    try commit.checkIsStorable()
    var record = OutboxRecord(commit, description, date: date, after: after)
    record.user = user
    do {
      let bytes = try SealedFile.seal(record.contents, as: .mutation, cipher: cipher)
      guard bytes.count <= byteLimit else {
        throw RelayError(
          .request,
          "The mutation has \(bytes.count.counted("byte")) with its document; the inbox accepts \(byteLimit).",
          operationName: commit.operation.name)
      }
      try files.checkIsNoLink(path)
      try files.makeDirectory(path)
      files.removeAbandoned(in: path, prefix: "")
      let names = try names()
      guard names.count < fileLimit else {
        throw RelayError(
          .request, "The inbox is full: it has \(names.count.counted("mutation")).",
          operationName: commit.operation.name)
      }
      let name = InboxFileName(date: date, after: names.last.flatMap { InboxFileName($0) })
      try files.write(bytes, to: "\(path)/\(name.text)", replaces: false)
    } catch let error as RelayError {
      throw error
    } catch {
      let failure = PersistenceFailure(wrapping: error)
      throw RelayError(
        .persistence, failure.description, operationName: commit.operation.name, underlying: failure
      )
    }
    return record.entry
  }

  // MARK: Files

  /// Returns the names of mutation files, in order.
  ///
  /// - Parameter makingReadable: Whether to rename files whose names are not UTF-8.
  /// - Throws: ``PersistenceFailure``.
  func names(makingReadable: Bool = false) throws -> [String] {
    try files.checkIsNoLink(path)
    return try files.names(in: path, makingReadable: makingReadable).filter {
      !FileSystem.isTemporary($0) && $0 != "rejected"
    }
  }

  /// Returns the names of the files to import, in order.
  ///
  /// A file created while the directory is read may be missing from the list, even if a later file
  /// of the same process is listed. A second list includes every file before those in the first
  /// one.
  ///
  /// - Throws: ``PersistenceFailure``.
  func namesToImport() throws -> [String] {
    var last: [String: String] = [:]
    let first = try names(makingReadable: true)
    if first.isEmpty { return [] }
    for name in first {
      if let file = InboxFileName(name) { last[file.process] = name }
    }
    return try names().filter { name in
      // Includes foreign files, to be rejected.
      guard let file = InboxFileName(name) else { return true }
      return last[file.process].map { name.precedesByBytes($0) || name == $0 } ?? false
    }
  }

  /// Returns the mutation in a file; `nil` if the file no longer exists.
  ///
  /// - Parameter owner: The user of the outbox.
  /// - Throws: ``PersistenceFailure``, of kind `io` if the file cannot be read now, and of a
  ///   different kind if it is unusable.
  func record(in name: String, owner: String) throws -> OutboxRecord? {
    guard InboxFileName(name) != nil else {
      throw PersistenceFailure(.rejected, "Its name is not a valid mutation file name.")
    }
    let contents = try SealedFile.read(
      "\(path)/\(name)", as: .mutation, cipher: cipher, limit: byteLimit, files: files)
    guard let contents else { return nil }
    guard var record = OutboxRecord(Array(contents)), record.entry.state == .queued,
      record.response == nil, !record.entry.id.rawValue.isEmpty
    else { throw PersistenceFailure(.corrupt, "It is damaged: it has no mutation.") }
    guard record.user == owner else {
      throw PersistenceFailure(.rejected, "It belongs to another user.")
    }
    guard let operation = record.operation else {
      throw PersistenceFailure(.corrupt, "Its plan comes from another version of RelayStore.")
    }
    guard operation.normalization.privacy == nil else {
      throw PersistenceFailure(.rejected, "It uses elements with @noPersist.")
    }
    // Only the outbox may set these values.
    (record.entry.attempts, record.entry.nextAttempt, record.entry.error) = (0, nil, nil)
    (record.acknowledgement, record.file) = (0, name)
    return record
  }

  /// Moves an unusable file to the `rejected` directory, without replacing a file there.
  ///
  /// - Returns: Its new path; `nil` if the file no longer exists.
  /// - Throws: ``PersistenceFailure``; the file is then not moved.
  func reject(_ name: String) throws -> String? {
    if !FileSystem.isDirectory(rejectedPath) {
      // A link or file with this name is renamed, then rejected like any other file.
      _ = try files.rename(rejectedPath, to: files.freePath(for: "rejected", in: path))
      try files.makeDirectory(rejectedPath)
    }
    let new = files.freePath(for: name, in: rejectedPath)
    return try files.rename("\(path)/\(name)", to: new) ? new : nil
  }

  /// Removes files durably.
  ///
  /// - Throws: ``PersistenceFailure``; some of the files may already be removed.
  func remove(_ names: [String]) throws {
    if names.isEmpty { return }
    for name in names { try files.remove("\(path)/\(name)") }
    try files.synchronize(directory: path)
  }

  /// Removes everything in the directory: pending mutations, rejected ones, mutations being added,
  /// and foreign files. Links are not followed.
  ///
  /// - Throws: The first ``PersistenceFailure``, after everything was tried.
  func removeAll() throws { try files.removeContents(of: path) }
}
