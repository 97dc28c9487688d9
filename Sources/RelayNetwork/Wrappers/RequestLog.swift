import RelayStore

#if canImport(os)
  public import os
#endif

/// A log entry for one completed request, or for one of several responses. It is safe to log,
/// because it contains no variables and no data.
public struct RequestLog: Sendable, Hashable, CustomStringConvertible {
  /// The operation's name.
  public var operationName: String
  /// The kind of the operation: query, mutation or subscription.
  public var kind: OperationKind
  /// The time from the request to its response or error.
  public var duration: Duration
  /// The HTTP status; `nil` when there was no HTTP response.
  public var status: Int?
  /// The number of bytes of the response; `nil` without a response.
  public var byteCount: Int?
  /// The error code; `nil` when there was a response. A cancelled request has the code `cancelled`.
  public var failure: RelayError.Code?
  /// The ordinal of this response within its request, from 1: an event of a subscription or a
  /// payload of an incremental response. `nil` in the entry for the entire request.
  public var part: Int?
  /// The number of responses of a request that may have several; `nil` in the entries of individual
  /// responses, and for a request with one response.
  public var responseCount: Int?

  /// The entry on one line: `query FeedQuery: 200, 1532 bytes in 0.031 seconds`, or
  /// `query FeedQuery, part 2: 200, 96 bytes in 0.120 seconds`.
  public var description: String {
    let part = part.map { ", part \($0)" } ?? ""
    var facts: [String] = []
    if let status { facts.append("\(status)") }
    if let failure { facts.append(failure == .cancelled ? "cancelled" : "failed (\(failure))") }
    if let responseCount { facts.append(responseCount.counted("response")) }
    if let byteCount { facts.append(byteCount.counted("byte")) }
    let text = facts.joined(separator: ", ")
    return "\(kind) \(operationName)\(part): \(text) in \(duration)"
  }
}

extension RequestLog: LogEntry {
  /// Whether the request failed. A cancelled request did not fail.
  public var isProblem: Bool { failure.map { $0 != .cancelled } ?? false }
}

extension Transport {
  /// Returns this transport with a line on standard error for every request:
  /// `RelayStore: query FeedQuery: 200, 1532 bytes in 0.031 seconds`.
  ///
  /// Standard output is left to the program. ``/RelayStore/RecordStore/Configuration/logging()``
  /// does the same for the store.
  public func logging() -> some Transport {
    logging { $0.writeToStandardError() }
  }

  #if canImport(os)
    /// Returns this transport with an entry in the unified log for every request: an error if the
    /// request failed, otherwise a debug message.
    ///
    ///     .logging(to: Logger(subsystem: "org.example.app", category: "GraphQL"))
    ///
    /// The message is public: it contains no variables and no data.
    public func logging(to logger: Logger) -> some Transport {
      logging { $0.log(to: logger) }
    }
  #endif

  /// Returns this transport with a log of every request.
  ///
  /// Applied last, it logs each call of the app once. Applied before ``retrying(_:clock:random:)``,
  /// it logs every attempt. For a request with several responses, it logs each response on arrival
  /// and the entire request at its end.
  ///
  /// - Parameters:
  ///   - clock: The clock that measures durations.
  ///   - log: Called when a request has completed, and for each of several responses.
  public func logging<C: Clock>(
    clock: C = ContinuousClock(), _ log: @escaping @Sendable (RequestLog) -> Void
  ) -> some Transport where C.Duration == Duration {
    LoggingTransport(next: self, clock: clock, log: log)
  }
}

/// A transport that logs the requests and responses of the next one.
private struct LoggingTransport<Next: Transport, C: Clock>: Transport where C.Duration == Duration {
  let next: Next
  let clock: C
  let log: @Sendable (RequestLog) -> Void

  func execute(_ request: GraphQLRequest) async throws -> GraphQLResponse {
    let start = clock.now
    do {
      let response = try await next.execute(request)
      var entry = entry(of: request, since: start)
      entry.add(response)
      log(entry)
      return response
    } catch {
      log(entry(of: request, since: start).failed(with: error))
      throw error
    }
  }

  func stream(_ request: GraphQLRequest, _ receive: @escaping TransportReceiver) async throws {
    let start = clock.now
    var whole = entry(of: request, since: start)
    whole.responseCount = 0
    let total = Locked(whole, rank: .leaf)
    do {
      try await next.stream(request) { event in
        if case .response(let response) = event {
          var part = entry(of: request, since: start)
          part.add(response)
          part.part = total.withLock { $0.addPart(response) }
          log(part)
        }
        try await receive(event)
      }
      log(total.withLock { $0 }.lasting(start.duration(to: clock.now)))
    } catch let completion as ResponseCompletion {
      log(total.withLock { $0 }.lasting(start.duration(to: clock.now)))
      throw completion
    } catch {
      let ended = total.withLock { $0 }.lasting(start.duration(to: clock.now))
      log(ended.failed(with: error))
      throw error
    }
  }

  private func entry(of request: GraphQLRequest, since start: C.Instant) -> RequestLog {
    RequestLog(
      operationName: request.operationName, kind: request.kind,
      duration: start.duration(to: clock.now))
  }
}

extension RequestLog {
  fileprivate mutating func add(_ response: GraphQLResponse) {
    status = response.status
    byteCount = (byteCount ?? 0) + response.body.count
  }

  /// Adds one of several responses.
  ///
  /// - Returns: The ordinal of the response.
  fileprivate mutating func addPart(_ response: GraphQLResponse) -> Int {
    add(response)
    let count = (responseCount ?? 0) + 1
    responseCount = count
    return count
  }

  fileprivate func lasting(_ duration: Duration) -> RequestLog {
    var entry = self
    entry.duration = duration
    return entry
  }

  fileprivate func failed(with error: any Error) -> RequestLog {
    var entry = self
    entry.status = (error as? RelayError)?.status ?? status
    entry.failure =
      error is CancellationError ? .cancelled : (error as? RelayError)?.code ?? .transport
    return entry
  }
}
