import Foundation
import RelayLive
import RelayNetwork
import RelayStore
import RelayStoreTesting
import Testing

@Suite("Rejections of event streams and their operations", .timeLimit(.minutes(1)))
struct EventStreamRejectionTests {
  typealias Answer = EventStreamServer.Answer

  private static func json(_ status: String, _ body: String, _ fields: [String] = []) -> Answer {
    .response(Wire.response(["Content-Type: application/json"] + fields, body, status: status))
  }

  // MARK: Operations

  @Test(
    "an operation that is answered otherwise than with 202 ends with an error, and no other does",
    arguments: [
      (
        json("400 Bad Request", #"{"errors":[{"message":"bad"}]}"#), RelayError.Code.transport, 400,
        #""Clock" got HTTP status 400: bad"#
      ),
      (
        .response(
          Wire.response(
            ["Content-Type: application/graphql-response+json"], #"{"errors":[{"message":"no"}]}"#,
            status: "422 No")), .graphQL, 422, #""Clock" was ended: no"#
      ),
      (
        json("200 OK", #"{"errors":[{"message":"no"}]}"#), .graphQL, 200, #""Clock" was ended: no"#
      ),
      (
        json("200 OK", #"{"data":{}}"#), .transport, 200,
        #""Clock" got HTTP status 200 instead of 202."#
      ),
      (
        .response("HTTP/1.1 204 No Content\r\n\r\n"), .transport, 204,
        #""Clock" got HTTP status 204 instead of 202."#
      ),
      (
        json("404 Not Found", #"{"errors":[{"message":"Stream not found"}]}"#), .transport, 404,
        #""Clock" got HTTP status 404: Stream not found"#
      ),
      (
        json("503 Service Unavailable", #"{"errors":[{"message":"busy"}]}"#, ["Retry-After: 9"]),
        .transport, 503, #""Clock" got HTTP status 503: busy"#
      ),
      (
        json("401 Unauthorized", #"{"errors":[{"message":"who?"}]}"#), .transport, 401,
        #""Clock" got HTTP status 401: who?"#
      ),
      (
        json("403 Forbidden", #"{"errors":[{"message":"who?"}]}"#), .transport, 403,
        #""Clock" got HTTP status 403: who?"#
      ),
    ])
  func operation(answer: Answer, code: RelayError.Code, status: Int, message: String) async throws {
    let server = try EventStreamServer { request in
      request.method == "POST" && request.index == 1 ? answer : .standard
    }
    defer { server.stop() }
    let transport = server.transport()
    let other = ScriptedSubscriber(transport)
    _ = await server.next("POST")
    let error = await #expect(throws: RelayError.self) {
      try await transport.stream(.subscription) { _ in }
    }
    #expect(error?.code == code && error?.status == status && error?.message == message)
    #expect(error?.operationName == "Clock" && error?.isRetryable == (status == 503))
    server.event("1", #"{"data":1}"#)
    server.complete("1")
    #expect(
      await other.next(4) == [.connecting, .connected, .data(#"{"data":1}"#), .completed])
    #expect(server.allRequests.map(\.method).sorted() == ["GET", "POST", "POST", "PUT"])
  }

  @Test("an answer of an operation above the limit is an error")
  func longAnswer() async throws {
    let body = String(repeating: " ", count: 300_000)
    let server = try EventStreamServer { request in
      request.method == "POST" ? Self.json("200 OK", body) : .standard
    }
    defer { server.stop() }
    let subscriber = ScriptedSubscriber(server.transport())
    guard case .failed(.response, let text)? = await subscriber.next(3).last else {
      Issue.record("The subscription goes on")
      return
    }
    #expect(text.contains("262144 bytes"))
    try await server.settle()
  }

  @Test("an operation without an answer is sent again in a new stream")
  func lostOperation() async throws {
    let server = try EventStreamServer { request in
      // libcurl sends a request again if its connection was used before.
      request.method == "POST" && request.token == "token0" ? .hangUp : .standard
    }
    defer { server.stop() }
    let subscriber = ScriptedSubscriber(server.transport())
    #expect(
      await subscriber.next(6) == [
        .connecting, .connected, .disconnected(.zero), .connecting, .connected, .gap,
      ])
    while await server.next().description != "POST token1 2" {}
    try await eventually(1) { server.streamCount }
  }

  // MARK: Streams

  @Test(
    "a stream that is rejected ends the subscriptions",
    arguments: [
      ("PUT", json("404 Not Found", ""), 404, "HTTP status 404"),
      ("PUT", json("405 Method Not Allowed", #"{"errors":[{"message":"no PUT"}]}"#), 405, "no PUT"),
      ("PUT", json("401 Unauthorized", #"{"errors":[{"message":"who?"}]}"#), 401, "who?"),
      ("PUT", json("204 No Content", ""), 204, "HTTP status 204"),
      ("PUT", json("201 Created", ""), nil, "has no valid token"),
      ("PUT", json("201 Created", "a b"), nil, "has no valid token"),
      ("PUT", json("201 Created", "a\r\nCookie: b"), nil, "has no valid token"),
      ("PUT", json("201 Created", "tökén"), nil, "has no valid token"),
      (
        "PUT", json("201 Created", String(repeating: "a", count: 5_000)), nil,
        "has no valid token"
      ),
      ("PUT", json("302 Found", "", ["Location: /other"]), 302, "redirected"),
      ("GET", json("409 Conflict", #"{"errors":[{"message":"open"}]}"#), 409, "open"),
      ("GET", json("200 OK", #"{"data":{}}"#), nil, "\"application/json\""),
      ("GET", .response(Wire.response([], "")), nil, "media type \"\""),
      (
        "GET", .response(StreamWire.head(type: "multipart/mixed;boundary=a")), nil,
        "\"multipart/mixed\""
      ),
      ("GET", json("403 Forbidden", #"{"errors":[{"message":"who?"}]}"#), 403, "who?"),
    ])
  func stream(method: String, answer: Answer, status: Int?, message: String) async throws {
    let server = try EventStreamServer { $0.method == method ? answer : .standard }
    defer { server.stop() }
    let transport = server.transport()
    let error = await #expect(throws: RelayError.self) {
      try await transport.stream(.subscription) { event in
        guard case .connection(.connecting) = event else {
          Issue.record("\(event)")
          return
        }
      }
    }
    #expect(error?.code == .transport && error?.status == status && error?.isRetryable == false)
    #expect(error?.message.contains(message) == true, "\(String(describing: error))")
    #expect(error?.operationName == "Clock")
    #expect(server.allRequests.count == (method == "PUT" ? 1 : 2))
  }

  @Test(
    "a stream that cannot be opened for now is opened later",
    arguments: ["PUT", "GET"],
    [
      json("503 Service Unavailable", ""), json("429 Too Many Requests", ""),
      json("500 Internal Server Error", ""), .hangUp,
    ])
  func retry(method: String, answer: Answer) async throws {
    let server = try EventStreamServer {
      $0.method == method && $0.index < 2 ? answer : .standard
    }
    defer { server.stop() }
    let subscriber = ScriptedSubscriber(server.transport())
    #expect(
      await subscriber.next(6) == [
        .connecting, .disconnected(.zero), .connecting, .disconnected(.zero), .connecting,
        .connected,
      ])
    #expect(await server.next("POST").operation == "1")
  }

  @Test("the waits grow to the maximum of the policy, and are as long as the server asks")
  func backoff() async throws {
    let server = try EventStreamServer { request in
      request.index < 6
        ? .hangUp : Self.json("503 Service Unavailable", "", ["Retry-After: 99"])
    }
    defer { server.stop() }
    let clock = VirtualClock()
    var http = HTTPTransport(url: server.raw.url)
    http.reconnection = RetryPolicy(delay: .seconds(2), longestDelay: .seconds(20), jitter: 0.5)
    let transport = EventStreamTransport(over: http, clock: clock, random: { 0 })
    let subscriber = ScriptedSubscriber(transport)
    for seconds in [1, 2, 4, 8, 10, 10, 99] {
      #expect(await subscriber.next(2) == [.connecting, .disconnected(.seconds(seconds))])
      try await clock.sleepers(1)
      clock.advance(by: .seconds(seconds))
    }
    subscriber.cancel()
    await subscriber.end()
    try await eventually(0) { clock.sleeperCount }
  }

  // MARK: Credentials

  @Test(
    "rejected credentials are refreshed once for all, then every subscription is sent again",
    arguments: ["PUT", "GET", "POST"], ["401 Unauthorized", "403 Forbidden", "200 OK"])
  func refresh(method: String, status: String) async throws {
    if method != "POST", status == "200 OK" { return }
    let server = try EventStreamServer { request in
      request.method == method && request.field("Authorization") == "old"
        ? Self.json(
          status, #"{"errors":[{"message":"who?","extensions":{"code":"UNAUTHENTICATED"}}]}"#)
        : .standard
    }
    defer { server.stop() }
    let credentials = Locked((value: "old", refreshCount: 0))
    let transport = server.transport(
      headers: { ["Authorization": credentials.withLock { $0.value }] },
      refresh: { credentials.withLock { $0 = ("new", $0.refreshCount + 1) } })
    let subscribers = [ScriptedSubscriber(transport), ScriptedSubscriber(transport)]
    var operations: Set<String> = []
    while operations.count < 2 {
      let request = await server.next("POST")
      if request.field("Authorization") == "new" { operations.insert(request.operation ?? "") }
    }
    for operation in operations {
      server.event(operation, "{}")
      server.complete(operation)
    }
    for subscriber in subscribers {
      var events: [ScriptedSubscriber.Event] = []
      while let event = await subscriber.next() { events.append(event) }
      #expect(events.suffix(2) == [.data("{}"), .completed])
    }
    #expect(credentials.withLock { $0.refreshCount } == 1)
  }

  @Test("credentials that are rejected again after a refresh are an error")
  func refreshedInVain() async throws {
    let server = try EventStreamServer { request in
      request.method == "POST" ? Self.json("401 Unauthorized", "") : .standard
    }
    defer { server.stop() }
    let count = Locked(0)
    let transport = server.transport(refresh: { count.withLock { $0 += 1 } })
    let error = await #expect(throws: RelayError.self) {
      try await transport.stream(.subscription) { _ in }
    }
    #expect(error?.status == 401 && count.withLock { $0 } == 1)
    #expect(server.allRequests.count { $0.method == "POST" } == 2)
    try await server.settle()
  }

  private struct Mistake: Error, CustomStringConvertible {
    let description = "mistake"
  }

  @Test("the error of a refresh ends the subscription")
  func failedRefresh() async throws {
    let server = try EventStreamServer { request in
      request.method == "POST" ? Self.json("401 Unauthorized", "") : .standard
    }
    defer { server.stop() }
    let transport = server.transport(refresh: { throw Mistake() })
    let error = await #expect(throws: RelayError.self) {
      try await transport.stream(.subscription) { _ in }
    }
    #expect(error?.underlying is Mistake)
    #expect(
      error?.message == "The credentials of an event stream could not be obtained: mistake")
    try await server.settle()
  }

  @Test("the error of the header fields ends the subscription", arguments: 0..<3)
  func headers(step: Int) async throws {
    let server = try EventStreamServer()
    defer { server.stop() }
    let count = Locked(0)
    let transport = server.transport(headers: {
      let index = count.withLock { count in
        count += 1
        return count - 1
      }
      if index == step { throw Mistake() }
      return [:]
    })
    let error = await #expect(throws: RelayError.self) {
      try await transport.stream(.subscription) { _ in }
    }
    #expect(error?.underlying is Mistake && error?.operationName == "Clock")
    #expect(server.allRequests.count == step)
    try await server.settle()
  }
}
