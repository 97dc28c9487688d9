import Foundation
import RelayNetwork
import RelayStoreTesting
import Testing

@testable import RelayStore

@Suite("The progress of transfers", .timeLimit(.minutes(1)))
struct TransferProgressTests {
  /// A server whose response has a known or an unknown length.
  private static func server(length: Int, isKnown: Bool) throws -> RawServer {
    try RawServer(reading: .draining) { exchange in
      let body = #"{"data":{"todos":[]}}"# + String(repeating: " ", count: length)
      exchange.send(isKnown ? Wire.response([], body) : "HTTP/1.1 200 OK\r\n\r\n" + body)
      return isKnown
    }
  }

  @Test(
    "bytes are counted up to their totals, and the values end with the request",
    arguments: ClientKind.allCases, [true, false])
  func counts(kind: ClientKind, isKnown: Bool) async throws {
    let server = try Self.server(length: 1 << 20, isKnown: isKnown)
    defer { server.stop() }
    let progress = TransferProgress()
    let environment = RelayEnvironment(transport: kind.transport(server))
    let values = StreamRecorder(progress.values)
    _ = try await environment.fetch(
      TodoListQuery(), context: RequestContext(progress: progress))
    let all = await values.elements(.max)
    #expect(all.first == TransferProgress.Value())
    let last = try #require(all.last)
    #expect(last == progress.current && last.received.count == (1 << 20) + 21)
    #expect(last.received.total == (isKnown ? (1 << 20) + 21 : nil))
    #expect(last.received.fraction == (isKnown ? 1 : nil))
    for (earlier, later) in zip(all, all.dropFirst()) {
      #expect(earlier.sent.count <= later.sent.count)
      #expect(earlier.received.count <= later.received.count && earlier != later)
    }
    if kind == .standard { #expect(last.sent.count > 50 && last.sent.fraction == 1) }
    // A sequence that starts after the end has the last value.
    #expect(await StreamRecorder(progress.values).elements(.max) == [last])
  }

  @Test("an upload's total is that of its body, and unknown for a stream without a length")
  func uploads() async throws {
    let file = try TemporaryFile(size: 3 << 20)
    for (upload, isKnown) in [
      (Upload(file: file.url), true), (Upload(stream: chunks(9), fileName: "a"), false),
    ] {
      let size = Locked(0)
      let server = try RawServer(reading: .draining) { exchange in
        size.withLock { $0 = exchange.bodySize }
        exchange.send(Wire.okResponse)
        return true
      }
      defer { server.stop() }
      var request = GraphQLRequest.uploading(upload)
      let progress = TransferProgress()
      request.context = RequestContext(progress: progress)
      _ = try await ClientKind.standard.transport(server).execute(request)
      let sent = progress.current.sent
      #expect(sent.total == (isKnown ? size.withLock { $0 } : nil))
      // The framing of chunks is not counted.
      let received = size.withLock { $0 }
      #expect(sent.count <= received)
      #expect(sent.count > (isKnown ? 3 << 20 : 9_000))
    }
  }

  @Test("the values end when the request fails, is cancelled, times out, or is never sent")
  func ends() async throws {
    let clock = VirtualClock()
    let server = MockTransport()
    let environment = RelayEnvironment(
      store: RecordStore(configuration: .init(clock: clock)), transport: server)
    /// The contexts are retained, so that only the end of the request ends their progress.
    var contexts: [RequestContext] = []
    func begin(
      _ send: @escaping @Sendable (RequestContext) async throws -> Void
    ) -> (TransferProgress, Task<Void, any Error>) {
      let progress = TransferProgress()
      let context = RequestContext(progress: progress)
      contexts.append(context)
      return (progress, Task { try await send(context) })
    }
    @Sendable func fetch(_ context: RequestContext) async throws {
      try await environment.fetch(TodoListQuery(), timeout: .seconds(9), context: context)
    }

    let (failing, failed) = begin(fetch)
    try await server.next().reject(RelayError(.transport, "no network"))
    for await _ in failing.values {}
    await #expect(throws: RelayError.self) { try await failed.value }

    let (leaving, cancelled) = begin(fetch)
    let pending = try await server.next()
    pending.request.context.progress?.report(.init(sent: .init(1, of: 2)))
    var values = leaving.values.makeAsyncIterator()
    #expect(await values.next()?.sent.fraction == 0.5)
    cancelled.cancel()
    #expect(await values.next() == nil)
    await #expect(throws: CancellationError.self) { try await cancelled.value }

    let (waiting, timedOut) = begin(fetch)
    _ = try await server.next()
    try await clock.sleepers(1)
    clock.advance(by: .seconds(9))
    for await _ in waiting.values {}
    await #expect(throws: RelayError.self) { try await timedOut.value }

    let (unsent, never) = begin { context in
      withUnsafeCurrentTask { $0?.cancel() }
      try await fetch(context)
    }
    for await _ in unsent.values {}
    await #expect(throws: CancellationError.self) { try await never.value }
    try await eventually(0) { server.pending.count }

    try environment.commitPayload(TodoListQuery(), data: ["todos": []])
    let (local, available) = begin { context in
      try await environment.fetch(TodoListQuery(), policy: .storeOrNetwork, context: context)
    }
    for await _ in local.values {}
    try await available.value

    // Reports after the end are ignored.
    leaving.report(.init(sent: .init(2, of: 2)))
    #expect(leaving.current.sent.count == 1)
    withExtendedLifetime(contexts) {}
  }

  @Test("a load's progress ends with its first request, or with the load")
  func loads() async throws {
    let server = MockTransport()
    let environment = RelayEnvironment(transport: server)
    let progress = TransferProgress()
    let load = environment.load(
      TodoListQuery(), options: LoadOptions(context: RequestContext(progress: progress)))
    try await server.next().resolve(data: ["todos": []])
    for await _ in progress.values {}
    try await environment.settle()

    let unused = TransferProgress()
    var second: LoadedQuery<TodoListQuery>? = environment.load(
      TodoListQuery(), policy: .storeOnly,
      options: LoadOptions(context: RequestContext(progress: unused)))
    let values = unused.values
    #expect(second?.state.data?.todos.isEmpty == true)
    second = nil
    for await _ in values {}
    withExtendedLifetime(load) {}
  }

  @Test("a consumer that does not keep up gets the newest value")
  func newest() async {
    let progress = TransferProgress()
    var values = progress.values.makeAsyncIterator()
    for count in 1...100 { progress.report(.init(received: .init(count))) }
    #expect(await values.next()?.received.count == 100)
    progress.report(.init(received: .init(100)))
    progress.end()
    #expect(await values.next() == nil)
    #expect(TransferProgress.ByteCount(3, of: 2).fraction == 1)
    #expect(TransferProgress.ByteCount(0, of: 0).fraction == 1)
  }
}
