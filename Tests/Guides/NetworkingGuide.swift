import Foundation
import RelayNetwork
import RelayStore
import RelayURLSession

// The Swift code of Docs/Networking.md; a test compares them.

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

private let signIn = graphql(
  "mutation SignInMutation($refreshToken: String!) { signIn(refreshToken: $refreshToken) { token } }"
)

actor Session {
  private let environment: RelayEnvironment
  private let refreshToken: String
  private var refreshing: Task<Void, any Error>?
  private(set) var token = ""

  init(refreshToken: String, signingInOver transport: some Transport) {
    self.refreshToken = refreshToken
    environment = RelayEnvironment(transport: transport)
  }

  func refresh() async throws {
    if let refreshing { return try await refreshing.value }
    let task = Task {
      defer { refreshing = nil }
      try await renewToken()
    }
    refreshing = task
    try await task.value
  }

  private func renewToken() async throws {
    let answer = try await environment.commit(SignInMutation(refreshToken: refreshToken))
    guard let payload = answer.data?.signIn else {
      throw RelayError(.graphQL, "Please sign in again.", errors: answer.responseErrors)
    }
    token = payload.token
  }
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

/// Uploads a file, and shows the progress.
func setAvatar(_ file: Upload, _ environment: RelayEnvironment, on screen: Screen) async throws {
  let progress = TransferProgress()
  async let result = environment.commit(
    SetAvatarMutation(file: file), context: RequestContext(progress: progress))
  for await value in progress.values {
    await screen.show("\(Int(100 * (value.sent.fraction ?? 0))) % sent")
  }
  _ = try await result
}

/// Returns uploads of data, a file and a stream.
func makeUploads(_ data: Data, _ videoURL: URL, _ microphone: AsyncStream<[UInt8]>) -> [Upload] {
  let photo = Upload(data, fileName: "me.png", contentType: "image/png")
  let video = Upload(file: videoURL, contentType: "video/mp4")
  let recording = Upload(stream: microphone, fileName: "note.m4a", contentType: "audio/mp4")
  return [photo, video, recording]
}

/// A transport whose responses are files, one for each operation.
struct FileTransport: Transport {
  let folder: URL

  func execute(_ request: GraphQLRequest) async throws -> GraphQLResponse {
    let file = folder.appending(path: "\(request.operationName).json")
    guard let data = try? Data(contentsOf: file) else {
      return GraphQLResponse(json: ["errors": [["message": "There is no such file."]]])
    }
    try Task.checkCancellation()
    var response = GraphQLResponse(body: Array(data))
    response.headers["x-file"] = file.lastPathComponent
    return response
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
