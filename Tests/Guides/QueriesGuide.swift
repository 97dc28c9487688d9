import RelayStore

// The Swift code of Docs/Queries.md; a test compares them.

/// Shows the feed until its task is cancelled.
func showFeed(_ environment: RelayEnvironment, on screen: Screen) async {
  for await state in environment.observe(FeedQuery(first: 10), policy: .storeAndNetwork) {
    if let feed = state.data {
      await screen.show(feed, isRefreshing: state.isLoading)
    } else if let error = state.error {
      await screen.show(error)
    } else {
      await screen.showLoading()
    }
  }
}

/// Prints the reason why a query is sent.
func explain(_ environment: RelayEnvironment) {
  switch environment.check(FeedQuery(first: 10)) {
  case .available(let date): print("fetched at \(date?.description ?? "a time that is not kept")")
  case .notLoaded: print("the store is still being loaded from the disk")
  case .stale: print("invalidated or expired")
  case .missing(let data): for missing in data { print(missing) }
  }
}

/// Loads a query that refetches every 30 seconds and shows partial data.
func pollFeed(_ environment: RelayEnvironment) -> LoadedQuery<FeedQuery> {
  let options = LoadOptions(showsPartialData: true, pollInterval: .seconds(30))
  let feed = environment.load(FeedQuery(first: 10), policy: .storeOrNetwork, options: options)
  return feed
}

/// Creates a store that knows how long data is fresh.
func makeStore() -> RecordStore {
  var configuration = RecordStore.Configuration(queryExpiration: .seconds(3600))
  configuration.maxAges = ["FeedQuery": .seconds(60), "Todo": .seconds(300)]
  configuration.serverMaxAge = .cacheControl
  return RecordStore(configuration: configuration)
}
