import RelayStore

extension MockTransport.Pending {
  /// Resolves the request with the responses of a schema server, which may generate their values:
  ///
  ///     let schema = try SchemaServer(schema: sdl, generating: GeneratedValues())
  ///     …
  ///     try await server.next(FeedQuery.self).resolve(by: schema)
  ///
  /// A response that arrives in parts is sent part by part, each once the environment has processed
  /// the one before. A subscription's request is passed on until either side ends it. When the
  /// schema server throws an error, the request is rejected with it, as by a broken connection.
  ///
  /// - Throws: ``CancelledWaitError`` or `CancellationError` when the task of the test is cancelled;
  ///   the request may be resolved afterwards.
  public func resolve(by schemaServer: SchemaServer) async throws {
    do {
      if hasOneResponse {
        resolve(try await schemaServer.execute(request))
      } else {
        try await forwardEvents(of: schemaServer)
        finish()
      }
    } catch {
      try Task.checkCancellation()
      if !isCancelled { reject(error) }
    }
  }

  /// Reports the events of the schema server until it ends the request, or the caller does.
  private func forwardEvents(of schemaServer: SchemaServer) async throws {
    try await withThrowingTaskGroup(of: Void.self) { group in
      group.addTask { [self] in
        try await schemaServer.stream(request) { event in
          report(event)
          try await delivered()
        }
      }
      group.addTask { [self] in _ = try await cancelled() }
      defer { group.cancelAll() }
      try await group.next()
    }
  }
}
