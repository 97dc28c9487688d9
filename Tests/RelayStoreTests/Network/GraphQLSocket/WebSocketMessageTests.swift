import SeededRandom
import Testing

@testable import RelayLive
@testable import RelayStore

@Suite("Messages of graphql-transport-ws", .timeLimit(.minutes(1)))
struct WebSocketMessageTests {
  private func message(_ text: String) throws -> String {
    switch try WebSocketServerMessage(Array(text.utf8)) {
    case .acknowledgement: "ack"
    case .ping(let payload): "ping \(String(decoding: payload ?? [], as: UTF8.self))"
    case .pong: "pong"
    case .next(let id, let body): "next \(id.rawValue) \(String(decoding: body, as: UTF8.self))"
    case .error(let id, let errors): "error \(id.rawValue) \(errors.map(\.message))"
    case .complete(let id): "complete \(id.rawValue)"
    }
  }

  @Test(
    "the messages of a server are read, in any order of their members",
    arguments: [
      (#"{"type":"connection_ack"}"#, "ack"),
      (#"{"type":"connection_ack","payload":null}"#, "ack"),
      (#" { "payload" : { } , "type" : "connection_ack" } "#, "ack"),
      (#"{"type":"ping"}"#, "ping "),
      (#"{"type":"ping","payload":{"a": [1, "}"]}}"#, #"ping {"a": [1, "}"]}"#),
      (#"{"type":"pong","payload":{}}"#, "pong"),
      (#"{"id":"7","type":"next","payload":{"data":null}}"#, #"next 7 {"data":null}"#),
      (
        #"{"payload":{"data":{"é":"\u00e9"}},"id":"7","type":"next"}"#,
        #"next 7 {"data":{"é":"\u00e9"}}"#
      ),
      (#"{"id":"\u0037","type":"n\u0065xt","payload":{},"extra":[{}]}"#, "next 7 {}"),
      (#"{"id":"07","type":"next","payload":{}}"#, "next 0 {}"),
      (#"{"id":"+7","type":"next","payload":{}}"#, "next 0 {}"),
      (#"{"id":"x","type":"complete"}"#, "complete 0"),
      (#"{"id":"9223372036854775808","type":"complete"}"#, "complete 0"),
      (#"{"id":"12","type":"complete","payload":1}"#, "complete 12"),
      (
        #"{"id":"1","type":"error","payload":[{"message":"a"},{"message":"b"}]}"#,
        #"error 1 ["a", "b"]"#
      ),
    ])
  func valid(text: String, expected: String) throws { #expect(try message(text) == expected) }

  @Test(
    "anything else is malformed",
    arguments: [
      ("", "not JSON: unexpected end at byte 0"), ("[]", "not JSON: not an object at byte 0"),
      ("{}", "without a type"), (#"{"type":1}"#, "without a type"),
      (#"{"type":"data"}"#, "of an unknown type"), (#"{"type":"ka"}"#, "of an unknown type"),
      (#"{"type":"next","payload":{}}"#, "without an id"),
      (#"{"type":"next","id":1,"payload":{}}"#, "without an id"),
      (#"{"type":"next","id":"1"}"#, "without a payload"),
      (#"{"type":"next","id":"1","payload":[]}"#, "without a payload"),
      (
        #"{"type":"next","id":"1","payload":{"data":}}"#,
        "not JSON: unexpected character at byte 42"
      ),
      (#"{"type":"next","id":"1","payload":{}"#, "not JSON: unexpected end"),
      (#"{"type":"pong"} {}"#, "not JSON: characters after the value"),
      (#"{"type":"error","id":"1","payload":{}}"#, "without a list of errors"),
      (#"{"type":"error","id":"1"}"#, "without a list of errors"),
      (#"{"type":"complete"}"#, "without an id"),
      (#"{"type":"connection_ack","payload":1}"#, "whose payload is not an object"),
      (#"{"type":"ping","payload":"a"}"#, "whose payload is not an object"),
    ])
  func malformed(text: String, reason: String) throws {
    let error = #expect(throws: WebSocketMessageError.self) { try message(text) }
    #expect(error?.description.contains(reason) == true, "\(error?.description ?? "")")
  }

  @Test("a message that is cut at any byte is malformed")
  func truncated() {
    let text = Array(#"{"id":"7","type":"next","payload":{"data":{"a":[1,true,"é\n"]}}}"#.utf8)
    for count in 0..<text.count {
      #expect(throws: WebSocketMessageError.self) {
        try WebSocketServerMessage(Array(text.prefix(count)))
      }
    }
  }

  @Test("deep nesting is limited, not a stack overflow")
  func depth() {
    func text(_ depth: Int) -> String {
      #"{"id":"7","type":"next","payload":{"data":"#
        + String(repeating: "[", count: depth) + String(repeating: "]", count: depth) + "}}"
    }
    #expect(throws: Never.self) { try message(text(500)) }
    #expect(throws: WebSocketMessageError.self) { try message(text(100_000)) }
  }

  @Test("the messages of the client")
  func client() {
    func text(_ message: WebSocketClientMessage) -> String {
      String(decoding: message.bytes, as: UTF8.self)
    }
    #expect(text(.initialization(nil)) == #"{"type":"connection_init"}"#)
    #expect(
      text(.initialization(["a": "\""])) == #"{"type":"connection_init","payload":{"a":"\""}}"#)
    #expect(text(.complete(.init(rawValue: 3))) == #"{"id":"3","type":"complete"}"#)
    #expect(text(.ping) == #"{"type":"ping"}"#)
    #expect(text(.pong(nil)) == #"{"type":"pong"}"#)
    var request = GraphQLRequest.subscription
    (request.includesText, request.id) = (false, "ab")
    request.extensions = ["b": 1]
    #expect(
      text(.subscribe(.init(rawValue: 2), request)) == """
        {"id":"2","type":"subscribe","payload":{"documentId":"sha256:ab","operationName":"Clock",\
        "variables":{"zone":"UTC"},"extensions":{"b":1}}}
        """)
  }
}
