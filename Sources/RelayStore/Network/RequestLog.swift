#if canImport(os)
  public import os
#endif

/// A log entry for one completed request. It is safe to log, because it contains no variables and
/// no data.
public struct RequestLog: Sendable, Hashable, CustomStringConvertible {
  /// The operation's name.
  public var operationName: String
  /// The kind of the operation: query, mutation or subscription.
  public var kind: OperationKind
  /// The time from the request to its response or error.
  public var duration: Duration
  /// The HTTP status; `nil` when there was no HTTP response.
  public var status: Int?
  /// The number of bytes of the response; `nil` when there was none.
  public var byteCount: Int?
  /// The code of the error; `nil` when there was a response. A cancelled request has the code
  /// `cancelled`.
  public var failure: RelayError.Code?

  /// The entry on one line: `query FeedQuery: 200, 1532 bytes in 0.031 seconds`.
  public var description: String {
    var facts: [String] = []
    if let status { facts.append("\(status)") }
    if let failure { facts.append("failed (\(failure))") }
    if let byteCount { facts.append(byteCount.counted("byte")) }
    let text = facts.joined(separator: ", ")
    return "\(kind) \(operationName): \(text) in \(duration)"
  }
}

extension RequestLog: LogEntry {
  /// Whether the request has failed; a cancelled one has not.
  public var isProblem: Bool { failure.map { $0 != .cancelled } ?? false }
}

extension Transport {
  /// Returns this transport with a line on standard error for every request:
  /// `RelayStore: query FeedQuery: 200, 1532 bytes in 0.031 seconds`.
  ///
  /// Standard output is left to the program. ``RecordStore/Configuration/logging()`` does the same
  /// for the store.
  public func logging() -> some Transport {
    logging { $0.writeToStandardError() }
  }

  #if canImport(os)
    /// Returns this transport with an entry in the unified log for every request: an error if it
    /// has failed, else for debugging.
    ///
    ///     .logging(to: Logger(subsystem: "org.example.app", category: "GraphQL"))
    ///
    /// The text is public: it contains no variables and no data.
    public func logging(to logger: Logger) -> some Transport {
      logging { $0.log(to: logger) }
    }
  #endif

  /// Returns this transport with a log of every request.
  ///
  /// Applied last, it logs each call of the app once. Applied before ``retrying(_:clock:random:)``,
  /// it logs every attempt.
  ///
  /// - Parameters:
  ///   - clock: The clock that measures durations.
  ///   - log: Called with the entry when a request has completed.
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
