import RelayStoreTesting
import Testing

@testable import RelayStore

@Suite("Responses that arrive in parts", .timeLimit(.minutes(1)))
struct IncrementalTests {
  private static let document = """
    query TestQuery { me { id login ...Slow_user @defer } }
    fragment Slow_user on User { name pet { name } }
    """
  private static let slow = "fragment Slow_user on User { name pet { name } }"
  private static let label: JSONValue = "TestQuery$defer$Slow_user"
  private static let initial: JSONValue = ["me": ["id": "1", "login": "a"]]
  private static let part: JSONValue = ["name": "Ann", "pet": ["id": "p", "name": "Rex"]]

  /// The payloads of one response in each format.
  enum Format: String, CaseIterable, CustomTestStringConvertible {
    case top2020, list2022, announced2023, inline

    var testDescription: String { rawValue }

    var payloads: [JSONValue] {
      switch self {
      case .top2020:
        [
          ["data": initial, "hasNext": true],
          ["path": ["me"], "label": label, "data": part, "hasNext": false],
        ]
      case .list2022:
        [
          ["data": initial, "hasNext": true],
          [
            "incremental": [["data": part, "path": ["me"], "label": label]], "hasNext": false,
          ],
        ]
      case .announced2023:
        [
          [
            "data": initial, "pending": [["id": "0", "path": ["me"], "label": label]],
            "hasNext": true,
          ],
          [
            "hasNext": false, "completed": [["id": "0"]],
            "incremental": [
              ["id": "0", "data": ["pet": ["id": "p"]]],
              ["id": "0", "subPath": ["pet"], "data": ["name": "Rex"]],
              ["id": "0", "data": ["name": "Ann"]],
            ],
          ],
        ]
      case .inline:
        [
          [
            "data": [
              "me": ["id": "1", "login": "a", "name": "Ann", "pet": ["id": "p", "name": "Rex"]]
            ]
          ]
        ]
      }
    }
  }

  @Test("every format leads to the store of the plain response", arguments: Format.allCases)
  func formats(format: Format) async throws {
    let plain = PartsFixture(Self.document)
    _ = try await plain.fetch(Format.inline.payloads)
    let parts = PartsFixture(Self.document)
    let fetched = try await parts.fetch(format.payloads)
    #expect(parts.store.dump() == plain.store.dump())
    #expect(fetched.row.pending.isEmpty && fetched.response.errors.isEmpty)
    #expect(parts.request.isAvailable(in: parts.store))
  }

  @Test(
    "a part is pending in its own fragment and in the query that spreads it, until it arrives",
    arguments: [Format.top2020, .list2022, .announced2023])
  func pending(format: Format) async throws {
    let test = PartsFixture(Self.document)
    let expected = [PendingPart(owner: "TestQuery", label: "Slow_user")]
    let query = test.store.subscribe(.record(.root, test.selection.reader, in: test.request.scope))
    let fragment = test.store.subscribe(
      .record(
        "1", TestSelection(Self.slow).reader, in: test.request.scope))
    #expect(await fragment.next(isolation: nil)?.pending == [])
    let task = test.fetch()
    await test.transport.send(format.payloads[0])
    #expect(await query.next(isolation: nil)?.pending == expected)
    let before = await fragment.next(isolation: nil)
    #expect(before?.pending == expected && before?.missing.isEmpty == false)
    #expect(test.read("fragment F on User { login }", of: "1").pending.isEmpty)
    await test.transport.send(format.payloads[1])
    let after = await fragment.next(isolation: nil)
    #expect(after?.pending == [] && after?.missing == [])
    #expect(after?.row?.json["name"] == "Ann")
    #expect(await query.next(isolation: nil)?.pending == [])
    test.transport.finish()
    _ = try await task.value
  }

  @Test("data that is in the store already is read while its part is pending")
  func refetched() async throws {
    let test = PartsFixture(Self.document)
    _ = try await test.fetch(Format.inline.payloads)
    let again = PartsFixture(Self.document, store: test.store)
    let task = again.fetch()
    await again.transport.send(Format.announced2023.payloads[0])
    let snapshot = again.read(Self.slow, of: "1")
    #expect(snapshot.row?.json["name"] == "Ann" && snapshot.missing.isEmpty)
    #expect(snapshot.pending.count == 1)
    await again.transport.send(Format.announced2023.payloads[1])
    again.transport.finish()
    _ = try await task.value
    #expect(again.read(Self.slow, of: "1").pending.isEmpty)
  }

  @Test("a response that ends early is incomplete, and its pending parts become missing data")
  func endsEarly() async throws {
    let test = PartsFixture(Self.document)
    let task = test.fetch()
    await test.transport.send(Format.announced2023.payloads[0])
    test.transport.finish(RelayError(.transport, "The connection was lost."))
    let error = await #expect(throws: RelayError.self) { try await task.value }
    #expect(error?.code == .incomplete)
    #expect(error?.message.contains("The connection was lost.") == true)
    let snapshot = test.read(Self.slow, of: "1")
    #expect(snapshot.pending.isEmpty && !snapshot.missing.isEmpty)
    #expect(test.read("fragment F on User { login }", of: "1").row?.json["login"] == "a")
    #expect(!test.request.isAvailable(in: test.store))
    #expect(test.environment.operationsInFlight.count == 0 && test.store.holders.receiving.isEmpty)
  }

  /// Final payloads that leave a part of ``Format/announced2023`` missing.
  private static let unfinished: [[JSONValue]] = [
    [["hasNext": false]],
    [[:]],
    // A part with an id that was not announced.
    [
      [
        "hasNext": false, "completed": [["id": "0"]],
        "incremental": [["id": "7", "data": ["name": "Ann", "pet": nil]]],
      ]
    ],
    // One part fails.
    [
      [
        "hasNext": false, "incremental": [["id": "0", "data": part]],
        "completed": [["id": "0"], ["id": "7", "errors": [["message": "no"]]]],
      ]
    ],
    // A part of an object that was not received.
    [
      [
        "hasNext": false, "completed": [["id": "0"]],
        "incremental": [["id": "0", "subPath": ["friend"], "data": part]],
      ]
    ],
    // A part in another format.
    [["hasNext": false, "path": ["you"], "label": label, "data": part]],
    // Elements of a list that was not received.
    [
      ["hasNext": true, "incremental": [["id": "0", "subPath": ["pets"], "items": [1]]]],
      ["hasNext": false, "completed": [["id": "0"]]],
    ],
    [["hasNext": true, "incremental": [["id": "0", "data": part]]], ["hasNext": false]],
  ]

  @Test(
    "a part that is announced and never comes, or belongs to nothing, makes a response incomplete",
    arguments: unfinished)
  func lacksParts(payloads: [JSONValue]) async throws {
    let test = PartsFixture(Self.document)
    let task = test.fetch()
    for payload in [Format.announced2023.payloads[0]] + payloads {
      await test.transport.send(payload)
    }
    // The fetch does not wait for the end of the connection.
    let error = await #expect(throws: RelayError.self) { try await task.value }
    #expect(error?.code == .incomplete && error?.isRetryable == true)
    #expect(
      error?.message == "The response to \"TestQuery\" ended before all of its parts had arrived.")
    let slow = test.read(Self.slow, of: "1")
    #expect(slow.pending.isEmpty)
    #expect(test.read("fragment F on User { login }", of: "1").row?.json["login"] == "a")
    #expect(test.request.isAvailable(in: test.store) == slow.missing.isEmpty)
    #expect(test.environment.operationsInFlight.count == 0 && test.store.holders.receiving.isEmpty)
  }

  @Test("a failed part leaves null and its error in the fields that would have come with it")
  func failedPart() async throws {
    let errors: JSONValue = [["message": "no pets", "path": ["me", "pet"]]]
    let failures: [[JSONValue]] = [
      [["path": ["me"], "label": Self.label, "data": nil, "errors": errors, "hasNext": false]],
      [
        [
          "incremental": [
            ["path": ["me"], "label": Self.label, "data": nil, "errors": errors]
          ], "hasNext": false,
        ]
      ],
    ]
    for rest in failures {
      let test = PartsFixture(Self.document)
      let fetched = try await test.fetch([["data": Self.initial, "hasNext": true]] + rest)
      #expect(fetched.response.errors.map(\.message) == ["no pets"])
      let snapshot = test.read(Self.slow, of: "1")
      #expect(snapshot.missing.isEmpty && snapshot.errors.map(\.message) == ["no pets", "no pets"])
      #expect(test.read("fragment F on User { login }", of: "1").errors.isEmpty)
    }
    let announced = PartsFixture(Self.document)
    _ = try await announced.fetch([
      Format.announced2023.payloads[0],
      ["completed": [["id": "0", "errors": errors]], "hasNext": false],
    ])
    #expect(announced.read(Self.slow, of: "1").errors.map(\.message) == ["no pets", "no pets"])
  }

  @Test("a part of a record that was deleted meanwhile is dropped")
  func deletedRecord() async throws {
    let test = PartsFixture(Self.document)
    let task = test.fetch()
    await test.transport.send(Format.announced2023.payloads[0])
    try test.environment.commitUpdate { try $0.delete("1") }
    await test.transport.send(Format.announced2023.payloads[1])
    test.transport.finish()
    _ = try await task.value
    #expect(test.read(Self.slow, of: "1").isDeleted)
  }

  @Test("garbage collection keeps the records of a response until its last part")
  func keptRecords() async throws {
    let test = PartsFixture(Self.document)
    let task = test.fetch()
    await test.transport.send(Format.announced2023.payloads[0])
    test.store.collectGarbage()
    #expect(test.store.explain("1") == [.receiving(operation: "TestQuery")])
    await test.transport.send(Format.announced2023.payloads[1])
    test.transport.finish()
    _ = try await task.value
    #expect(test.read(Self.slow, of: "1").row != nil)
  }

  @Test("the time limit of a call ends with the first payload")
  func timeLimit() async throws {
    let clock = VirtualClock()
    let test = PartsFixture(Self.document, clock: clock)
    let task = test.fetch(timeout: .seconds(1))
    await test.transport.send(Format.announced2023.payloads[0])
    clock.advance(by: .seconds(10))
    await test.transport.send(Format.announced2023.payloads[1])
    test.transport.finish()
    _ = try await task.value
  }

  @Test("the log names the parts, and counts those that are pending", arguments: Format.allCases)
  func log(format: Format) async throws {
    let events = Locked<[StoreEvent]>([])
    let store = RecordStore(
      configuration: .init(
        garbageCollection: .manual,
        log: { event in
          if case .parts = event { events.withLock { $0.append(event) } }
        }))
    let test = PartsFixture(Self.document, store: store)
    _ = try await test.fetch(format.payloads)
    let part = PendingPart(owner: "TestQuery", label: "Slow_user")
    let expected: [StoreEvent] = [
      .parts(operation: "TestQuery", received: [], pendingCount: 1),
      .parts(operation: "TestQuery", received: [part], pendingCount: 0),
    ]
    let found = events.withLock { $0 }
    #expect(found == (format == .inline ? [] : expected))
    #expect(
      found.map(\.description)
        == (format == .inline
          ? []
          : [
            "received no part of TestQuery, 1 pending",
            "received TestQuery.Slow_user of TestQuery, 0 pending",
          ]))
  }
}
