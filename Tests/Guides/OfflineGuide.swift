import Foundation
import RelayLocalQueries
import RelayPersistence
import RelayStore

// The Swift code of Docs/Offline.md; a test compares them.

private let observations = graphql(
  """
  fragment ObservationRow_observation on Observation { id text isStarred photo }
  query ObservationsQuery($first: Int = 50, $after: String) {
    observations(first: $first, after: $after) @connection(key: "Field_observations") {
      edges { node { id ...ObservationRow_observation } }
    }
  }
  query ObservationQuery($id: ID!) { node(id: $id) { id ...ObservationRow_observation } }
  """)

private let changes = graphql(
  """
  mutation CreateObservationMutation($text: String!, $lists: [ID!]!) {
    createObservation(text: $text) {
      edge @prependEdge(connections: $lists) { node { id ...ObservationRow_observation } }
    }
  }
  mutation EditObservationMutation($id: ID!, $text: String!) {
    editObservation(id: $id, text: $text) { observation { id text } }
  }
  mutation StarObservationMutation($id: ID!, $isStarred: Boolean!) {
    starObservation(id: $id, isStarred: $isStarred) { observation { id isStarred } }
  }
  mutation SetPhotoMutation($id: ID!, $file: Upload!) {
    setPhoto(id: $id, file: $file) { observation { id photo } }
  }
  mutation DeleteObservationMutation($id: ID!) {
    deleteObservation(id: $id) { deletedID @deleteRecord }
  }
  """)

/// The observations of a naturalist in the field, with or without a network.
@MainActor
final class FieldApp {
  let environment: RelayEnvironment
  let list: QueryModel<ObservationsQuery>
  let waiting: OutboxModel

  /// - Parameter directory: A directory that the system does not empty.
  init(user: String, directory: URL, transport: some Transport) {
    let persistence = Persistence.sqlite(directory: directory, user: user)
    environment = RelayEnvironment(
      store: RecordStore(configuration: .init(persistence: persistence).logging()),
      transport: transport, outbox: OutboxOptions(serverHonorsIdempotencyKeys: true))
    environment.pin(ObservationsQuery())
    list = QueryModel(ObservationsQuery(), in: environment, policy: .storeAndNetwork)
    waiting = OutboxModel(in: environment)
  }

  /// Makes the list to which `create` adds, if none was ever loaded.
  func prepare() async throws {
    await environment.store.loaded()
    guard environment.connections("Field_observations", of: .root).isEmpty else { return }
    try environment.commitPayload(
      ObservationsQuery(),
      data: [
        "observations": ["edges": [], "pageInfo": ["endCursor": nil, "hasNextPage": false]]
      ])
  }

  /// The screen of an object, under the id that the client or the server gave it. A request is sent
  /// only for missing or stale data.
  func detail(of id: String) -> QueryModel<ObservationQuery> {
    QueryModel(ObservationQuery(id: id), in: environment)
  }
}

extension FieldApp {
  /// Creates an observation.
  ///
  /// - Returns: An id that stays valid when the server has given it another one.
  func create(_ text: String) async throws -> String {
    let id: String = ClientID.unique()
    let lists = environment.connections("Field_observations", of: .root).map(\.rawValue)
    try await environment.commit(
      CreateObservationMutation(text: text, lists: lists),
      optimisticResponse: .complete(
        createObservation: .complete(
          edge: .complete(node: .complete(id: id, isStarred: false, photo: nil, text: text)))),
      durability: .outbox(), label: "New observation: \(text)")
    return id
  }

  func edit(_ id: String, _ text: String) async throws {
    try await environment.commit(
      EditObservationMutation(id: id, text: text),
      optimisticResponse: .complete(
        editObservation: .complete(observation: .complete(id: id, text: text))),
      durability: .outbox(), label: "New text: \(text)", coalescing: .init(key: "text \(id)"))
  }

  /// Stars an observation or takes the star back. Tapped again and again, the last tap is sent.
  func star(_ id: String, _ isStarred: Bool) async throws {
    try await environment.commit(
      StarObservationMutation(id: id, isStarred: isStarred),
      optimisticResponse: .complete(
        starObservation: .complete(observation: .complete(id: id, isStarred: isStarred))),
      durability: .outbox(), label: isStarred ? "A star" : "No star",
      coalescing: .init(key: "star \(id) \(isStarred)", cancels: "star \(id) \(!isStarred)"))
  }

  /// Attaches a photo. Its file is the outbox's from now on.
  func attach(_ photo: URL, to id: String) async throws {
    try await environment.commit(
      SetPhotoMutation(id: id, file: Upload(file: photo, contentType: "image/jpeg")),
      optimisticResponse: .complete(
        setPhoto: .complete(observation: .complete(id: id, photo: photo.lastPathComponent))),
      durability: .outbox(), label: "A photo", movesFiles: true)
  }

  func delete(_ id: String) async throws {
    try await environment.commit(
      DeleteObservationMutation(id: id),
      optimisticResponse: .complete(deleteObservation: .complete(deletedID: id)),
      durability: .outbox(), label: "A deletion")
  }
}

extension FieldApp {
  /// The lines of a screen for the waiting changes, with the reason.
  var waitingLines: [String] {
    waiting.entries.map { entry in
      let reason =
        switch entry.state {
        case .failed: entry.error?.errors.first?.extensions["code"]?.string ?? "refused"
        case .unknown: "perhaps done; send it again?"
        case .blockedOnAuthentication: "sign in"
        case .blocked: "waits for an earlier change"
        default: "waiting"
        }
      return "\(entry.label ?? entry.operationName): \(reason)"
    }
  }

  /// Drops the changes that the server has refused.
  func discardRefused() async throws {
    for entry in waiting.entries where entry.state == .failed {
      try await waiting.discard(entry.id)
    }
  }

  /// Call this when the user has signed in again, or the app becomes active.
  func resume() { environment.outbox?.resume() }

  /// Removes the user's records and mutations from the device. Check ``waiting`` first.
  func signOut() async throws { try await environment.wipe() }
}

extension FieldApp {
  /// Searches the observations on the device.
  func search(_ text: String) -> [String] {
    let query = LocalQuery(ObservationRow_observation.self)
      .filter { $0.text.lowercased().contains(text.lowercased()) }
      .sorted(by: \.text)
    return environment.read(query).rows.map(\.data.text)
  }
}
