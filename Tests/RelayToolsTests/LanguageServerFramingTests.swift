import Foundation
import GraphQLLanguage
import SeededRandom
import Testing

@testable import RelayCompiler
@testable import RelayTools

@Suite("The language server reads its input", .timeLimit(.minutes(1)))
struct LanguageServerFramingTests {
  private func message(_ body: String) -> String {
    "Content-Length: \(body.utf8.count)\r\n\r\n\(body)"
  }

  private func frames(_ chunks: [ArraySlice<UInt8>], limits: MessageReader.Limits = .init())
    -> [MessageReader.Frame]
  {
    var reader = MessageReader(limits: limits)
    var frames: [MessageReader.Frame] = []
    for chunk in chunks {
      reader.append(chunk)
      while let frame = reader.next() { frames.append(frame) }
    }
    return frames
  }

  private func frames(_ text: String, limits: MessageReader.Limits = .init())
    -> [MessageReader.Frame]
  {
    frames([Array(text.utf8)[...]], limits: limits)
  }

  private func bodies(_ frames: [MessageReader.Frame]) -> [String] {
    frames.compactMap { frame in
      if case .body(let bytes) = frame { String(decoding: bytes, as: UTF8.self) } else { nil }
    }
  }

  @Test("messages are the same wherever the bytes are divided")
  func chunks() {
    let text =
      message("{}") + "content-type: utf-8\r\nCONTENT-LENGTH:4 \r\n\r\n\"é\"" + message("")
      + "Content-Length: 3\n\n[1]"
    let bytes = Array(text.utf8)
    let expected = ["{}", "\"é\"", "", "[1]"]
    #expect(bodies(frames(text)) == expected)
    #expect(frames(text).count == 4)
    for first in 0...bytes.count {
      #expect(bodies(frames([bytes[..<first], bytes[first...]])) == expected, "at \(first)")
    }
    #expect(bodies(frames(bytes.indices.map { bytes[$0...$0] })) == expected)
  }

  @Test(
    "malformed bytes are reported once, and the next message is read",
    arguments: [
      "Content-Length: x\r\n\r\n{}", "Content-Length: -4\r\n\r\n{}", "Content-Length:\r\n\r\n{}",
      "Content-Length: 99999999999999999999\r\n\r\n{}", "Content-Length: 999999999\r\n\r\n{}",
      "Content-Type: a\r\n\r\n{}", "garbage\r\n\r\n", "\r\n\r\n", "garbage", "{\"a\": 1}\n{}\n",
      "Content-Length: 2\r\n\r\n{\"longer\": true}", "Content-Length: 60\r\n\r\n{\"shorter\": 1}",
      "Content-Length: 4000\r\n\r\n{\"shorter\": 1}", "Content-Content-Length: 3 4\r\n\r\n",
      String(repeating: "x: y\r\n", count: 4000),
    ])
  func malformed(bytes: String) {
    let text = bytes + message("[1]") + message("[2]")
    let read = frames(text)
    #expect(bodies(read).suffix(2) == ["[1]", "[2]"])
    #expect(read.count { if case .malformed = $0 { true } else { false } } == 1)
    let parts = Array(text.utf8)
    #expect(frames(parts.indices.map { parts[$0...$0] }) == read)
  }

  @Test("a body within the limit is read, and one above it is skipped")
  func limits() {
    let limits = MessageReader.Limits(header: 100, body: 8)
    let text = message("12345678") + message("123456789") + message("1")
    let read = frames(text, limits: limits)
    #expect(bodies(read) == ["12345678", "1"] && read.count == 3)
  }

  @Test(
    "messages of other forms than requests are answered as JSON-RPC says",
    arguments: [
      ("{", -32700, "null"), ("[{\"jsonrpc\": \"2.0\"}]", -32600, "null"), ("1", -32600, "null"),
      ("{\"id\": 1, \"method\": \"a\"}", -32600, "1"),
      ("{\"jsonrpc\": \"2.0\", \"id\": null, \"method\": \"a\"}", -32600, "null"),
      ("{\"jsonrpc\": \"2.0\", \"id\": \"x\", \"method\": 1}", -32600, "\"x\""),
      (
        "{\"jsonrpc\": \"2.0\", \"id\": 9007199254740993, \"params\": 1}", -32600,
        "9007199254740993"
      ),
      ("{\"jsonrpc\": \"2.0\", \"id\": 1, \"method\": \"a\", \"params\": 1}", -32600, "1"),
      ("\"\u{0}\"", -32700, "null"),
      (String(repeating: "[", count: 100_000), -32700, "null"),
    ])
  func forms(body: String, code: Int, id: String) {
    var editor = EditorSession()
    editor.send(Message(.body(ContiguousArray(body.utf8))))
    #expect(editor.received.count == 1)
    #expect(editor.received.first?["error"]?["code"]?.integer == code)
    #expect(editor.received.first?["id"]?.description == id)
  }

  @Test("a body that is not UTF-8 is answered with a parse error")
  func notUnicode() {
    var editor = EditorSession()
    editor.send(Message(.body([0x22, 0xFF, 0x22])))
    #expect(editor.received.first?["error"]?["code"] == -32700)
  }

  @Test("half of an emoji that an editor sends as an escape becomes one replacement character")
  func surrogate() throws {
    let body =
      #"{"jsonrpc": "2.0", "method": "a", "params": {"text": "a\ud83db\udc00\ud83d\ude00"}}"#
    guard case .notification(_, let params) = Message(.body(ContiguousArray(body.utf8))) else {
      Issue.record("The message was not read.")
      return
    }
    #expect(params["text"] == "a\u{FFFD}b\u{FFFD}😀")
  }

  @Test("a cancellation reaches the requests that wait, and no others")
  func cancellation() {
    var queue = MessageQueue()
    for id in 1...3 { queue.append(.request(id: .int(id), method: "m", params: nil)) }
    _ = queue.popFirst()
    for id in [1, 2, 9] {
      queue.append(.notification(method: "$/cancelRequest", params: ["id": .int(id)]))
    }
    guard case .invalid(2, let error)? = queue.popFirst() else {
      Issue.record("The request was not cancelled.")
      return
    }
    #expect(error.code == .requestCancelled)
    #expect(queue.popFirst() == .request(id: 3, method: "m", params: nil))
    #expect(queue.popFirst() == nil && queue.isEmpty)
  }

  @Test("after any damage to messages the next request is answered", arguments: 1...40)
  func fuzz(seed: Int) throws {
    var random = SeededGenerator(seed: UInt64(seed))
    let whole = [
      #"{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"capabilities":{},"rootUri":null}}"#,
      #"{"jsonrpc":"2.0","method":"initialized","params":{}}"#,
      #"{"jsonrpc":"2.0","method":"textDocument/didOpen","params":{"textDocument":{"uri":"file:///x.swift","version":1,"text":"😀\r\nlet"}}}"#,
      #"{"jsonrpc":"2.0","method":"textDocument/didChange","params":{"textDocument":{"uri":"file:///x.swift","version":2},"contentChanges":[{"range":{"start":{"line":0,"character":1},"end":{"line":7,"character":-1}},"text":"a"}]}}"#,
      #"{"jsonrpc":"2.0","id":2,"method":"textDocument/hover","params":{"textDocument":{"uri":"file:///x.swift"},"position":{"line":0,"character":0}}}"#,
      #"{"jsonrpc":"2.0","id":3,"method":"textDocument/codeAction","params":{"textDocument":{"uri":"file:///x.swift"}}}"#,
    ]
    var reader = MessageReader()
    var editor = EditorSession()
    for step in 0..<60 {
      var bytes = Array(message(whole[Int.random(in: 0..<whole.count, using: &random)]).utf8)
      for _ in 0..<Int.random(in: 0...3, using: &random) {
        let at = Int.random(in: 0..<bytes.count, using: &random)
        switch Int.random(in: 0..<4, using: &random) {
        case 0: bytes[at] = .random(in: 0...255, using: &random)
        case 1: bytes.remove(at: at)
        case 2: bytes.removeSubrange(at...)
        default: bytes.insert(contentsOf: bytes[at...].prefix(9), at: at)
        }
        if bytes.isEmpty { break }
      }
      let check = #"{"jsonrpc":"2.0","id":"check\#(step)","method":"$/check"}"#
      reader.append(bytes + Array(message(check).utf8))
      while let frame = reader.next() { editor.send(Message(frame)) }
      editor.rest()
      let isAnswered = editor.received.contains { $0["id"] == .string("check\(step)") }
      try #require(
        isAnswered, "seed \(seed), step \(step): \(String(decoding: bytes, as: UTF8.self))")
    }
  }
}
