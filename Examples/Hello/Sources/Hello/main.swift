import RelayStore

private let todoRow = graphql("fragment Row_todo on Todo { text isComplete }")
private let hello = graphql("query HelloQuery { todo { ...Row_todo } }")

/// A server in this process.
struct TodoServer: Transport {
  func execute(_ request: GraphQLRequest) -> GraphQLResponse {
    GraphQLResponse(
      json: ["data": ["todo": ["id": "1", "text": "Feed the cat", "isComplete": false]]])
  }
}

let environment = RelayEnvironment(transport: TodoServer())

if let todo = try await environment.fetch(HelloQuery()).data?.todo {
  for await snapshot in environment.observe(todo.fragments.row_todo) {
    guard let row = snapshot.data else { continue }
    print(row)
    if row.isComplete { break }
    try environment.commitUpdate { try $0["1"]?.setValue(true, for: "isComplete") }
  }
}
