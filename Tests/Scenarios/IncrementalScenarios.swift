import RelayStore
import RelayStoreTesting
import Testing

@Suite(
  "Scenarios: responses in parts", .timeLimit(.minutes(1)), .checksForLeaks,
  .enabled(
    if: PythonProcess.isInstalled || PythonProcess.isRequired,
    "the servers need .venv, which make test creates"))
struct IncrementalScenarios {
  /// The servers, and the formats that they use for parts.
  enum Server: String, CaseIterable, CustomTestStringConvertible {
    case strawberry = "graphql"
    case format2020 = "scripted/2020"
    case format2022 = "scripted/2022"
    case router = "scripted/router"
    case lines = "scripted/lines"

    var testDescription: String { rawValue }
  }

  private static let id = "VGFzazox"

  /// Fetches a query in parts, and expects the same store as after the plain response. The server
  /// holds the last part until it has been seen as pending.
  private func check<Query: GraphQLQuery>(
    _ query: Query, plain: Query, _ server: Server
  ) async throws {
    let session = try await LiveSession()
    var transport = session.http(server.rawValue)
    transport.headers["X-Gate"] = "part"
    let environment = await RelayEnvironment(transport: transport).checkedForLeaks
    // The last payload of the 2020 format has no part.
    for gate in ["part-0", "part-2"] { try await session.open(gate) }
    let loaded = environment.load(query)
    let states = StreamRecorder(loaded.states)
    let pending = await states.first { $0.snapshot?.isPending == true }
    #expect(pending?.snapshot?.pending.count == 1 && pending?.isLoading == true)
    try await session.open("part-1")
    let complete = await states.first { !$0.isLoading && $0.snapshot?.isPending == false }
    #expect(complete?.error == nil && complete?.snapshot?.missing == [])

    let whole = await RelayEnvironment(transport: session.http()).checkedForLeaks
    try await whole.fetch(plain)
    #expect(environment.store.dump() == whole.store.dump())
  }

  @Test(
    "a deferred fragment is pending until its part arrives, and leads to the plain store",
    arguments: Server.allCases)
  func deferred(server: Server) async throws {
    try await check(
      DeferredTaskQuery(id: Self.id), plain: DeferredTaskQuery(id: Self.id, inParts: false), server)
  }

  @Test(
    "a streamed list is pending until its last item arrives, and leads to the plain store",
    arguments: Server.allCases)
  func streamed(server: Server) async throws {
    try await check(
      StreamedTaskQuery(id: Self.id), plain: StreamedTaskQuery(id: Self.id, inParts: false), server)
  }
}
