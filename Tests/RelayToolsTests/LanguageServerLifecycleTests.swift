import Foundation
import GraphQLLanguage
import Testing

@testable import RelayCompiler
@testable import RelayTools

@Suite("The life of a language server", .timeLimit(.minutes(1)))
struct LanguageServerLifecycleTests {
  /// Runs a server's loop over an input.
  ///
  /// - Returns: The exit code, and the server's messages.
  private func run(_ bodies: [String]) throws -> (code: Int32, messages: [JSON]) {
    let (input, output) = (Pipe(), Pipe())
    let text = bodies.map { "Content-Length: \($0.utf8.count)\r\n\r\n\($0)" }.joined()
    try input.fileHandleForWriting.write(contentsOf: Data(text.utf8))
    try input.fileHandleForWriting.close()
    var loop = ServerLoop(
      input: input.fileHandleForReading.fileDescriptor,
      output: output.fileHandleForWriting.fileDescriptor)
    let code = try loop.run()
    try output.fileHandleForWriting.close()
    var reader = MessageReader()
    reader.append(try output.fileHandleForReading.readToEnd() ?? Data())
    var messages: [JSON] = []
    while case .body(let bytes)? = reader.next() { messages.append(try JSONReader.read(bytes)) }
    return (code, messages)
  }

  private func body(_ method: String, id: Int? = nil) -> String {
    let member = id.map { "\"id\": \($0), " } ?? ""
    return #"{"jsonrpc": "2.0", \#(member)"method": "\#(method)", "params": {"capabilities": {}}}"#
  }

  @Test(
    "exit ends the server with 0 after shutdown and with 1 before, and the end of input ends it too"
  )
  func exits() throws {
    let start = body("initialize", id: 1)
    let stop = body("shutdown", id: 2)
    #expect(try run([start, stop, body("exit")]).code == 0)
    #expect(try run([start, body("exit"), stop]).code == 1)
    #expect(try run([body("exit")]).code == 1)
    #expect(try run([start, stop]).code == 0)
    #expect(try run([start]).code == 1)
  }

  @Test("requests are answered as the phase permits, and notifications are never answered")
  func phases() throws {
    let hover = "textDocument/hover"
    let messages = try run([
      body(hover, id: 1), body("textDocument/didOpen"), body("initialize", id: 2),
      body("initialize", id: 3), body("initialized"), body("unknown", id: 4), body("unknown"),
      body(hover, id: 5), body("$/unknown"), "{", body("shutdown", id: 6), body(hover, id: 7),
      body("exit"),
    ]).messages
    let codes = messages.filter { $0["method"] == nil }.map { message in
      "\(message["id"] ?? .null) \(message["error"]?["code"] ?? .null)"
    }
    #expect(
      codes == [
        "1 -32002", "2 null", "3 -32600", "4 -32601", "5 -32602", "null -32700", "6 null",
        "7 -32600",
      ])
  }

  @Test("a request that is cancelled while it waits is answered with the code for that")
  func cancellation() throws {
    let cancel = #"{"jsonrpc": "2.0", "method": "$/cancelRequest", "params": {"id": 2}}"#
    let messages = try run([
      body("initialize", id: 1), body("textDocument/hover", id: 2), cancel,
      body("textDocument/hover", id: 3), body("exit"),
    ]).messages
    let answers = messages.filter { $0["method"] == nil }
    #expect(answers.map { $0["error"]?["code"] } == [nil, -32800, -32602])
  }

  @Test("an editor that writes everything before it reads anything is served")
  func pipes() throws {
    let (input, output) = (Pipe(), Pipe())
    let ends = (input.fileHandleForReading.fileDescriptor, output.fileHandleForWriting)
    Thread {
      var loop = ServerLoop(input: ends.0, output: ends.1.fileDescriptor)
      _ = try? loop.run()
      try? ends.1.close()
    }.start()
    let name = String(repeating: "m", count: 30_000)
    var text = Data()
    for id in 1...100 {
      let body = #"{"jsonrpc": "2.0", "id": "\#(id) \#(name)", "method": "initialize"}"#
      text += Data("Content-Length: \(body.utf8.count)\r\n\r\n\(body)".utf8)
    }
    try input.fileHandleForWriting.write(contentsOf: text)
    try input.fileHandleForWriting.close()
    var reader = MessageReader()
    reader.append(try output.fileHandleForReading.readToEnd() ?? Data())
    var count = 0
    while reader.next() != nil { count += 1 }
    #expect(count == 100)
  }

  @Test("the encoding is the first one that the editor lists and the server has")
  func encodings() {
    func encoding(_ offered: JSON) -> JSON? {
      var editor = EditorSession()
      let capabilities: JSON = ["general": ["positionEncodings": offered]]
      let result = editor.request("initialize", ["capabilities": capabilities])["result"]
      return result?["capabilities"]?["positionEncoding"]
    }
    #expect(encoding(["utf-8", "utf-16"]) == "utf-8")
    #expect(encoding(["utf-32", "utf-16", "utf-8"]) == "utf-16")
    #expect(encoding(["utf-32"]) == "utf-16")
    #expect(encoding(nil) == "utf-16")
  }

  @Test("without a configuration the server says once what to do, and its answers are empty")
  func noConfiguration() throws {
    let project = try TemporaryProject(["Feed.swift": "let a = 1"])
    try project.remove("relay.config.json")
    var editor = EditorSession(project.folder)
    editor.rest()
    let uri = project.uri("Feed.swift")
    editor.open(uri, "let a = 2")
    editor.touched(uri)
    let messages = editor.received.filter { $0["method"] == "window/logMessage" }
    #expect(messages.count == 1)
    #expect(messages.first?["params"]?["message"]?.text?.contains("relay.config.json") == true)
    let answer = editor.request(
      "textDocument/hover",
      ["textDocument": ["uri": .string(uri)], "position": ["line": 0, "character": 0]])
    #expect(answer["result"] == .null && answer["error"] == nil)
    #expect(editor.diagnostics.isEmpty)
  }
}
