import RelayPersistence
import RelayStore
import Testing

/// A server that executes each mutation once, at a moment of the test's choice.
final class TodoServer: Sendable {
  /// The connection of one process to the server.
  final class Connection: Transport {
    fileprivate struct Held {
      let request: GraphQLRequest
      let continuation: CheckedContinuation<GraphQLResponse, any Error>
    }

    private let server: TodoServer
    private let held = Locked<[Held]>([])
    private let isClosed = Locked(false)

    fileprivate init(_ server: TodoServer) { self.server = server }

    func execute(_ request: GraphQLRequest) async throws -> GraphQLResponse {
      try await withCheckedThrowingContinuation { continuation in
        if isClosed.withLock({ $0 }) { return continuation.resume(throwing: lost()) }
        held.withLock { $0.append(Held(request: request, continuation: continuation)) }
      }
    }

    var keys: Set<String> { held.withLock { Set($0.map(\.request.key)) } }

    /// Ends a request.
    ///
    /// - Parameters:
    ///   - isExecuted: Whether the server executes it.
    ///   - responds: Whether the response arrives.
    func end(_ key: String, isExecuted: Bool, responds: Bool) {
      let ended = held.withLock { held in
        held.firstIndex { $0.request.key == key }.map { held.remove(at: $0) }
      }
      guard let ended else { return }
      let data: JSONValue = isExecuted ? server.response(to: ended.request) : .null
      if responds {
        ended.continuation.resume(returning: GraphQLResponse(json: ["data": data]))
      } else {
        ended.continuation.resume(throwing: lost())
      }
    }

    /// Ends the process: no later request arrives.
    func close() { isClosed.withLock { $0 = true } }
  }

  private struct State {
    var todos: [String: String] = [:]
    var responses: [String: JSONValue] = [:]
    var lastID = 0
    var problems: [String] = []
  }

  private let state = Locked(State())

  func connection() -> Connection { Connection(self) }

  var todos: [String: String] { state.withLock { $0.todos } }
  var problems: [String] { state.withLock { $0.problems } }

  private func response(to request: GraphQLRequest) -> JSONValue {
    state.withLock { state in
      if let response = state.responses[request.key] { return response }
      let response = Self.execute(request, in: &state)
      state.responses[request.key] = response
      return response
    }
  }

  private static func execute(_ request: GraphQLRequest, in state: inout State) -> JSONValue {
    let text = request.variables["text"]?.string ?? ""
    guard let id = request.variables["id"]?.string else {
      state.lastID += 1
      state.todos["s\(state.lastID)"] = text
      return todo("addTodo", "s\(state.lastID)", text)
    }
    if state.todos[id] == nil { state.problems.append("\(request.operationName) of \(id)") }
    if request.operationName == "DeleteTodo" {
      state.todos[id] = nil
      return ["deleteTodo": ["gone": .string(id)]]
    }
    state.todos[id] = text
    return todo("setText", id, text)
  }
}
