import Foundation
import RelayLive
import RelayNetwork
import RelayStore
import RelayStoreTesting
import Testing

@Suite("A transport of event streams", .timeLimit(.minutes(1)))
struct EventStreamTransportTests {
  @Test("two subscriptions share a stream, and receive their own events in order")
  func interleaved() async throws {
    let server = try EventStreamServer()
    defer { server.stop() }
    let transport = server.transport()
    let first = ScriptedSubscriber(transport)
    #expect(await server.next(3) == ["PUT", "GET token0", "POST token0 1"])
    let second = ScriptedSubscriber(transport)
    #expect(await server.next(1) == ["POST token0 2"])
    for index in 0..<100 {
      server.event("1", "{\"data\":\(index)}")
      server.event("2", "{\"data\":\(-index)}")
    }
    server.complete("2")
    server.event("1", #"{"data":"last"}"#)
    server.complete("1")
    let numbers = (0..<100).map { ScriptedSubscriber.Event.data("{\"data\":\($0)}") }
    #expect(
      await first.next(104)
        == [.connecting, .connected] + numbers + [.data(#"{"data":"last"}"#), .completed])
    #expect(await second.next() == .connected)
    #expect(await second.next(101).last == .completed)
    try await server.settle()
    #expect(server.maximumStreamCount == 1)
    #expect(server.allRequests.count == 4)
  }

  @Test("the requests are what the protocol and its reference server expect")
  func requests() async throws {
    let server = try EventStreamServer()
    defer { server.stop() }
    let count = Locked(0)
    var http = HTTPTransport(
      url: server.raw.url, headers: ["X-A": "transport", "X-B": "transport"])
    http.url.append(queryItems: [URLQueryItem(name: "v", value: "1")])
    let transport = EventStreamTransport(
      over: http,
      headers: {
        let index = count.withLock { count in
          count += 1
          return count
        }
        return ["X-B": "closure", "X-C": "closure", "X-Count": "\(index)"]
      })
    var request = GraphQLRequest.subscription
    request.headers = ["X-C": "request"]
    request.extensions = ["a": 1]
    let subscriber = ScriptedSubscriber(transport, request)
    let (put, get, post) = (await server.next(), await server.next(), await server.next())
    subscriber.cancel()
    let delete = await server.next("DELETE")
    #expect(put.field("Content-Length") == "0" && put.field("Content-Type") == nil)
    #expect(put.field("Accept") == "*/*" && put.token == nil)
    #expect(get.field("Accept") == "text/event-stream" && get.token == "token0")
    #expect(get.text.hasSuffix("\r\n\r\n") && get.field("Content-Type") == nil)
    #expect(post.field("Accept") == "application/json" && post.token == "token0")
    #expect(post.field("Content-Type") == "application/json")
    #expect(
      post.text.hasSuffix(
        """
        {"query":"subscription Clock { time }","operationName":"Clock","variables":{"zone":"UTC"},\
        "extensions":{"a":1,"operationId":"1"}}
        """))
    #expect(delete.text.hasPrefix("DELETE /graphql?v=1&operationId=1 HTTP/1.1\r\n"))
    for (index, request) in [put, get, post, delete].enumerated() {
      #expect(request.field("X-A") == "transport" && request.field("X-B") == "closure")
      #expect(request.field("X-C") == (request.method == "POST" ? "request" : "closure"))
      #expect(request.field("X-Count") == "\(index + 1)")
    }
  }

  @Test(
    "queries and mutations are errors that name the solution",
    arguments: [OperationKind.query, .mutation])
  func otherKinds(kind: OperationKind) async throws {
    let server = try EventStreamServer()
    defer { server.stop() }
    let transport = server.transport()
    let request = GraphQLRequest(operationName: "Other", kind: kind, text: "{ a }")
    let error = await #expect(throws: RelayError.self) { try await transport.execute(request) }
    let other = await #expect(throws: RelayError.self) {
      try await transport.stream(request) { _ in }
    }
    #expect(error?.code == .request && other?.code == .request)
    #expect(error?.message.contains("routingSubscriptions(to:") == true)
    #expect(other?.message == error?.message)
    let subscription = await #expect(throws: RelayError.self) {
      try await transport.execute(.subscription)
    }
    #expect(subscription?.code == .request && subscription?.message.contains("stream") == true)
    #expect(server.allRequests.isEmpty)
  }

  @Test("events of other operations, other events and a second end are ignored")
  func ignored() async throws {
    let server = try EventStreamServer()
    defer { server.stop() }
    let transport = server.transport()
    let (first, second) = (ScriptedSubscriber(transport), ScriptedSubscriber(transport))
    _ = (await server.next("POST"), await server.next("POST"))
    server.event("7", #"{"data":1}"#)
    server.event("01", #"{"data":1}"#)
    server.event("abc", #"{"data":1}"#)
    server.complete("7")
    server.complete("1")
    server.complete("1")
    server.event("1", #"{"data":1}"#)
    server.send(": heartbeat\n\nevent: other\ndata: {\"id\":\"2\"}\n\ndata: {\"id\":\"2\"}\n\n")
    server.event("2", #"{"data":2}"#)
    server.complete("2")
    let (one, two) = (await first.next(5), await second.next(5))
    let events = [one, two].sorted { $0.count < $1.count }
    #expect(events[0] == [.connecting, .connected, .completed])
    #expect(events[1] == [.connecting, .connected, .data(#"{"data":2}"#), .completed])
    #expect(server.allRequests.allSatisfy { $0.method != "DELETE" })
  }

  @Test("an event above the limit of a request ends only that subscription")
  func requestLimit() async throws {
    let server = try EventStreamServer()
    defer { server.stop() }
    let transport = server.transport()
    var request = GraphQLRequest.subscription
    request.responseByteLimit = 20
    let first = ScriptedSubscriber(transport, request)
    #expect(await server.next("POST").operation == "1")
    let second = ScriptedSubscriber(transport)
    #expect(await server.next("POST").operation == "2")
    server.event("1", #"{"data":1}"#)
    server.event("1", #"{"data":"a longer event"}"#)
    #expect(await first.next(3).last == .data(#"{"data":1}"#))
    #expect(
      await first.next()
        == .failed(.response, #"Response for "Clock" is larger than 20 bytes."#))
    #expect(await server.next("DELETE").operation == "1")
    server.complete("2")
    #expect(await second.next(3).last == .completed)
  }

  @Test("an error of the receiver ends the subscription at the server")
  func receiverFailure() async throws {
    let server = try EventStreamServer()
    defer { server.stop() }
    let subscriber = ScriptedSubscriber(server.transport()) { _ in
      throw RelayError(.update, "no")
    }
    _ = await server.next("POST")
    server.event("1", #"{"data":1}"#)
    #expect(await subscriber.next(4).last == .failed(.update, "no"))
    #expect(await server.next("DELETE").operation == "1")
    try await server.settle()
  }

  @Test("suspending closes the stream, and resuming opens another with every subscription")
  func suspension() async throws {
    let server = try EventStreamServer()
    defer { server.stop() }
    let transport = server.transport()
    let first = ScriptedSubscriber(transport)
    #expect(await server.next(3).last == "POST token0 1")
    #expect(await first.next(2) == [.connecting, .connected])
    transport.suspend()
    transport.suspend()
    #expect(await first.next() == .suspended)
    try await server.settle()
    let second = ScriptedSubscriber(transport)
    #expect(await second.next() == .suspended)
    #expect(server.allRequests.count == 3)
    transport.resume()
    #expect(await first.next(3) == [.connecting, .connected, .gap])
    #expect(await second.next(2) == [.connecting, .connected])
    #expect(await server.next(2) == ["PUT", "GET token1"])
    let posts = await server.next(2)
    #expect(Set(posts) == ["POST token1 2", "POST token1 3"])
    first.cancel()
    second.cancel()
    try await server.settle()
  }

  @Test("releasing the transport closes the stream")
  func release() async throws {
    let server = try EventStreamServer()
    defer { server.stop() }
    let subscriber: ScriptedSubscriber
    do {
      let transport = server.transport()
      subscriber = ScriptedSubscriber(transport)
      _ = await server.next("POST")
    }
    subscriber.cancel()
    await subscriber.end()
    try await server.settle()
  }
}
