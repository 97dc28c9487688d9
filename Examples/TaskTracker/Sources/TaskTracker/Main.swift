import Foundation
import RelayLive
import RelayNetwork
import RelayStore
import TaskTrackerServer

/// The program `TaskTracker [--inspect FILE | --endpoint URL [--websocket] | --offline]`:
/// demonstrates RelayStore with the in-process server, or with the server at a URL. Events are sent
/// over HTTP or a WebSocket.
///
/// With `--inspect` it records a timeline, and writes the inspector's page to a file before closing
/// the views.
///
/// With `--offline` it demonstrates persistence and an outbox. The app then runs in its own
/// process, `TaskTracker --offline-app RUN DIRECTORY URL STEP`, which is killed and started again.
@main
struct Main {
  @MainActor static func main() async throws {
    var arguments = Array(CommandLine.arguments.dropFirst())
    if arguments == ["--offline"] { exit(try await OfflineDemo().run() ? 0 : 1) }
    if let app = OfflineApp(arguments) { exit(try await app.run() ? 0 : 1) }
    var inspected: URL?
    if arguments.count == 2, arguments[0] == "--inspect" {
      inspected = URL(fileURLWithPath: arguments[1])
      arguments = []
    }
    guard let transport = try transport(arguments) else {
      FileHandle.standardError.write(
        Data(
          "usage: TaskTracker [--inspect FILE | --endpoint URL [--websocket] | --offline]\n".utf8))
      exit(2)
    }
    let timeline = Timeline()
    let demo = Demo(transport: transport, timeline: timeline, inspectedIn: inspected)
    let isExpected = await demo.run()
    exit(isExpected ? 0 : 1)
  }

  private static func transport(_ arguments: [String]) throws -> (any Transport)? {
    if arguments.isEmpty { return try TaskTracker() }
    guard arguments.count >= 2, arguments[0] == "--endpoint", let url = URL(string: arguments[1])
    else { return nil }
    // The integration tests' server keeps separate data for each session.
    let headers = ["X-Session": "demo-\(UUID().uuidString)"]
    let http = HTTPTransport(url: url, headers: headers)
    if arguments.count == 2 { return http }
    guard arguments.count == 3, arguments[2] == "--websocket",
      let socket = URL(string: arguments[1].replacing(/^http/, with: "ws"))
    else { return nil }
    return http.routingSubscriptions(
      to: WebSocketTransport(url: socket, headers: { headers }))
  }
}
