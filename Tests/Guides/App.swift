import RelayStore

// The app that the guides' code assumes: a feed and its rows.

private let row = graphql("fragment TodoRow_todo on Todo { id text isComplete }")

private let feed = graphql(
  "query FeedQuery($first: Int = 20) { feed(first: $first) { id ...TodoRow_todo } }")

private let viewer = graphql(
  "query ViewerQuery { viewer { id name todos { id dueAt ...TodoRow_todo } } }")

typealias FeedTodo = FeedQuery.Data.Todo_feed

/// The lines that the app shows.
final class Screen: Sendable {
  private let lines = Locked<[String]>([])

  var all: [String] { lines.withLock { $0 } }

  func show(_ line: String) async { lines.withLock { $0.append(line) } }
}
