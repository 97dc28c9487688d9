import RelayStore
import RelayStoreTesting

private let todoRow = graphql("fragment Row_todo on Todo { text isComplete }")
private let hello = graphql("query HelloQuery { todo { ...Row_todo } }")

let server = try SchemaServer(
  schema: "type Query { todo: Todo } type Todo { id: ID! text: String! isComplete: Boolean! }",
  resolvers: ["Query.todo": { _ in ["id": "1", "text": "Feed the cat", "isComplete": false] }])
let environment = RelayEnvironment(transport: server)

if let todo = try await environment.fetch(HelloQuery()).data?.todo {
  for await snapshot in environment.observe(todo.fragments.row_todo) {
    guard let row = snapshot.data else { continue }
    print(row)
    if row.isComplete { break }
    try environment.commitUpdate { try $0["1"]?.setValue(true, for: "isComplete") }
  }
}
