import Foundation
import RelayNetwork
import RelayStore
import RelayURLSession

// The Swift code of Docs/Reference/Networking.md; a test compares them.

/// An environment whose HTTP transport has persisted queries, authentication, retries and logging.
func makeEnvironment(for url: URL, _ session: Session) -> RelayEnvironment {
  let transport = HTTPTransport(url: url)
    .persistingQueries()
    .authenticated(
      by: { ["Authorization": await session.token] }, refresh: { try await session.refresh() }
    )
    .retrying()
    .logging()
  let environment = RelayEnvironment(transport: transport)
  return environment
}

/// A transport for a server that may redirect to other origins.
func makeRedirectingTransport(for url: URL, key: String, trace: String) -> HTTPTransport {
  var redirecting = HTTPTransport(url: url, headers: ["X-Api-Key": key, "X-Trace": trace])
  redirecting.redirects = .anyOrigin(keeping: ["X-Trace"])
  return redirecting
}

enum TraceID: RequestContextKey { typealias Value = String }

/// Fetches with a request context, and returns a value from the response's extensions.
func fetchWithTraceID(_ environment: RelayEnvironment) async throws -> JSONValue? {
  let context = RequestContext()
  context[TraceID.self] = "a1"
  let feed = try await environment.fetch(FeedQuery(), context: context)
  let cost = feed.responseExtensions["cost"]
  return cost
}

/// A transport whose responses are files, one for each operation.
struct FileTransport: Transport {
  let folder: URL

  func execute(_ request: GraphQLRequest) async throws -> GraphQLResponse {
    let file = folder.appending(path: "\(request.operationName).json")
    guard let data = try? Data(contentsOf: file) else {
      return GraphQLResponse(json: ["errors": [["message": "There is no such file."]]])
    }
    return GraphQLResponse(body: Array(data))
  }

  func stream(_ request: GraphQLRequest, _ receive: @escaping TransportReceiver) async throws {
    try await receive(.connection(.connected))
    try await receive(.response(execute(request)))
  }
}

/// A transport that sends with its own session, including on Linux.
func makeSessionTransport(to endpoint: URL) -> HTTPTransport {
  let transport = HTTPTransport(url: endpoint, session: nil)
  return transport
}

#if os(Linux)
  /// A transport for a server that uses the app's own certificate authority and requires a client
  /// certificate.
  func makeTransport(to endpoint: URL) -> HTTPTransport {
    let transport = HTTPTransport(
      url: endpoint,
      certificates: .init(
        authorities: URL(filePath: "/etc/app/authority.pem"),
        client: URL(filePath: "/etc/app/client.pem")))
    return transport
  }
#endif
