extension Transport {
  /// This transport, which sends the hash of a document first, and the document only when the server
  /// does not know it yet.
  ///
  /// It speaks the protocol of automatic persisted queries: `{"persistedQuery": {"version": 1, "sha256Hash": …}}`
  /// in the extensions, and an error with the message `PersistedQueryNotFound` (or the code `PERSISTED_QUERY_NOT_FOUND`) for a miss. A server that
  /// answers that it does not support them gets the documents from then on. Requests with files are left as they are.
  ///
  /// - Parameter includesMutations: Whether mutations are sent by their hash too.
  public func persistingQueries(includesMutations: Bool = true) -> some Transport {
    let hashes = Locked<[ByteString: String]>([:], rank: .leaf)
    let isSupported = Locked(true, rank: .leaf)
    return intercepting { request, next in
      let isMeant = request.kind == .query || includesMutations
      guard isMeant, request.uploads.isEmpty, isSupported.withLock({ $0 }) else {
        return try await next.execute(request)
      }
      let key = ByteString(request.text)
      let known = request.id ?? hashes.withLock { $0[key] }
      let hash = known ?? SHA256.hexadecimal(Array(request.text.utf8))
      hashes.withLock { $0[key] = hash }
      var short = request
      short.includesText = false
      short.extensions["persistedQuery"] = ["version": 1, "sha256Hash": .string(hash)]
      let result: Result<GraphQLResponse, any Error>
      do {
        result = .success(try await next.execute(short))
      } catch {
        result = .failure(error)
      }
      // Generated code may have left the text out.
      guard !request.text.isEmpty, let miss = result.persistedQueryMiss else {
        return try result.get()
      }
      if miss == .unsupported {
        isSupported.withLock { $0 = false }
        return try await next.execute(request)
      }
      short.includesText = true
      return try await next.execute(short)
    }
  }
}

private enum PersistedQueryMiss { case unknown, unsupported }

extension Result where Success == GraphQLResponse, Failure == any Error {
  /// Whether the server says that it cannot find a document by its hash, with whatever status.
  fileprivate var persistedQueryMiss: PersistedQueryMiss? {
    let errors =
      switch self {
      case .success(let response): response.refusals
      case .failure(let error): (error as? RelayError)?.errors ?? []
      }
    for error in errors {
      switch (error.message, error.extensions["code"]?.string) {
      case ("PersistedQueryNotFound", _), (_, "PERSISTED_QUERY_NOT_FOUND"): return .unknown
      case ("PersistedQueryNotSupported", _), (_, "PERSISTED_QUERY_NOT_SUPPORTED"):
        return .unsupported
      default: continue
      }
    }
    return nil
  }
}
