import Foundation
import RelayLive
import RelayNetwork
import RelayPersistence
import RelayStore

private let todoRow = graphql("fragment Row_todo on Todo { text isComplete }")
private let todoQuery = graphql("query TodoQuery { todo { id ...Row_todo } }")
private let todoChanged = graphql(
  "subscription TodoChangedSubscription { todoChanged { ...Row_todo } }")
private let complete = graphql(
  "mutation CompleteMutation($id: ID!) { complete(id: $id) { id isComplete } }")

let urls = CommandLine.arguments.dropFirst().compactMap { URL(string: $0) }
guard urls.count == 3 else { fatalError("usage: OfflineApp URL SOCKET-URL FOLDER") }
let environment = RelayEnvironment(
  store: RecordStore(
    configuration: .init(persistence: .sqlite(directory: URL(filePath: urls[2].path)))),
  transport: HTTPTransport(url: urls[0])
    .routingSubscriptions(to: WebSocketTransport(url: urls[1])),
  outbox: OutboxOptions(serverHonorsIdempotencyKeys: true))

func follow() async throws {
  for try await event in environment.subscribe(to: TodoChangedSubscription()) {
    print(event.data?.todoChanged != nil)
  }
}

if let todo = try await environment.fetch(TodoQuery()).data?.todo {
  try await environment.commit(CompleteMutation(id: todo.id), durability: .outbox())
  for await snapshot in environment.observe(todo.fragments.row_todo) {
    print(snapshot.data?.text ?? "")
    if snapshot.data?.isComplete == true { break }
  }
  try await follow()
}
