import Foundation
import GraphQLLanguage

@testable import RelayCompiler
@testable import RelayTools

/// An assistant that calls a context server's tools for a temporary project.
struct ContextClient {
  private var server: ContextServer
  private var reader = LineReader()

  init(_ project: TemporaryProject, configuration: String? = nil) {
    server = ContextServer(
      ContextProject(configuration: configuration, folder: project.folder.path))
  }

  /// Sends bytes, and returns the responses.
  mutating func send(_ text: String) -> [JSON] { send(Array(text.utf8)) }

  mutating func send(_ bytes: [UInt8]) -> [JSON] {
    reader.append(bytes).compactMap { server.respond($0) }
  }

  /// Sends a request, and returns the response.
  mutating func request(_ method: String, _ params: JSON = .object([])) -> JSON? {
    let message: JSON = [
      "jsonrpc": "2.0", "id": 1, "method": .string(method), "params": params,
    ]
    return send(message.description + "\n").first
  }

  /// Calls a tool, and returns its result or the response's error.
  mutating func call(_ tool: String, _ arguments: JSON = .object([])) -> JSON? {
    let answer = request("tools/call", ["name": .string(tool), "arguments": arguments])
    return answer?["result"] ?? answer?["error"]
  }

  /// Calls a tool, and returns its result as a string; a failure starts with `failed:`.
  mutating func text(_ tool: String, _ arguments: JSON = .object([])) -> String {
    let result = call(tool, arguments)
    let text = result["content"]?.items.first?["text"]?.text ?? result["message"]?.text ?? ""
    return result["isError"]?.isTrue == true ? "failed: \(text)" : text
  }
}
