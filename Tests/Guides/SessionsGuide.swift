import Observation
import RelayNetwork
import RelayStore

// The Swift code of Docs/Sessions.md; a test compares them.

private let tokens = graphql(
  """
  mutation LogInMutation($name: String!, $password: String!) {
    logIn(name: $name, password: $password) { token refreshToken }
  }
  mutation RefreshMutation($token: String!) { refresh(token: $token) { token refreshToken } }
  """)

/// The credentials of one user, from log-in to log-out.
actor Session {
  private let environment: RelayEnvironment
  private var refreshToken = ""
  private var refreshing: Task<Void, any Error>?
  private(set) var token = ""

  init(over http: any Transport) { environment = RelayEnvironment(transport: http) }

  func logIn(_ name: String, password: String) async throws {
    let response = try await environment.commit(LogInMutation(name: name, password: password))
    guard let new = response.data?.logIn else {
      throw RelayError(.graphQL, "The log-in has failed.", errors: response.responseErrors)
    }
    (token, refreshToken) = (new.token, new.refreshToken)
  }

  /// Gets a new token. All callers wait for the one request in flight.
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
    let response = try await environment.commit(RefreshMutation(token: refreshToken))
    guard let new = response.data?.refresh else {
      throw RelayError(.graphQL, "The session has ended.", errors: response.responseErrors)
    }
    (token, refreshToken) = (new.token, new.refreshToken)
  }
}

/// The environment of a user: requests have the token, and rejected ones are sent once more.
func makeUserEnvironment(
  for session: Session, over http: some Transport
) -> RelayEnvironment {
  RelayEnvironment(
    transport: http.authenticated(
      by: { ["Authorization": await session.token] }, refresh: { try await session.refresh() }
    )
    .retrying())
}

/// The user of the app.
@MainActor @Observable
final class AccountModel {
  /// The data of the user. Without a user, show the log-in screen.
  private(set) var environment: RelayEnvironment?
  @ObservationIgnored private var session: Session
  private let http: any Transport

  init(over http: any Transport) {
    self.http = http
    session = Session(over: http)
  }

  /// Logs in, also again when the session has ended.
  func logIn(_ name: String, password: String) async throws {
    try await session.logIn(name, password: password)
    if environment == nil { environment = makeUserEnvironment(for: session, over: http) }
  }

  /// Ends the user's requests, and removes the data from memory and from the disk.
  func logOut() async throws {
    guard let environment else { return }
    self.environment = nil
    session = Session(over: http)
    try await environment.wipe()
  }
}
