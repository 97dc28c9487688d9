import Testing

@testable import RelayNetwork

@Suite("Media types", .timeLimit(.minutes(1)))
struct MediaTypeTests {
  @Test(
    "a media type has its parameters by name in lower case",
    arguments: [
      ("text/event-stream", "text/event-stream", [:]),
      (" Text/HTML ; Charset=UTF-8", "text/html", ["charset": "UTF-8"]),
      ("multipart/mixed;boundary=\"-\"", "multipart/mixed", ["boundary": "-"]),
      (
        "multipart/mixed; boundary=\"a;b=\\\"c\\\\\" ; deferSpec=20220824", "multipart/mixed",
        ["boundary": "a;b=\"c\\", "deferspec": "20220824"]
      ),
      (
        "multipart/mixed;boundary=a/b:c=?;subscriptionSpec=\"1.0\"", "multipart/mixed",
        ["boundary": "a/b:c=?", "subscriptionspec": "1.0"]
      ),
      ("a/b; x=1; X=2", "a/b", ["x": "1"]),
      ("a/b;;; x = 1 ;y;=z;w=", "a/b", ["x": "1", "w": ""]),
      ("a/b; x=\"open", "a/b", ["x": "open"]),
      ("a/b; x=\"\\", "a/b", ["x": "\\"]),
      ("a/b; x=\"1\"2; y=3", "a/b", ["x": "1", "y": "3"]),
      ("application/problem+json", "application/problem+json", [:]),
    ] as [(String, String, [String: String])])
  func parsing(text: String, essence: String, parameters: [String: String]) throws {
    let type = try #require(MediaType(text))
    #expect(type.essence == essence && type.parameters == parameters)
  }

  @Test(
    "what is not written like a media type is none",
    arguments: [
      "", ";", "json", "/", "a/", "/b", "a/b/c", "a b/c", "a/b, c/d", "é/b", "a/\u{212A}", "a/\0",
      String(repeating: "a", count: 61) + "/b",
    ])
  func invalid(text: String) { #expect(MediaType(text) == nil) }

  @Test("JSON has several media types")
  func json() {
    for text in ["application/json", "Application/GraphQL-Response+JSON", "text/json; a=b"] {
      #expect(MediaType(text)?.isJSON == true)
    }
    for text in ["application/jsonl", "application/x-json", "text/html"] {
      #expect(MediaType(text)?.isJSON == false)
    }
  }
}
