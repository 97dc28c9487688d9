import Foundation
import RelayNetwork
import RelayStore

private let todoRow = graphql("fragment Row_todo on Todo { text isComplete }")
private let todoQuery = graphql("query TodoQuery { todo { ...Row_todo } }")

let url = CommandLine.arguments.dropFirst().first.flatMap { URL(string: $0) }
guard let url else { fatalError("usage: HTTPApp URL") }
let environment = RelayEnvironment(transport: HTTPTransport(url: url))
if let todo = try await environment.fetch(TodoQuery()).data?.todo {
  for await snapshot in environment.observe(todo.fragments.row_todo) {
    print(snapshot.data?.text ?? "")
    if snapshot.data?.isComplete == true { break }
  }
}
