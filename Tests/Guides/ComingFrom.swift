import RelayStore

// The Swift code of Docs/ComingFromApollo.md and Docs/ComingFromRelay.md; a test compares them.

private let header = graphql("fragment Header_user on User { name avatar }")
private let profile = graphql("query ProfileQuery { viewer { ...Header_user } }")
private let renaming = graphql("fragment Renaming_todo on Todo @updatable { text }")
private let renamedRow = graphql(
  "query RenamedQuery($id: ID!) { todo(id: $id) { ...Renaming_todo } }")

/// Shows the first result of a fetch, then every result of an observation.
func fetchThenObserve(_ environment: RelayEnvironment, on screen: Screen) async throws {
  let feed = try await environment.fetch(FeedQuery(first: 10), policy: .storeOrNetwork)
  await screen.show("\(feed.data?.feed.count ?? 0)")
  for await state in environment.observe(FeedQuery(first: 10), policy: .storeAndNetwork) {
    await screen.show("\(state.data?.feed.count ?? 0), \(state.isLoading)")
    if !state.isLoading { break }
  }
}

/// Shows a component's data: Relay's hooks, and their counterparts here.
func observeLoadedFragment(_ environment: RelayEnvironment, on screen: Screen) async throws {
  let profile = environment.load(ProfileQuery())  // loadQuery
  for await state in profile.states {  // usePreloadedQuery
    guard let user = state.data?.viewer?.fragments.header_user else { continue }
    for await snapshot in environment.observe(user) {  // useFragment
      if let user = snapshot.data { await screen.show(user.name) }
      return
    }
  }
}

/// Updates the store through an updatable fragment, which the compiler type-checks.
func rename(_ todo: RenamedQuery.Data.Todo_todo, _ environment: RelayEnvironment) throws {
  try environment.commitUpdate { store in
    let todo = try store.updatable(todo.fragments.renaming_todo)
    todo.text = "Feed the cat"
  }
}
