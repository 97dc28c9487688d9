import RelayStore
import TaskTrackerServer
import Testing

/// The servers the scenarios run against.
enum ScenarioServer: String, CaseIterable, CustomTestStringConvertible {
  case schemaServer = "the schema server"
  case python = "the Python server"

  /// The servers that can run here.
  static var available: [ScenarioServer] {
    PythonProcess.isInstalled || PythonProcess.isRequired ? allCases : [.schemaServer]
  }

  var testDescription: String { rawValue }

  /// Returns a transport to the server with its own data, in the initial state.
  func transport() async throws -> any Transport {
    switch self {
    case .schemaServer: try TaskTracker()
    case .python: try await PythonServer.shared().transport()
    }
  }

  /// Returns a transport to a server that responds badly.
  func transport(_ misbehaviour: Misbehaviour) async throws -> any Transport {
    switch self {
    case .schemaServer: MisbehavingTransport(misbehaviour: misbehaviour)
    case .python: try await PythonServer.shared().transport(misbehaviour)
    }
  }

  /// Returns an environment with an empty store and its own data.
  func environment() async throws -> RelayEnvironment {
    await RelayEnvironment(transport: try await transport()).checkedForLeaks
  }
}

/// A transport that can be replaced by another.
actor ReplaceableTransport: Transport {
  private var current: any Transport

  init(_ transport: any Transport) { current = transport }

  func replace(with transport: any Transport) { current = transport }

  func execute(_ request: GraphQLRequest) async throws -> GraphQLResponse {
    try await current.execute(request)
  }
}

@Suite("The real server", .timeLimit(.minutes(1)))
struct RealServerTests {
  @Test(
    "the real server responds",
    .enabled(
      if: PythonProcess.isInstalled || PythonProcess.isRequired,
      "the real server needs .venv, which make test creates"))
  func responds() async throws {
    let server = try await PythonServer.shared()
    let environment = RelayEnvironment(transport: server.transport())
    #expect(try await environment.fetch(ViewerQuery()).data?.viewer.name == "Ada Lovelace")
  }
}
