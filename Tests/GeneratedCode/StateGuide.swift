import RelayStore

// The code of Docs/Pagination.md and Docs/ClientState.md; a test compares them.

private let friendList = graphql(
  """
  fragment FriendList_person on Person
  @argumentDefinitions(
    count: {type: "Int", defaultValue: 10}, cursor: {type: "String"}, order: {type: "Order"}
  )
  @refetchable(queryName: "FriendListQuery") {
    friends(first: $count, after: $cursor, by: $order) @connection(key: "FriendList_friends") {
      edges { node { id ...FriendRow_person } }
    }
  }
  fragment FriendRow_person on Person { name }
  """)

private let greeting = graphql("fragment Greeting_person on Person { name draft }")

private let presence = graphql("fragment Presence_person on Person { id }")

private let isOnline = graphql("fragment OnlineBadge_person on Person { isOnline }")

private let stateScreen = graphql(
  """
  query FriendScreenQuery($id: ID!) { person(id: $id) { id greeting ...FriendList_person } }
  """)

/// Shows a list and its next page.
func page(
  _ person: FriendScreenQuery.Data.Person_person, _ environment: RelayEnvironment,
  show: (FragmentRef<FriendRow_person>) -> Void
) async throws {
  let list = environment.paginate(person.fragments.friendList_person)
  for friend in list.data?.friends?.nodes ?? .init() { show(friend.fragments.friendRow_person) }
  if list.hasNext { try await list.loadNext(10) }
}

/// Shows a list and its next page with a model.
@MainActor func view(
  _ person: FriendScreenQuery.Data.Person_person, _ environment: RelayEnvironment,
  show: (FragmentRef<FriendRow_person>) -> Void
) {
  let friends = PaginationModel(person.fragments.friendList_person, in: environment)
  for friend in friends.data?.friends?.nodes ?? .init() { show(friend.fragments.friendRow_person) }
  if friends.hasNext { friends.loadNext(10) }
}

/// Inserts an edge at the end of a connection.
func befriend(_ environment: RelayEnvironment) throws {
  try environment.commitUpdate { store in
    let lists = try store["1"]?.getConnections("FriendList_friends") ?? []
    guard let node = try store["4"], let list = lists.first else { return }
    try list.insertEdgeAfter(list.createEdge(to: node, type: "FollowerEdge", cursor: "4"))
  }
}

/// Writes client fields.
func write(
  _ person: FriendScreenQuery.Data.Person_person, _ environment: RelayEnvironment
) throws {
  try environment.commitUpdate { store in
    try store[DataID(person.id)]?.setValue("Dear Ada", for: "draft")
    try store.root.setValue("DARK", for: "theme")
  }
}

/// A store with a missing-field handler that turns an unwritten draft into an empty one.
func draftStore() -> RecordStore {
  let configuration = RecordStore.Configuration(missingFieldHandlers: [
    .scalar { field in
      field.parentTypeName == "Person" && field.name == "draft" ? .some("") : .none
    }
  ])
  return RecordStore(configuration: configuration)
}

/// Registers the function of the derived field `Person.greeting`.
func deriveGreeting(_ environment: RelayEnvironment) {
  environment.derive("Person.greeting") { (person: Greeting_person) in
    "\(person.draft ?? "Dear") \(person.name)"
  }
}

/// A server that pushes whether people are online.
final class PresenceServer: Sendable {
  private let (updates, input) = AsyncStream<Bool>.makeStream()

  func presence(of id: String) -> AsyncStream<Bool> { updates }
  func send(_ isOnline: Bool) { input.yield(isOnline) }
}

/// Registers the source of the live field `Person.isOnline`.
func derivePresence(_ environment: RelayEnvironment, from server: PresenceServer) {
  environment.derive("Person.isOnline") { (person: Presence_person) in
    server.presence(of: person.id)
  }
}
