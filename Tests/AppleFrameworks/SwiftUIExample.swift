import RelayLive
import RelayStore
import RelaySwiftUI
import SwiftUI

// The SwiftUI code of Docs/Views.md. A test compares them, and the check for Apple's platforms
// compiles it.

struct FeedScreen: View {
  @Query(FeedQuery(first: 10), policy: .storeAndNetwork) private var feed

  var body: some View {
    if let data = feed.data {
      List(data.feed) { todo in TodoRow(todo.fragments.todoRow_todo, id: todo.id) }
    } else if let error = feed.error {
      Text(error.message)
    } else {
      ProgressView()
    }
  }
}

struct TodoRow: View {
  let id: String
  @Fragment private var todo: TodoRow_todo?
  @Mutation(LikeMutation.self) private var like

  init(_ todo: FragmentRef<TodoRow_todo>, id: String) {
    self.id = id
    _todo = Fragment(todo)
  }

  var body: some View {
    if let todo {
      Button(todo.text) { Task { try? await like.commit(LikeMutation(id: id)) } }
        .disabled(like.isInFlight || $todo.isLoading)
    }
  }
}

struct ListScreen: View {
  @PaginationFragment private var list: PaginationModel<ListItems_list>

  init(_ list: FragmentRef<ListItems_list>) { _list = PaginationFragment(list) }

  var body: some View {
    List {
      ForEach(list.data?.todos?.nodes ?? .init()) { todo in
        TodoRow(todo.fragments.todoRow_todo, id: todo.id)
      }
      if list.hasNext { ProgressView().onAppear { list.loadNext(10) } }
    }
  }
}

struct NewTodos: View {
  @LiveSubscription(TodoAddedSubscription()) private var added

  var body: some View {
    if let todo = added.data?.todoAdded { Text("New: \(todo.text)") }
    if !added.isActive {
      Text(added.error?.message ?? "Not connected.")
      Button("Connect") { added.restart() }
    } else if !added.isConnected {
      ProgressView()
    }
  }
}

struct LiveScreen: View {
  let socket: WebSocketTransport
  @Environment(\.scenePhase) private var phase

  var body: some View {
    NewTodos().onChange(of: phase) { _, phase in
      if phase == .background { socket.suspend() }
      if phase == .active { socket.resume() }
    }
  }
}

@MainActor
func start(_ environment: RelayEnvironment) -> some View {
  FeedScreen().relayEnvironment(environment)
}
