/// What became of one request, without any value of it: fit for a log.
public struct RequestLog: Sendable, Hashable, CustomStringConvertible {
  /// The operation's name.
  public var operationName: String
  /// Whether it reads, changes or subscribes.
  public var kind: OperationKind
  /// How long it took.
  public var duration: Duration
  /// The HTTP status, where there was one.
  public var status: Int?
  /// How long the response was; `nil` where there was none.
  public var byteCount: Int?
  /// What kind of error was thrown; `nil` where there was a response. Cancellation is one too.
  public var failure: RelayError.Code?

  /// One line: `query FeedQuery: 200, 1532 bytes in 0.031 seconds`.
  public var description: String {
    var facts: [String] = []
    if let status { facts.append("\(status)") }
    if let failure { facts.append("failed (\(failure))") }
    if let byteCount { facts.append("\(byteCount) bytes") }
    let text = facts.joined(separator: ", ")
    return "\(kind) \(operationName): \(text) in \(duration)"
  }
}

extension Transport {
  /// This transport, which tells what became of each request.
  ///
  /// Put last it sees each call of the app once; before ``retrying(_:clock:chance:)`` it sees every attempt.
  public func logging<C: Clock>(
    clock: C = ContinuousClock(), _ log: @escaping @Sendable (RequestLog) -> Void
  ) -> some Transport where C.Duration == Duration {
    intercepting { request, next in
      let start = clock.now
      func entry() -> RequestLog {
        RequestLog(
          operationName: request.operationName, kind: request.kind,
          duration: start.duration(to: clock.now))
      }
      do {
        let response = try await next.execute(request)
        var entry = entry()
        entry.status = response.status
        entry.byteCount = response.body.count
        log(entry)
        return response
      } catch {
        var entry = entry()
        entry.status = (error as? RelayError)?.status
        entry.failure =
          error is CancellationError ? .cancelled : (error as? RelayError)?.code ?? .transport
        log(entry)
        throw error
      }
    }
  }
}
