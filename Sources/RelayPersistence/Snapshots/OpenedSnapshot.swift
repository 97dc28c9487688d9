import RelayStore

/// The snapshot file that an environment reads.
struct OpenedSnapshot: Sendable {
  let path: String
  let cipher: (any PersistenceCipher)?
  /// The inbox of the app that writes the file; `nil` for none.
  let inbox: MutationInbox?
  /// The hash of the contents last read.
  private let digest = Locked<UInt64?>(nil, rank: .leaf)

  /// Reads the file and passes its records to a closure.
  ///
  /// - Returns: The closure's result; `nil` if the file has not changed since the last call.
  /// - Throws: ``RelayError`` with code `persistence` that describes the problem with the file.
  func read<Result>(_ body: (LoadedImage) throws -> Result) throws -> Result? {
    do {
      let contents = try SealedFile.read(
        path, as: .snapshot, cipher: cipher, limit: SealedFile.snapshotByteLimit,
        files: FileSystem())
      guard let contents else { throw PersistenceFailure(.unavailable, "It does not exist.") }
      var checksum = Checksum()
      contents.withUnsafeBytes { checksum.combine($0) }
      if digest.withLock({ $0 }) == checksum.value { return nil }
      let result = try body(PersistedExport.load(contents))
      digest.withLock { $0 = checksum.value }
      return result
    } catch let failure as PersistenceFailure {
      throw RelayError(
        .persistence, "The snapshot \"\(path)\" cannot be read. \(failure)", underlying: failure)
    }
  }
}

/// The transport of an environment without one.
struct NoTransport: Transport {
  func execute(_ request: GraphQLRequest) async throws -> GraphQLResponse {
    throw RelayError(
      .transport, "The environment reads a snapshot, and was created without a transport.",
      operationName: request.operationName)
  }
}
