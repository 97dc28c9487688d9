public import Foundation
import RelayStore

/// A directory in which other processes, such as an app's extensions, put mutations for the app's outbox.
///
///     let inbox = MutationInbox(directory: group.appending(path: "inbox"), user: user.id)
///
/// Each mutation is a file of its own, which is complete and on the disk as soon as it has its name. The
/// app takes them in; see ``OutboxOptions/inbox``. Several processes may add mutations at the same time.
public struct MutationInbox: Sendable {
  /// The directory, created when it is needed; nothing else may be in it.
  public let directory: URL
  /// The maximum number of bytes of one mutation, with its document and its optimistic response; 1 MiB by
  /// default. A larger one is refused by ``add(_:optimisticResponse:after:)``, and set aside by the app.
  public var byteLimit = 1 << 20
  /// The maximum number of files in the directory, 1,000 by default; adding one more throws.
  public var fileLimit = 1_000
  /// Whether an environment that reads a snapshot shows the optimistic response of what it has added, until
  /// its process ends.
  public var showsOptimisticResponses = true
  /// The identifier of the user: a hash, as that of the storage.
  let user: String
  let cipher: (any StorageCipher)?
  /// The calls of the file system, which tests let fail.
  package var files = FileSystem()

  /// Creates the value; nothing is read or written.
  ///
  /// - Parameters:
  ///   - directory: The directory, in a container that the app and its extensions share.
  ///   - user: What identifies the user, as in the storage of the app. The app sets the mutations of
  ///     another one aside.
  ///   - cipher: An encryption of the files; `nil` for none.
  public init(directory: URL, user: String = "", cipher: (any StorageCipher)? = nil) {
    self.directory = directory
    self.user = String(SHA256.hexadecimal(Array(user.utf8)).prefix(32))
    self.cipher = cipher
  }

  /// The path of the directory, without a slash at its end, which would follow a link.
  var path: String {
    var path = Substring(directory.path)
    while path.utf8.count > 1, path.last == "/" { path.removeLast() }
    return String(path)
  }

  /// The directory of the files that cannot be used.
  var rejectedPath: String { path + "/rejected" }

  // MARK: Adding

  /// Adds a mutation for the app, which sends it.
  ///
  ///     try inbox.add(
  ///       SetCompleteMutation(input: .init(id: id, isComplete: true)),
  ///       optimisticResponse: .init(setComplete: .init(todo: .init(id: id, isComplete: true))))
  ///
  /// Mutations that one process adds one after the other are taken in in this order.
  ///
  /// - Parameters:
  ///   - mutation: The mutation with its variables, without files.
  ///   - optimisticResponse: The response that the app applies until that of the server is received.
  ///   - after: Entries that have to be answered before it is sent, such as those that this method has
  ///     returned before.
  /// - Returns: The entry, with the id that it will have in the app's outbox.
  /// - Throws: ``/RelayStore/RelayError`` with code `storage` if it cannot be stored, and with code `request` if there
  ///   are too many, or it is too large or has files. The mutation is not sent then, unless the disk has
  ///   failed after the file got its name.
  /// - Complexity: O(*n*) in the files of the directory, for which it waits.
  @discardableResult
  public func add<Mutation: GraphQLMutation>(
    _ mutation: Mutation, optimisticResponse: Mutation.RawResponse? = nil,
    after: [OutboxEntry.ID] = []
  ) throws -> OutboxEntry {
    let commit = try MutationCommit(
      mutation, optimisticResponse: optimisticResponse, rowLimit: ReadLimits().rows)
    return try add(commit, after: after, date: Date())
  }

  /// Adds a mutation that is given as a value.
  func add(
    _ commit: MutationCommit, after: [OutboxEntry.ID], date: Date
  ) throws -> OutboxEntry {
    try commit.checkIsStorable()
    var record = OutboxRecord(commit, date: date, after: after)
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
          .request, "The inbox has \(names.count.counted("mutation")), which is its limit.",
          operationName: commit.operation.name)
      }
      let name = InboxFileName(date: date, after: names.last.flatMap { InboxFileName($0) })
      try files.write(bytes, to: "\(path)/\(name.text)", replaces: false)
    } catch let error as RelayError {
      throw error
    } catch {
      let failure = StorageFailure(wrapping: error)
      throw RelayError(
        .storage, failure.description, operationName: commit.operation.name, underlying: failure)
    }
    return record.entry
  }

  // MARK: Files

  /// The names of the files of mutations, in their order.
  ///
  /// - Parameter makingReadable: Whether files whose names are not UTF-8 are renamed.
  /// - Throws: ``StorageFailure``.
  func names(makingReadable: Bool = false) throws -> [String] {
    try files.checkIsNoLink(path)
    return try files.names(in: path, makingReadable: makingReadable).filter {
      !FileSystem.isTemporary($0) && $0 != "rejected"
    }
  }

  /// The names of the files to take in, in their order.
  ///
  /// A file that is created while a directory is read may or may not be listed, so a later one of its
  /// process may be listed without it. The second list has all that precede those of the first one.
  ///
  /// - Throws: ``StorageFailure``.
  func namesToTakeIn() throws -> [String] {
    var last: [String: String] = [:]
    let first = try names(makingReadable: true)
    if first.isEmpty { return [] }
    for name in first {
      if let file = InboxFileName(name) { last[file.process] = name }
    }
    return try names().filter { name in
      // What is not of the inbox's making is set aside.
      guard let file = InboxFileName(name) else { return true }
      return last[file.process].map { name.precedesByBytes($0) || name == $0 } ?? false
    }
  }

  /// Returns the mutation in a file; `nil` if there is none any more.
  ///
  /// - Parameter owner: The user of the outbox.
  /// - Throws: ``StorageFailure``, of kind `io` if the file cannot be read now, and of another kind if it
  ///   cannot be used.
  func record(in name: String, owner: String) throws -> OutboxRecord? {
    guard InboxFileName(name) != nil else {
      throw StorageFailure(.rejected, "Its name is not that of a mutation.")
    }
    let contents = try SealedFile.read(
      "\(path)/\(name)", as: .mutation, cipher: cipher, limit: byteLimit, files: files)
    guard let contents else { return nil }
    guard var record = OutboxRecord(Array(contents)), record.entry.state == .queued,
      record.response == nil, !record.entry.id.rawValue.isEmpty
    else { throw StorageFailure(.corrupt, "It is damaged: it has no mutation.") }
    guard record.user == owner else {
      throw StorageFailure(.rejected, "It is of another user.")
    }
    guard let operation = record.operation else {
      throw StorageFailure(.corrupt, "Its plan is of another version of RelayStore.")
    }
    guard operation.normalization.privacy == nil else {
      throw StorageFailure(.rejected, "It uses elements with @noPersist.")
    }
    // What only the outbox may say.
    (record.entry.attempts, record.entry.nextAttempt, record.entry.errorMessage) = (0, nil, nil)
    (record.acknowledgement, record.file) = (0, name)
    return record
  }

  /// Moves a file that cannot be used into the directory `rejected`, where it replaces none.
  ///
  /// - Returns: Its new path; `nil` if there is no such file any more.
  /// - Throws: ``StorageFailure``; the file stays then.
  func setAside(_ name: String) throws -> String? {
    if !FileSystem.isDirectory(rejectedPath) {
      // A link, or a file, is renamed and then set aside as any other.
      _ = try files.rename(rejectedPath, to: files.freePath(for: "rejected", in: path))
      try files.makeDirectory(rejectedPath)
    }
    let new = files.freePath(for: name, in: rejectedPath)
    return try files.rename("\(path)/\(name)", to: new) ? new : nil
  }

  /// Removes files durably.
  ///
  /// - Throws: ``StorageFailure``; some of them may be removed then.
  func remove(_ names: [String]) throws {
    if names.isEmpty { return }
    for name in names { try files.remove("\(path)/\(name)") }
    try files.synchronize(directory: path)
  }

  /// Removes everything that is in the directory: all mutations, also those that were set aside and those
  /// that are being added, and what others have put there. No link is followed.
  ///
  /// - Throws: ``StorageFailure``, the first one, after everything was tried.
  func removeAll() throws { try files.removeContents(of: path) }
}
