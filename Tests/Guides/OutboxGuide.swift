import Foundation
import RelayPersistence
import RelayStore

/// Creates an environment with an outbox.
func makeOfflineEnvironment(
  for user: String, in support: URL, over transport: some Transport
) -> RelayEnvironment {
  let persistence = Persistence.sqlite(directory: support.appending(path: "graph"), user: user)
  return RelayEnvironment(
    store: RecordStore(configuration: .init(persistence: persistence).logging()),
    transport: transport, outbox: OutboxOptions(serverHonorsIdempotencyKeys: true))
}

/// Completes a todo, with or without a network.
func completeDurably(_ todo: TodoRow_todo, in environment: RelayEnvironment) async throws {
  try await environment.commit(
    SetCompleteMutation(input: .init(id: todo.id, isComplete: true)),
    optimisticResponse: .init(setComplete: .init(todo: .init(id: todo.id, isComplete: true))),
    durability: .outbox())
}

/// Completes a todo or takes that back; if neither was sent, neither is.
func toggle(_ todo: TodoRow_todo, in environment: RelayEnvironment) async throws {
  let isComplete = !todo.isComplete
  try await environment.commit(
    SetCompleteMutation(input: .init(id: todo.id, isComplete: isComplete)),
    optimisticResponse: .init(setComplete: .init(todo: .init(id: todo.id, isComplete: isComplete))),
    durability: .outbox(),
    coalescing: .init(
      key: "complete \(todo.id) \(isComplete)", cancels: "complete \(todo.id) \(!isComplete)"))
}

/// Shows the unsent mutations, and lets the user decide about the ones that the server rejected.
func showOutbox(of environment: RelayEnvironment) async throws {
  guard let outbox = environment.outbox else { return }
  for await entries in outbox.observe() {
    print("\(entries.count) changes are waiting")
    for entry in entries {
      switch entry.state {
      case .failed: try await outbox.discard(entry.id)
      case .unknown: try await outbox.retry(entry.id)
      default: break
      }
    }
  }
}
