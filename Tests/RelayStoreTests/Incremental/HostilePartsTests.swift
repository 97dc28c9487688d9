import Testing

@testable import InvariantChecks
@testable import RelayStore

/// Payloads that no correct server sends, and changes to the store while a response arrives.
@Suite("Hostile parts", .timeLimit(.minutes(1)))
struct HostilePartsTests {
  private static let document = """
    query TestQuery {
      me { id login ...Slow_user @defer friends @stream(initialCount: 1) { id name } }
    }
    fragment Slow_user on User { name pet { name } }
    """
  private static let defer_: JSONValue = "TestQuery$defer$Slow_user"
  private static let stream: JSONValue = "TestQuery$stream$friends"
  private static let data: JSONValue = [
    "me": ["id": "1", "login": "a", "friends": [["id": "2", "name": "Bob"]]]
  ]
  private static let initial: JSONValue = ["data": data, "hasNext": true]
  private static let announced: JSONValue = [
    "data": data, "hasNext": true,
    "pending": [
      ["id": "d", "path": ["me"], "label": defer_],
      ["id": "s", "path": ["me", "friends"], "label": stream],
    ],
  ]

  /// Payloads after the first one, and the code of the resulting error.
  struct Case: Sendable, CustomTestStringConvertible {
    let testDescription: String
    var first = HostilePartsTests.initial
    let payloads: [JSONValue]
    var code: RelayError.Code?
  }

  private static func part(_ members: JSONObject) -> JSONValue {
    var members = members
    members["hasNext"] = true
    return .object(members)
  }

  private static func numbers(_ count: Int) -> [JSONValue] {
    (0..<count).map { .number(JSONNumber($0)) }
  }

  private static let cases: [Case] = unannounced + announcedCases

  private static let unannounced: [Case] = [
    Case(
      testDescription: "a huge index",
      payloads: [
        part(["path": ["me", "friends", 9_007_199_254_740_991], "label": stream, "data": nil])
      ], code: .response),
    Case(
      testDescription: "negative indexes",
      payloads: [
        part(["path": ["me", "friends", -1], "label": stream, "data": ["id": "3"]]),
        part(["incremental": [["path": ["me", "friends", -5], "items": [["id": "3"]]]]]),
      ], code: .incomplete),
    Case(
      testDescription: "gaps without end",
      payloads: (1..<30).map { index in
        part([
          "path": ["me", "friends", .number(JSONNumber(index * 9_000))], "label": stream,
          "data": nil,
        ])
      }, code: .response),
    Case(
      testDescription: "no label", payloads: [part(["path": ["me"], "data": ["name": "Ann"]])]),
    Case(
      testDescription: "an unknown label",
      payloads: [part(["path": ["me"], "label": "x", "data": ["name": "Ann"]])]),
    Case(
      testDescription: "items of what is not a list",
      payloads: [
        part([
          "incremental": [
            ["path": ["me", "login"], "items": ["a"]], ["path": ["me"], "items": [["id": "1"]]],
            ["path": ["me", "login", 0], "items": ["a"]], ["path": [], "items": []],
            ["path": [0], "items": []], ["items": []],
          ]
        ])
      ], code: .incomplete),
    Case(
      testDescription: "items that are null",
      payloads: [part(["incremental": [["path": ["me", "friends", 1], "items": nil]]])]),
    Case(
      testDescription: "items that are an object",
      payloads: [part(["incremental": [["path": ["me", "friends", 1], "items": [:]]]])],
      code: .response),
    Case(
      testDescription: "an element of another kind",
      payloads: [part(["incremental": [["path": ["me", "friends", 1], "items": ["x"]]]])],
      code: .response),
    Case(
      testDescription: "data of other kinds",
      payloads: ["x", 1, true, [], [["name": "Ann"]]].map {
        part(["path": ["me"], "label": defer_, "data": $0])
      }),
    Case(
      testDescription: "a field of another kind",
      payloads: [part(["path": ["me"], "label": defer_, "data": ["name": [:]]])],
      code: .response),
    Case(
      testDescription: "an element as a part, and a part as an element",
      payloads: [
        part(["path": ["me", "friends", 0], "label": defer_, "data": ["id": "2"]]),
        part(["path": ["me"], "label": stream, "data": ["id": "2"]]),
      ], code: .incomplete),
    Case(
      testDescription: "members of other kinds",
      payloads: [
        part(["path": "me", "label": 1, "data": ["name": "Ann"]]),
        part(["path": [nil], "data": [:]]), part(["path": [[:]], "data": [:]]),
        part(["incremental": [:]]), part(["incremental": [1, nil, [], "x"]]),
        part(["incremental": nil, "pending": nil, "completed": nil, "errors": 1]),
        part(["pending": "x", "completed": [1, [:]], "extensions": []]), [:],
      ]),
    Case(
      testDescription: "paths to nowhere",
      payloads: [
        part(["path": ["me", "pet"], "label": defer_, "data": ["name": "Rex"]]),
        part(["path": ["nobody"], "label": defer_, "data": ["name": "Rex"]]),
        part(["path": ["me", 0, "me"], "label": defer_, "data": ["name": "Rex"]]),
        part(["path": .array(numbers(100_000)), "label": defer_, "data": ["name": "Rex"]]),
      ], code: .incomplete),
    Case(
      testDescription: "too many parts of one object",
      payloads: [
        part([
          "incremental": .array(
            Array(
              repeating: ["path": ["me"], "label": defer_, "data": [:]], count: 1_100))
        ])
      ], code: .response),
    Case(testDescription: "the data again", payloads: [initial, initial]),
    Case(
      testDescription: "a part before the data", first: ["path": ["me"], "data": [:]],
      payloads: [], code: .response),
    Case(
      testDescription: "an announcement before the data",
      first: ["pending": [["id": "d", "path": ["me"]]], "hasNext": true], payloads: [],
      code: .response),
    Case(
      testDescription: "data that is a list", first: ["data": [], "hasNext": true], payloads: [],
      code: .response),
    Case(testDescription: "a payload that is a list", payloads: [[]], code: .response),
  ]

  private static let announcedCases: [Case] = [
    Case(
      testDescription: "ids that were never announced", first: announced,
      payloads: [
        part(["incremental": [["id": "x", "data": ["name": "Ann"]], ["id": "y", "items": []]]]),
        part(["completed": [["id": "x"], ["id": 1], ["id": nil]]]),
      ], code: .incomplete),
    Case(
      testDescription: "a part that ends twice, and continues", first: announced,
      payloads: [
        part(["completed": [["id": "d"], ["id": "d"], ["id": "s"]]]),
        part(["completed": [["id": "d", "errors": [["message": "no"]]]]]),
        part(["incremental": [["id": "d", "data": ["name": "Ann"]], ["id": "s", "items": []]]]),
      ], code: .incomplete),
    Case(
      testDescription: "an id that is announced again", first: announced,
      payloads: [
        part(["pending": [["id": "d", "path": ["me", "friends"], "label": stream]]]),
        part(["incremental": [["id": "d", "data": ["name": "Ann"]]]]),
      ], code: .incomplete),
    Case(
      testDescription: "items for a fragment, and data for a list", first: announced,
      payloads: [
        part(["incremental": [["id": "d", "items": [["id": "3"]]]]]),
        part(["incremental": [["id": "s", "data": ["id": "3"]]]]),
      ], code: .incomplete),
    Case(
      testDescription: "a deep path below a part", first: announced,
      payloads: [
        part([
          "incremental": [
            [
              "id": "d", "data": ["name": "Rex"],
              "subPath": .array(Array(repeating: "pet", count: 100_000)),
            ]
          ]
        ])
      ], code: .incomplete),
    Case(
      testDescription: "100,000 announcements", first: announced,
      payloads: [
        part([
          "pending": .array(
            numbers(100_000).map { ["id": $0, "path": ["me"], "label": .string("\($0)")] })
        ]), part([:]), part([:]),
      ], code: .incomplete),
    Case(
      testDescription: "announcements for objects that never arrive", first: announced,
      payloads: [
        part(["pending": .array(numbers(2_000).map { ["id": $0, "path": ["x"]] })]), part([:]),
      ], code: .incomplete),
    Case(
      testDescription: "a failed list", first: announced,
      payloads: [part(["completed": [["id": "s", "errors": [["message": "no"]]]]])],
      code: .incomplete),
  ]

  @Test(
    "the limits of a response hold for all its payloads together",
    arguments: [
      (ResponseLimits(records: 12), "has more than 12 objects at \"me.friends[9]\"."),
      (ResponseLimits(bytes: 700), "has more than 700 bytes."),
    ])
  func limits(limits: ResponseLimits, message: String) async throws {
    let test = PartsFixture(
      Self.document,
      store: RecordStore(configuration: .init(responseLimits: limits, garbageCollection: .manual)))
    let task = test.fetch()
    await test.transport.send(Self.initial)
    for index in 1...20 {
      await test.transport.send(
        Self.part([
          "path": ["me", "friends", .number(JSONNumber(index))], "label": Self.stream,
          "items": [["id": .string("\(index + 2)"), "name": "Bob"]],
        ]))
    }
    test.transport.finish()
    let error = await #expect(throws: RelayError.self) { try await task.value }
    #expect(error?.code == .incomplete && error?.isRetryable == false)
    #expect(error?.message.hasSuffix(message) == true, "\(String(describing: error))")
    // Data that arrived earlier is retained.
    #expect(test.read("fragment F on User { login }", of: "1").row?.json["login"] == "a")
  }

  @Test("ends with a typed error or a sensible state", arguments: cases)
  func hostile(_ item: Case) async throws {
    let test = PartsFixture(Self.document)
    let task = test.fetch()
    for payload in [item.first] + item.payloads {
      await test.transport.send(payload)
      #expect(test.store.checkInvariants() == nil)
    }
    await test.transport.send(["hasNext": false])
    test.transport.finish()
    let result = await task.result
    switch result {
    case .success: #expect(item.code == nil)
    case .failure(let error as RelayError):
      let code = (error.underlying as? RelayError)?.code ?? error.code
      #expect(code == item.code, "\(error)")
    case .failure(let error): Issue.record(error)
    }
    #expect(test.store.holders.receiving.isEmpty)
    let snapshot = test.read("fragment F on User { login }", of: "1")
    #expect(snapshot.pending.isEmpty)
    if item.code == nil || item.code == .incomplete {
      #expect(snapshot.row?.json["login"] == "a")
    }
    #expect(test.environment.operationsInFlight.count == 0)
  }

  // MARK: Changes during a response

  private static func element(_ index: Int, _ id: JSONValue) -> JSONValue {
    part([
      "incremental": [
        [
          "path": ["me", "friends", .number(JSONNumber(index))], "label": stream,
          "items": [["id": id, "name": id]],
        ]
      ]
    ])
  }

  private static let friends = "fragment F on User { friends { id } }"

  @Test("a list that another response has replaced is written again as a whole")
  func replacedList() async throws {
    let test = PartsFixture(Self.document)
    let task = test.fetch()
    await test.transport.send(Self.initial)
    await test.transport.send(Self.element(1, "3"))
    let other = PartsFixture(
      """
      query TestQuery { me { id friends { id } ...Age_user @defer } }
      fragment Age_user on User { age }
      """, store: test.store)
    _ = try await other.fetch([["data": ["me": ["id": "1", "age": 1, "friends": [["id": "9"]]]]]])
    #expect(test.read(Self.friends, of: "1").row?.json["friends"] == [["id": "9"]])
    await test.transport.send(Self.element(2, "4"))
    await test.transport.send(["hasNext": false])
    test.transport.finish()
    _ = try await task.value
    #expect(
      test.read(Self.friends, of: "1").row?.json["friends"]
        == [["id": "2"], ["id": "3"], ["id": "4"]])
  }

  @Test("a first payload without data and errors is reported by its status and an excerpt")
  func withoutData() async throws {
    let test = PartsFixture(Self.document)
    let task = test.fetch()
    var answer = GraphQLResponse(body: Array(#"{"data":null}"#.utf8))
    answer.status = 502
    await test.transport.report(.response(answer))
    test.transport.finish()
    let error = await #expect(throws: RelayError.self) { try await task.value }
    #expect(error?.code == .response && error?.status == 502 && error?.excerpt != nil)
    #expect(
      error?.message
        == "Response for \"TestQuery\" has neither data nor errors. Its status is 502.")
  }

  @Test("parts of a store that was emptied meanwhile are dropped", arguments: [true, false])
  func emptied(isAnnounced: Bool) async throws {
    let test = PartsFixture(Self.document)
    let task = test.fetch()
    await test.transport.send(isAnnounced ? Self.announced : Self.initial)
    test.store.reset()
    #expect(test.read("fragment Slow_user on User { name }", of: "1").pending.isEmpty)
    await test.transport.send(Self.element(1, "3"))
    await test.transport.send(
      Self.part(["path": ["me"], "label": Self.defer_, "data": ["name": "Ann"]]))
    #expect(test.store.checkInvariants() == nil)
    await test.transport.send(["hasNext": false])
    test.transport.finish()
    _ = await task.result
    #expect(test.read("fragment F on User { name }", of: "1").row == nil)
    #expect(test.store.holders.receiving.isEmpty)
  }

  @Test("the elements of a list whose record was deleted meanwhile are dropped")
  func deletedList() async throws {
    let test = PartsFixture(Self.document)
    let task = test.fetch()
    await test.transport.send(Self.initial)
    try test.environment.commitUpdate { try $0.delete("1") }
    await test.transport.send(Self.element(1, "3"))
    #expect(test.store.checkInvariants() == nil)
    await test.transport.send(["hasNext": false])
    test.transport.finish()
    _ = try await task.value
    #expect(test.read(Self.friends, of: "1").isDeleted)
  }

  @Test("a fragment that two executions wait for is pending until both have it")
  func twoExecutions() async throws {
    let first = PartsFixture(Self.document)
    let second = PartsFixture(Self.document, store: first.store)
    let tasks = [first.fetch(), second.fetch()]
    await first.transport.send(Self.announced)
    await second.transport.send(Self.initial)
    func isPending() -> Bool {
      !first.read("fragment Slow_user on User { name }", of: "1").pending.isEmpty
    }
    await first.transport.send(Self.part(["completed": [["id": "d"], ["id": "s"]]]))
    #expect(isPending())
    await second.transport.send(
      Self.part(["path": ["me"], "label": Self.defer_, "data": ["name": "Ann"]]))
    #expect(!isPending())
    for test in [first, second] {
      await test.transport.send(["hasNext": false])
      test.transport.finish()
    }
    for task in tasks { _ = try await task.value }
    #expect(first.store.holders.receiving.isEmpty && first.store.checkInvariants() == nil)
  }

  @Test("parts that a newer response has overtaken are not written")
  func overtaken() async throws {
    let transports = TransportSequence([PayloadTransport(), PayloadTransport()])
    let test = PartsFixture(Self.document)
    let environment = RelayEnvironment(store: test.store, transport: transports)
    func fetch() -> Task<FetchedData, any Error> {
      Task { try await environment.fetched(test.request, timeout: nil, context: RequestContext()) }
    }
    func send(_ payload: JSONValue, to index: Int) async {
      await transports.transports[index].send(payload)
    }
    let old = fetch()
    await send(Self.announced, to: 0)
    let new = fetch()
    await send(Self.initial, to: 1)
    await send(
      Self.part(["path": ["me"], "label": Self.defer_, "data": ["name": "new"]]), to: 1)
    await send(Self.part(["incremental": [["id": "d", "data": ["name": "old"]]]]), to: 0)
    #expect(test.store.checkInvariants() == nil)
    for transport in transports.transports {
      await transport.send(["hasNext": false])
      transport.finish()
    }
    _ = await (old.result, new.result)
    #expect(test.read("fragment F on User { name }", of: "1").row?.json["name"] == "new")
    #expect(test.store.holders.receiving.isEmpty)
  }
}

/// A sequence of transports; each passes on the payloads of one request.
private final class TransportSequence: Transport {
  let transports: [PayloadTransport]
  private let used = Locked(0)

  init(_ transports: [PayloadTransport]) { self.transports = transports }

  func execute(_ request: GraphQLRequest) async throws -> GraphQLResponse {
    throw RelayError(.transport, "The request was not streamed.")
  }

  func stream(_ request: GraphQLRequest, _ receive: @escaping TransportReceiver) async throws {
    let index = used.withLock { used in
      defer { used += 1 }
      return used
    }
    try await transports[index].stream(request, receive)
  }
}
