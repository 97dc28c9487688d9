import RelayLive
import RelayStore
import RelaySwiftUI
import SwiftUI

// The SwiftUI code of Docs/Views.md and of the page for users of Apollo iOS. A test compares them,
// and the check for Apple's platforms compiles it.

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

struct ChecklistScreen: View {
  @Query private var checklist: QueryModel<ChecklistQuery>

  init(id: String) { _checklist = Query(ChecklistQuery(id: id), policy: .storeAndNetwork) }

  var body: some View {
    if let data = checklist.data {
      if let list = data.list {
        ChecklistItems(list.fragments.checklistItems_list)
      } else {
        Text("There is no such list.")
      }
    } else if let error = checklist.error {
      Text(error.message)
      Button("Try again") { checklist.refetch() }
    } else {
      ProgressView()
    }
  }
}

struct ChecklistItems: View {
  @PaginationFragment private var items: PaginationModel<ChecklistItems_list>

  init(_ list: FragmentRef<ChecklistItems_list>) { _items = PaginationFragment(list) }

  var body: some View {
    List {
      ForEach(items.data?.todos?.nodes ?? .init()) { todo in
        ChecklistRow(todo.fragments.checklistRow_todo)
      }
      if items.hasNext {
        if items.error == nil {
          ProgressView().onAppear { items.loadNext(20) }
        } else {
          Button("Try again") { items.loadNext(20) }
        }
      }
    }
  }
}

struct ChecklistRow: View {
  @Fragment private var todo: ChecklistRow_todo?
  @Mutation(LikeMutation.self) private var like

  init(_ todo: FragmentRef<ChecklistRow_todo>) { _todo = Fragment(todo) }

  var body: some View {
    if let todo {
      Button("\(todo.text) (\(todo.likes))") {
        Task {
          try? await like.commit(
            LikeMutation(id: todo.id),
            optimisticResponse: .init(like: .init(todo: .init(id: todo.id, likes: todo.likes + 1))))
        }
      }
      .disabled(like.isInFlight || $todo.isLoading)
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
  ChecklistScreen(id: "1").relayEnvironment(environment)
}
