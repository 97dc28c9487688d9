import RelayStore

extension Transport {
  /// Returns this transport with automatic persisted queries: the hash of a document is sent first,
  /// and the document only when the server has not persisted it yet.
  ///
  /// The protocol puts `{"persistedQuery": {"version": 1, "sha256Hash": …}}` in the extensions. The
  /// server reports a miss with the error message `PersistedQueryNotFound` or the code
  /// `PERSISTED_QUERY_NOT_FOUND`. Once a server reports that it does not support persisted queries,
  /// every later request includes its document. Requests with files are not changed.
  ///
  /// - Parameter includesMutations: Whether mutations are also sent by hash.
  public func persistingQueries(includesMutations: Bool = true) -> some Transport {
    let hashes = Locked<[ByteString: String]>([:], rank: .leaf)
    let isSupported = Locked(true, rank: .leaf)
    return intercepting { request, next in
      let isEligible = request.kind == .query || includesMutations
      guard isEligible, request.uploads.isEmpty, isSupported.withLock({ $0 }) else {
        return try await next.execute(request)
      }
      let key = ByteString(request.text)
      let cached = request.id ?? hashes.withLock { $0[key] }
      let hash = cached ?? SHA256.hexadecimal(Array(request.text.utf8))
      hashes.withLock { $0[key] = hash }
      var hashed = request
      hashed.includesText = false
      hashed.extensions["persistedQuery"] = ["version": 1, "sha256Hash": .string(hash)]
      let result: Result<GraphQLResponse, any Error>
      do {
        result = .success(try await next.execute(hashed))
      } catch {
        result = .failure(error)
      }
      // The document is empty when generated code contains only its hash.
      guard !request.text.isEmpty, let miss = result.persistedQueryMiss else {
        return try result.get()
      }
      if miss == .unsupported {
        isSupported.withLock { $0 = false }
        return try await next.execute(request)
      }
      hashed.includesText = true
      return try await next.execute(hashed)
    }
  }
}

private enum PersistedQueryMiss { case unknown, unsupported }

extension Result where Success == GraphQLResponse, Failure == any Error {
  /// The miss that the server reports for a document's hash, under any status; `nil` for none.
  fileprivate var persistedQueryMiss: PersistedQueryMiss? {
    let errors =
      switch self {
      case .success(let response): response.requestErrors
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
