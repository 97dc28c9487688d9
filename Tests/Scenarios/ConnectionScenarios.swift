import Foundation
import RelayNetwork
import RelayStore
import RelayStoreTesting
import RelayURLSession
import Testing

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

@Suite(
  "Scenarios: bad connections",
  .enabled(
    if: PythonProcess.isInstalled || PythonProcess.isRequired,
    "the real server needs .venv, which make test creates"), .timeLimit(.minutes(1)),
  .checksForLeaks)
struct ConnectionScenarios {
  /// A server behind a proxy, with an environment whose requests go through it.
  private struct ProxiedServer {
    let proxy: FaultyProxy
    let environment: RelayEnvironment
    let mutation = UpdateTaskMutation(
      input: UpdateTaskInput(id: "VGFzazox", title: .some("Cut the cards")))

    /// Creates a proxy in front of the real server, and an environment that uses it.
    ///
    /// - Parameter withSession: Whether a session sends the requests instead of the transport's
    ///   default.
    init(withSession: Bool = false) async throws {
      proxy = try FaultyProxy(before: try await PythonServer.shared().url)
      let url = proxy.url.appending(path: "graphql")
      let headers = ["X-Session": UUID().uuidString, "Connection": "close"]
      let transport =
        withSession
        ? HTTPTransport(
          url: url, headers: headers, timeout: .seconds(30),
          session: URLSession(configuration: .ephemeral))
        : HTTPTransport(url: url, headers: headers, timeout: .seconds(30))
      environment = await RelayEnvironment(
        store: RecordStore(configuration: .init(garbageCollection: .manual)), transport: transport
      ).checkedForLeaks
    }

    /// Sends a mutation with an optimistic response.
    func commit() async throws {
      try await environment.commit(
        mutation,
        optimisticResponse: .init(
          updateTask: .init(
            task: .init(id: "VGFzazox", isComplete: false, status: .todo, title: "Shown"))))
    }
  }

  /// Returns the offsets where a response to a session can be cut. On Linux no offset is within the
  /// head, because Foundation would end the process ("Transfer completed, but there's no
  /// response").
  private func cutOffsets(for proxy: FaultyProxy) -> [Int] {
    #if canImport(FoundationNetworking)
      [0] + Array(proxy.headLength..<proxy.responseLength)
    #else
      Array(0..<proxy.responseLength)
    #endif
  }

  @Test(
    "a response that is cut at any offset is an error, and the store is unchanged",
    arguments: [false, true])
  func cuts(withSession: Bool) async throws {
    let server = try await ProxiedServer(withSession: withSession)
    defer { server.proxy.stop() }
    try await server.environment.fetch(ViewerQuery())
    let length = server.proxy.responseLength
    let before = server.environment.store.dump()
    #expect(length > 200)
    for count in withSession ? cutOffsets(for: server.proxy) : Array(0..<length) {
      server.proxy.set(.cut(after: count))
      let failure = await #expect(throws: RelayError.self, "cut after \(count) of \(length)") {
        try await server.environment.fetch(ViewerQuery())
      }
      #expect(failure?.code == .transport || failure?.code == .response)
      #expect(failure?.operationName == "ViewerQuery")
    }
    #expect(server.environment.store.dump() == before)
    try await server.environment.settle()
    #expect(
      server.environment.liveResources.operations == 0
        && server.environment.liveResources.observers == 0)
  }

  @Test("a mutation whose response is cut at any offset is rolled back")
  func cutMutations() async throws {
    let server = try await ProxiedServer()
    defer { server.proxy.stop() }
    try await server.commit()
    let length = server.proxy.responseLength
    server.environment.store.collectGarbage()
    let before = server.environment.store.dump()
    for count in 0..<length {
      server.proxy.set(.cut(after: count))
      await #expect(throws: RelayError.self, "cut after \(count) of \(length)") {
        try await server.commit()
      }
      #expect(server.environment.store.dump() == before)
    }
    try await server.environment.settle()
    #expect(server.environment.liveResources.isEmpty)
  }

  @Test("a response in any two parts, or byte by byte, is read like the whole")
  func parts() async throws {
    let server = try await ProxiedServer()
    defer { server.proxy.stop() }
    let whole = try await server.environment.fetch(ViewerQuery())
    let length = server.proxy.responseLength
    let before = server.environment.store.dump()
    for position in 1..<length {
      server.proxy.set(.split(at: position))
      #expect(try await server.environment.fetch(ViewerQuery()) == whole, "split at \(position)")
    }
    server.proxy.set(.drip)
    #expect(try await server.environment.fetch(ViewerQuery()) == whole)
    #expect(server.environment.store.dump() == before)
  }

  @Test("a 500 is a retryable error, and the next response is read")
  func serverErrors() async throws {
    let server = try await ProxiedServer()
    defer { server.proxy.stop() }
    server.proxy.set(.status500)
    let failure = await #expect(throws: RelayError.self) {
      try await server.environment.fetch(ViewerQuery())
    }
    #expect(failure?.status == 500 && failure?.isRetryable == true && failure?.excerpt == "Oops")
    server.proxy.set(nil)
    #expect(try await server.environment.fetch(ViewerQuery()).data?.viewer.name == "Ada Lovelace")
    try await server.environment.settle()
    #expect(server.environment.liveResources.operations == 0)
  }

  @Test("JSON with the media type text/html is read")
  func mediaType() async throws {
    let url = try await PythonServer.shared().url.appending(path: "misbehave/json-as-html")
    let transport = HTTPTransport(url: url, timeout: .seconds(30))
    let environment = await RelayEnvironment(transport: transport).checkedForLeaks
    #expect(try await environment.fetch(ViewerQuery()).data?.viewer.name == "Ada")
  }

  @Test("a fetch from an endpoint that never responds ends at its timeout, with nothing in flight")
  func slow() async throws {
    let url = try await PythonServer.shared().url.appending(path: "misbehave/never-answers")
    let clock = VirtualClock()
    let environment = await RelayEnvironment(
      store: RecordStore(configuration: .init(clock: clock)),
      transport: HTTPTransport(url: url, timeout: .seconds(30))
    ).checkedForLeaks
    let task = Task { try await environment.fetch(ViewerQuery(), timeout: .seconds(5)) }
    try await clock.sleepers(1)
    clock.advance(by: .seconds(5))
    let failure = await #expect(throws: RelayError.self) { try await task.value }
    #expect(failure?.code == .transport)
  }
}
