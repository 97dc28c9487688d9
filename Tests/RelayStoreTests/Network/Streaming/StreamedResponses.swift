import Testing

@testable import RelayNetwork
@testable import RelayStore

/// Streamed responses with many parts, as servers send them.
enum StreamedResponses {
  /// A response and its parts.
  struct Case: Sendable, CustomTestStringConvertible {
    let name: String
    let type: String
    let text: String
    let parts: [StreamMessage]
    var failure: StreamFailure?
    var testDescription: String { name }

    var bytes: [UInt8] { Array(text.utf8) }
  }

  static func payload(_ text: String) -> StreamMessage { .payload(Array(text.utf8)) }

  static func event(
    _ name: String, _ data: String, id: String = "", retry: Int? = nil
  ) -> StreamMessage {
    .event(.init(name: name, data: Array(data.utf8), lastEventID: id, retry: retry))
  }

  static let all = eventStreams + multipart + lines

  private static let sse = "text/event-stream; charset=utf-8"
  private static let dashes = "multipart/mixed; boundary=\"-\"; deferSpec=20220824"
  private static let graphql = "multipart/mixed;boundary=\"graphql\";subscriptionSpec=\"1.0\""

  static let eventStreams: [Case] = [
    Case(
      name: "the distinct connections mode of graphql-sse", type: sse,
      text: """
        :

        event: next
        data: {"data":{"count":1}}

        event: next
        data: {"data":{"count":2}}

        event: complete
        data:


        """,
      parts: [
        .heartbeat, event("next", #"{"data":{"count":1}}"#),
        event("next", #"{"data":{"count":2}}"#), event("complete", ""),
      ]),
    Case(
      name: "an end without data", type: sse, text: "event: complete\n\n",
      parts: [event("complete", "")]),
    Case(
      name: "CRLF, pings and identifiers", type: sse,
      text:
        "retry: 3000\r\n\r\n: ping\r\n\r\nid: 7\r\nevent: next\r\ndata: {}\r\n\r\ndata:x\r\n\r\n",
      parts: [
        .heartbeat, event("next", "{}", id: "7", retry: 3000), event("", "x", id: "7", retry: 3000),
      ]),
    Case(
      name: "CR alone", type: sse, text: "data: a\rdata: b\r\rdata:c\r\r",
      parts: [event("", "a\nb"), event("", "c")]),
    Case(
      name: "all ends of lines", type: sse, text: "data: a\r\ndata: b\rdata: c\n\r\n\rdata: d\n\n",
      parts: [event("", "a\nb\nc"), event("", "d")]),
    Case(
      name: "a byte order mark", type: sse, text: "\u{FEFF}data: \u{FEFF}é\n\n",
      parts: [event("", "\u{FEFF}é")]),
    Case(
      name: "a byte order mark that is not the first", type: sse,
      text: "\n\u{FEFF}data: a\n\ndata: b\n\n", parts: [event("", "b")]),
    Case(
      name: "the example of the standard for lines of data", type: sse,
      text: "data: YHOO\ndata: +2\ndata: 10\n\n", parts: [event("", "YHOO\n+2\n10")]),
    Case(
      name: "the example of the standard for empty data", type: sse,
      text: "data\n\ndata\ndata\n\ndata:", parts: [event("", ""), event("", "\n")]),
    Case(
      name: "the example of the standard for a space", type: sse,
      text: "data:test\n\ndata: test\n\ndata:  test\n\n",
      parts: [event("", "test"), event("", "test"), event("", " test")]),
    Case(
      name: "identifiers that are removed, and that are ignored", type: sse,
      text: "id: 1\ndata: a\n\nid: 2\u{0}\ndata: b\n\nid\ndata: c\n\n",
      parts: [event("", "a", id: "1"), event("", "b", id: "1"), event("", "c")]),
    Case(
      name: "delays that are not digits", type: sse,
      text: "retry: 5\nretry: 6s\nretry: -7\nretry: 99999999999999999999\ndata: a\n\n",
      parts: [event("", "a", retry: 5)]),
    Case(
      name: "unknown fields", type: sse,
      text: "Data: a\ndata : b\n data: c\nfoo\nbar: d\ndatas: e\nevent:x:y\ndata::f\n\n",
      parts: [event("x:y", ":f")]),
    Case(name: "no event", type: sse, text: "\n\n\r\n\r", parts: []),
    Case(
      name: "an event without its end", type: sse, text: "data: a\n\ndata: b\n",
      parts: [
        event("", "a")
      ]),
    Case(
      name: "text that is not UTF-8 in fields", type: sse, text: "event: \u{0}\ndata: \u{0}\n\n",
      parts: [event("\u{0}", "\u{0}")]),
  ]

  static let multipart: [Case] = [
    Case(
      name: "incremental delivery of graphql-yoga", type: dashes,
      text: "\r\n---\r\nContent-Type: application/json; charset=utf-8\r\nContent-Length: 30"
        + "\r\n\r\n{\"data\":{\"a\":1},\"hasNext\":true}\r\n---"
        + "\r\nContent-Type: application/json; charset=utf-8\r\nContent-Length: 17"
        + "\r\n\r\n{\"hasNext\":false}\r\n-----\r\n",
      parts: [payload(#"{"data":{"a":1},"hasNext":true}"#), payload(#"{"hasNext":false}"#)]),
    Case(
      name: "incremental delivery with LF", type: "multipart/mixed; boundary=-",
      text: "---\nContent-Type: application/json\n\n{\"a\":\"---\"}\n---\n\n{\"b\":[{}]}\n-----",
      parts: [payload(#"{"a":"---"}"#), payload(#"{"b":[{}]}"#)]),
    Case(
      name: "a subscription of Apollo Router", type: graphql,
      text: "--graphql\r\ncontent-type: application/json\r\n\r\n{}\r\n--graphql\r\n"
        + "content-type: application/json\r\n\r\n{\"payload\":{\"data\":{\"n\":1}}}\r\n--graphql\r\n"
        + "content-type: application/json\r\n\r\n{\"payload\":null,\"errors\":[{\"message\":\"x\"}]}"
        + "\r\n--graphql--\r\n",
      parts: [
        .heartbeat, payload(#"{"payload":{"data":{"n":1}}}"#),
        payload(#"{"payload":null,"errors":[{"message":"x"}]}"#),
      ]),
    Case(
      name: "a subscription of strawberry", type: "multipart/mixed;boundary=graphql",
      text:
        "\r\n--graphql\r\nContent-Type: application/json\r\n\r\n{\"payload\": {\"data\": {}}}\r\n"
        + "\r\n--graphql\r\nContent-Type: application/json\r\n\r\n{}\r\n\r\n--graphql--\r\n",
      parts: [payload(#"{"payload": {"data": {}}}"#), .heartbeat]),
    Case(
      name: "a preamble, an epilogue and white space after boundaries",
      type: "Multipart/Mixed; Boundary=\"a b'(:=?)\"",
      text: "Not shown.\r\n-- a\r\n--a b'(:=?) \t\r\n\r\n{\"a\":1}\r\n--a b'(:=?)   \n"
        + "X-A: b\r\n  continued\r\n\r\n[1]\r\n--a b'(:=?)--   \r\n--a b'(:=?)\r\n\r\n{\"no\":1}",
      parts: [payload(#"{"a":1}"#), payload("[1]")]),
    Case(
      name: "a boundary with an escape", type: "multipart/mixed; boundary=\"x\\\"y\\\\\"",
      text: "--x\"y\\\r\n\r\n{\"a\":\"\\\"}{\"}\r\n--x\"y\\--",
      parts: [payload(#"{"a":"\"}{"}"#)]),
    Case(
      name: "text like a boundary in the JSON", type: "multipart/mixed; boundary=b",
      text:
        "--b\r\n\r\n{\"a\":\"--b\",\n\"--b\":1,\n -1:--b,\r\n--a\r\n-\n--\n\"c\": \"\\n--b--\"}\r\n--b--",
      parts: [
        payload(
          "{\"a\":\"--b\",\n\"--b\":1,\n -1:--b,\r\n--a\r\n-\n--\n\"c\": \"\\n--b--\"}")
      ]),
    Case(
      name: "parts without a body", type: "multipart/mixed; boundary=b",
      text:
        "--b\r\n\r\n--b\r\nX: y\r\n--b\r\n\r\n\r\n--b\n\n \n\n--b\r\n--b\r\n\r\n{\"a\":1}\n--b--",
      parts: [payload(#"{"a":1}"#)]),
    Case(
      name: "parts that are not objects", type: "multipart/mixed; boundary=b",
      text: "--b\r\n\r\nnull\r\n--b\r\n\r\n[{\"a\":1}]\r\n\r\n--b\r\n\r\n \"}\"\n--b--",
      parts: [payload("null"), payload("[{\"a\":1}]\r\n"), payload(" \"}\"")]),
    Case(
      name: "lengths that are wrong", type: "multipart/mixed; boundary=b",
      text: "--b\r\nContent-Length: 3\r\n\r\n{\"a\":\"é\"}\r\n--b\r\nContent-Length: -1\r\n\r\n"
        + "{\"b\":1}  \r\n--b\r\ncontent-length: 99999999999999999999\r\n\r\n{\"c\":1}\r\n--b--",
      parts: [payload(#"{"a":"é"}"#), payload(#"{"b":1}"#), payload(#"{"c":1}"#)]),
    Case(
      name: "types of parts", type: "multipart/mixed; boundary=b",
      text: "--b\r\nContent-Type:application/graphql-response+json\r\n\r\n{\"a\":1}\r\n--b\r\n"
        + "CONTENT-TYPE: Application/JSON ; charset=utf-8\r\n\r\n{\"b\":1}\r\n--b--",
      parts: [payload(#"{"a":1}"#), payload(#"{"b":1}"#)]),
    Case(
      name: "no parts", type: "multipart/mixed; boundary=b", text: "--b--", parts: []),
    Case(
      name: "no boundary in the media type", type: "multipart/mixed",
      text: "---\r\n\r\n{\"a\":1}\r\n-----\r\n", parts: [payload(#"{"a":1}"#)]),
  ]

  static let lines: [Case] = [
    Case(
      name: "JSON lines", type: "application/jsonl",
      text: "{\"a\":1}\n{\"b\":\"\\n\"}\r\n\n  \r\n{}\n[2]",
      parts: [payload(#"{"a":1}"#), payload(#"{"b":"\n"}"#), .heartbeat, payload("[2]")]),
    Case(
      name: "newline-delimited JSON", type: "application/x-ndjson; charset=utf-8",
      text: "{\"a\":1}\r\n", parts: [payload(#"{"a":1}"#)]),
    Case(
      name: "no lines", type: "application/jsonl", text: "\n\r\n \n", parts: []),
    Case(
      name: "one response", type: "application/json", text: "{\"data\":\n{}}\n",
      parts: [payload("{\"data\":\n{}}\n")]),
    Case(name: "an empty response", type: "text/html", text: "", parts: []),
  ]
}
