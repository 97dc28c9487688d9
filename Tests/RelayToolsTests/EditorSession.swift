import Foundation
import GraphQLLanguage

@testable import RelayCompiler
@testable import RelayTools

/// An editor with a language server in the test's process.
struct EditorSession {
  private(set) var server = LanguageServer()
  /// All messages from the server.
  private(set) var received: [JSON] = []
  /// The last published diagnostics by URI.
  private(set) var diagnostics: [String: [String]] = [:]
  private(set) var versions: [String: Int] = [:]
  private var count = 0

  /// Starts and initializes a server for a folder.
  init(_ folder: URL, capabilities: JSON = [:]) {
    request(
      "initialize",
      ["rootUri": .string(FileURI.uri(of: folder.path)), "capabilities": capabilities])
    notify("initialized", [:])
  }

  /// Creates an editor whose server is not initialized.
  init() {}

  mutating func send(_ message: Message) {
    receive(server.receive(message))
  }

  @discardableResult
  mutating func request(_ method: String, _ params: JSON) -> JSON {
    count += 1
    let id: JSON = .int(count)
    send(.request(id: id, method: method, params: params))
    return received.last { $0["id"] == id && $0["method"] == nil } ?? .null
  }

  mutating func notify(_ method: String, _ params: JSON) {
    send(.notification(method: method, params: params))
  }

  /// Lets the server publish, as it does when no more messages are waiting.
  mutating func rest() {
    if server.hasNews { receive(server.publish()) }
  }

  private mutating func receive(_ messages: [JSON]) {
    received += messages
    for message in messages where message["method"] == "textDocument/publishDiagnostics" {
      guard let uri = message["params"]?["uri"]?.text else { continue }
      let items = message["params"]?["diagnostics"]?.items ?? []
      diagnostics[uri] = items.map { item in
        let start = item["range"]?["start"]
        let place = "\(start?["line"]?.integer ?? -1):\(start?["character"]?.integer ?? -1)"
        return "\(place) \(item["code"]?.text ?? "")"
      }
      versions[uri] = message["params"]?["version"]?.integer
    }
  }

  // MARK: Documents

  mutating func open(_ uri: String, _ text: String, version: Int = 1) {
    notify(
      "textDocument/didOpen",
      [
        "textDocument": [
          "uri": .string(uri), "languageId": "swift", "version": .int(version),
          "text": .string(text),
        ]
      ])
    rest()
  }

  mutating func change(_ uri: String, version: Int, _ changes: JSON...) {
    notify(
      "textDocument/didChange",
      [
        "textDocument": ["uri": .string(uri), "version": .int(version)],
        "contentChanges": .list(changes),
      ])
    rest()
  }

  mutating func close(_ uri: String) {
    notify("textDocument/didClose", ["textDocument": ["uri": .string(uri)]])
    rest()
  }

  /// Reports that a file was created, changed or deleted.
  mutating func touched(_ uri: String) {
    notify(
      "workspace/didChangeWatchedFiles", ["changes": [["uri": .string(uri), "type": 2]]])
    rest()
  }

  /// An open document as the server sees it.
  func text(_ uri: String) -> String? {
    FileURI.path(of: uri).flatMap { server.files[server.files.canonical($0)] }
      .map { String(decoding: $0.bytes, as: UTF8.self) }
  }
}

extension TemporaryProject {
  func uri(_ name: String) -> String { FileURI.uri(of: folder.appendingPathComponent(name).path) }
}
