import RelayStore

private let todoRow = graphql("fragment Row_todo on Todo { text isComplete }")
private let todoQuery = graphql("query TodoQuery { todo { ...Row_todo } }")

struct FixedTransport: Transport {
  func execute(_ request: GraphQLRequest) async throws -> GraphQLResponse {
    GraphQLResponse(
      json: ["data": ["todo": ["id": "1", "text": "Feed the cat", "isComplete": true]]])
  }
}

let environment = RelayEnvironment(transport: FixedTransport())
if let todo = try await environment.fetch(TodoQuery()).data?.todo {
  for await snapshot in environment.observe(todo.fragments.row_todo) {
    print(snapshot.data?.text ?? "")
    if snapshot.data?.isComplete == true { break }
  }
}
