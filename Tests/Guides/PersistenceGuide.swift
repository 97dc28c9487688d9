import Foundation
import RelayPersistence
import RelayStore

/// Creates a user's environment, whose data is preserved between runs of the program.
func makeEnvironment(
  for user: String, in caches: URL, over transport: some Transport
) -> RelayEnvironment {
  let persistence = Persistence.sqlite(directory: caches.appending(path: "graph"), user: user)
  let store = RecordStore(configuration: .init(persistence: persistence).logging())
  return RelayEnvironment(store: store, transport: transport)
}

/// Shows a todo that may still be only on disk.
@MainActor func show(_ todo: FragmentRef<TodoRow_todo>, in environment: RelayEnvironment) async {
  for await snapshot in environment.observe(todo) {
    if let row = snapshot.data {
      print(row.text)
    } else if snapshot.isNotLoaded {
      print("…")
    } else {
      print("not known")
    }
  }
}

/// Persists everything before the system suspends the app, and resumes afterwards.
func sceneDidChange(isActive: Bool, _ environment: RelayEnvironment) async throws {
  if isActive {
    try await environment.store.resume()
  } else {
    try await environment.store.suspend()
  }
}

/// Ends a user's session on this device.
func signOut(of environment: RelayEnvironment) async throws {
  try await environment.wipe()
}
