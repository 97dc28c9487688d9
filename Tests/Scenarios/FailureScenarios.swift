import Foundation
import RelayNetwork
import RelayStore
import Testing

@Suite("Scenarios: failures", .timeLimit(.minutes(1)), .checksForLeaks)
struct FailureScenarios {
  static let misbehaviours = ScenarioServer.available.flatMap { server in
    Misbehaviour.allCases.map { (server, $0) }
  }

  @Test(
    "an invalid response is a typed error with the operation's name, and the store is unchanged",
    arguments: misbehaviours)
  func invalidResponses(server: ScenarioServer, misbehaviour: Misbehaviour) async throws {
    let transport = ReplaceableTransport(try await server.transport())
    let environment = await RelayEnvironment(transport: transport).checkedForLeaks
    try await environment.fetch(ViewerQuery())
    let before = environment.store.dump()
    let snapshot = environment.read(ViewerQuery())
    await transport.replace(with: try await server.transport(misbehaviour))

    let failure = await #expect(throws: RelayError.self) {
      try await environment.fetch(ViewerQuery())
    }
    #expect(failure?.code == misbehaviour.code, "\(failure.map { "\($0)" } ?? "")")
    #expect(failure?.operationName == "ViewerQuery")
    #expect(failure?.message.contains("ViewerQuery") == true || misbehaviour.code == .transport)
    #expect(environment.store.dump() == before)
    #expect(environment.read(ViewerQuery()) == snapshot)

    let mutation = UpdateTaskMutation(input: UpdateTaskInput(id: "VGFzazox", title: .some("x")))
    let optimistic = UpdateTaskMutation.RawResponse(
      updateTask: .init(
        task: .init(id: "VGFzazox", isComplete: false, status: .todo, title: "x")))
    // Some of these responses are valid for a mutation of other fields; none may retain the
    // optimistic change.
    _ = try? await environment.commit(mutation, optimisticResponse: optimistic)
    #expect(environment.store.statistics.optimisticUpdates == 0)
    #expect(!environment.store.dump().contains("VGFzazox"))
  }

  @Test(
    "errors without data are thrown with their message and path",
    arguments: ScenarioServer.available)
  func errorsWithoutData(server: ScenarioServer) async throws {
    let environment = try await server.environment()
    let before = environment.store.dump()
    let failure = await #expect(throws: RelayError.self) {
      try await environment.fetch(NullDataQuery())
    }
    #expect(failure?.code == .graphQL)
    #expect(failure?.operationName == "NullDataQuery")
    #expect(failure?.path == ["faults", "required"])
    #expect(failure?.errors.map(\.message) == ["The required field is broken."])
    #expect(environment.store.dump() == before)
  }

  @Test(
    "values of the wrong type are reported with their path in the response",
    arguments: ScenarioServer.available)
  func wrongTypes(server: ScenarioServer) async throws {
    for (misbehaviour, path) in [
      (Misbehaviour.objectIsAString, "viewer"), (.scalarIsAnObject, "viewer.name"),
    ] {
      let environment =
        await RelayEnvironment(transport: try await server.transport(misbehaviour)).checkedForLeaks
      let failure = await #expect(throws: RelayError.self) {
        try await environment.fetch(ViewerQuery())
      }
      #expect(failure?.path.description == path)
      #expect(failure?.message.contains("Ada") == false)
    }
  }

  @Test("a refused connection is a transport error")
  func refusedConnection() async throws {
    // Port 1 is reserved and has no listener.
    let url = try #require(URL(string: "http://127.0.0.1:1/graphql"))
    let environment = await RelayEnvironment(transport: HTTPTransport(url: url)).checkedForLeaks
    let failure = await #expect(throws: RelayError.self) {
      try await environment.fetch(ViewerQuery())
    }
    #expect(failure?.code == .transport)
    #expect(failure?.operationName == "ViewerQuery")
    #expect(environment.read(ViewerQuery()).isMissingData)
  }

  @Test("a cancelled fetch throws, and writes nothing", arguments: ScenarioServer.available)
  func cancelledFetch(server: ScenarioServer) async throws {
    let environment = try await server.environment()
    let before = environment.store.dump()
    let fetch = Task {
      // The task is cancelled before it starts: no response ever arrives.
      while !Task.isCancelled { await Task.yield() }
      return try await environment.fetch(ViewerQuery())
    }
    fetch.cancel()
    await #expect(throws: CancellationError.self) { try await fetch.value }
    #expect(environment.store.dump() == before)
  }
}
