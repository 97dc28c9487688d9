import RelayStore

extension MockTransport.Pending {
  /// Resolves the request with the responses of a schema server, which may generate their values:
  ///
  ///     let schema = try SchemaServer(schema: sdl, generating: GeneratedValues())
  ///     …
  ///     try await server.next(FeedQuery.self).resolve(by: schema)
  ///
  /// A response in parts is sent part by part; each part waits until the environment has processed
  /// the previous one. A subscription's request is forwarded until either side ends it. If the
  /// schema server throws an error, the request is rejected with it, as by a broken connection.
  ///
  /// - Throws: ``CancelledWaitError`` or `CancellationError` if the test's task is cancelled; the
  ///   request may still be resolved afterwards.
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

  /// Reports the events of the schema server until it or the caller ends the request.
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
