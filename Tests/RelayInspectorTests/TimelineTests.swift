import Foundation
import RelayStoreTesting
import Testing

@testable import RelayRecording
@testable import RelayStore

@Suite("A store records a timeline", .timeLimit(.minutes(1))) struct TimelineTests {
  @Test("a publish has its cause, the changed records, and each field before and after")
  func publish() throws {
    let recorded = RecordedStore()
    try recorded.fill(("1", "a"))
    try recorded.set("1", "text", "b")
    let publishes = recorded.publishes
    #expect(publishes.map(\.cause.description) == ["payload of FeedQuery", "local update"])
    #expect(publishes[0].changedRecords == 2)
    #expect(
      publishes[0].records.map { "\($0.kind) \($0.record)" } == [
        "created 1", "changed client:root",
      ]
    )
    let link = try #require(publishes[0].records.last?.fields.first)
    #expect(link.field == "feed(first:10)" && link.before == nil && link.after == #"["1"]"#)
    #expect(publishes[1].records.count == 1)
    #expect(
      publishes[1].records[0].fields == [.init(field: "text", before: #""a""#, after: #""b""#)])
  }

  @Test("notes of a redacted timeline have the last components of paths only")
  func paths() throws {
    let recorded = RecordedStore()
    let (file, folder) = ("/home/ada/My App/inbox/rejected/a.mutation", "/home/ada/My App/inbox")
    let events: [StoreEvent] = [
      .inboxFileRejected(path: file, reason: "The file \"\(file)\" is a link."),
      .inboxFailed("The directory \"\(folder)\" cannot be read: No, \"\(file)\"."),
      .snapshotFailed("The file \"/home/ada/x\" cannot be written."),
      .outboxRejected(path: file),
    ]
    for event in events { recorded.environment.store.log(event) }
    func texts(_ timeline: StoreTimeline) -> [String] {
      timeline.events.compactMap { if case .note(let note) = $0.content { note.text } else { nil } }
    }
    let redacted = texts(recorded.environment.timeline())
    #expect(
      redacted == [
        "a file of the inbox was moved to a.mutation: The file \"a.mutation\" is a link.",
        "the inbox has failed: The directory \"inbox\" cannot be read: No, \"a.mutation\".",
        "a snapshot could not be exported: The file \"x\" cannot be written.",
        "the outbox is damaged and was renamed to a.mutation",
      ])
    let whole = texts(recorded.environment.timeline(redactingValues: false))
    #expect(whole.count == 4 && whole.allSatisfy { $0.contains("/home/ada") })
  }

  @Test("a write of equal values changes no record, and a deletion is one")
  func kinds() throws {
    let recorded = RecordedStore()
    try recorded.fill(("1", "a"))
    try recorded.fill(("1", "a"))
    try recorded.environment.commitUpdate { try $0.delete("1") }
    #expect(recorded.publishes.map(\.changedRecords) == [2, 0, 1])
    #expect(recorded.publishes[2].records.map(\.kind) == [.deleted])
  }

  @Test("a record that is changed twice in one publish has its state before the first change")
  func changedTwice() throws {
    let recorded = RecordedStore()
    try recorded.fill(("1", "a"), ("2", "x"))
    try recorded.environment.commitUpdate { store in
      try store["1"]?.setValue("b", for: "text")
      try store["1"]?.setValue("c", for: "text")
      try store["2"]?.setValue("y", for: "text")
    }
    let fields = recorded.publishes[1].records.flatMap(\.fields)
    #expect(fields.map(\.before) == [#""a""#, #""x""#])
    #expect(fields.map(\.after) == [#""c""#, #""y""#])
  }

  @Test("an optimistic update is a layer that is added and removed, with what becomes visible")
  func layers() throws {
    let recorded = RecordedStore()
    try recorded.fill(("1", "a"))
    let update = try recorded.environment.applyUpdate {
      try $0["1"]?.setValue("b", for: "text")
    }
    let during = recorded.environment.timeline(redactingValues: false)
    #expect(during.layers.map(\.records) == [["1"]])
    #expect(during.optimisticRecords.first?.fields.last?.value == #""b""#)
    #expect(during.records.first { $0.id == "1" }?.fields.last?.value == #""a""#)
    // The base changes below the update, but the visible data does not.
    try recorded.set("1", "text", "c")
    update.revert()
    let publishes = recorded.publishes.dropFirst()
    #expect(publishes.map(\.cause.kind) == [.optimisticUpdate, .update, .revert])
    #expect(publishes.map(\.addedLayers.count) == [1, 0, 0])
    #expect(publishes.map(\.removedLayers.count) == [0, 0, 1])
    let texts = publishes.map { publish in
      publish.records.flatMap(\.fields).map { "\($0.before ?? "") \($0.after ?? "")" }
    }
    #expect(texts == [[#""a" "b""#], [], [#""b" "c""#]])
    #expect(recorded.environment.timeline().layers.isEmpty)
  }

  @Test("a delivery names the record and field of the publish that caused it")
  func delivery() throws {
    let recorded = RecordedStore()
    try recorded.fill(("1", "a"))
    let observation = recorded.environment.observe(todo("1")) { _ in }
    try recorded.set("1", "text", "b")
    try recorded.set("1", "note", "x")
    let deliveries = recorded.deliveries
    #expect(deliveries.map(\.isDelivered) == [true, false])
    #expect(deliveries.map(\.owner) == ["TodoText", "TodoText"])
    #expect(deliveries.map(\.trigger) == ["1", "1"])
    #expect(
      deliveries[0].changes == [
        .init(
          record: "1", typeName: "Todo", field: "text", path: ["text"], before: #""a""#,
          after: #""b""#)
      ])
    #expect(deliveries[1].changes.isEmpty)
    let publishes = recorded.events.filter {
      if case .publish = $0.content { true } else { false }
    }
    #expect(deliveries.map { $0.publishes.map(\.event) } == publishes.dropFirst().map { [$0.id] })
    observation.cancel()
  }

  @Test("a snapshot has its cause, also that of a list, and none when it was read")
  func cause() throws {
    let recorded = RecordedStore()
    try recorded.fill(("1", "a"), ("2", "b"))
    let one = Locked<[Snapshot<TodoText>]>([])
    let all = Locked<[Snapshot<GraphQLList<TodoText?>>]>([])
    let observations = [
      recorded.environment.observe(todo("1")) { snapshot in one.withLock { $0.append(snapshot) } },
      recorded.environment.observe([todo("1"), todo("2")]) { list in
        all.withLock { $0.append(list) }
      },
    ]
    #expect(recorded.environment.read(todo("1")).cause == nil)
    try recorded.environment.batch {
      try recorded.set("1", "text", "A")
      try recorded.set("2", "text", "B")
    }
    try recorded.set("2", "text", "C")
    let cause = try #require(one.withLock { $0.first?.cause })
    #expect(cause.publishes.map(\.cause.kind) == [.update])
    #expect(cause.changes.map(\.description) == [#"text: text of Todo "1""#])
    let lists = all.withLock { $0 }.map { $0.cause?.changes.map(\.description) }
    #expect(
      lists == [
        [#"[0].text: text of Todo "1""#, #"[1].text: text of Todo "2""#],
        [#"[1].text: text of Todo "2""#],
      ])
    for observation in observations { observation.cancel() }
  }

  @Test("a list that grows at its beginning, and an element that changes, are two changes")
  func lists() throws {
    let recorded = RecordedStore()
    try recorded.fill(("1", "a"))
    let last = Locked<SnapshotCause?>(nil)
    let observation = recorded.environment.observe(FragmentRef<FeedTexts>(id: .root)) { snapshot in
      last.withLock { $0 = snapshot.cause }
    }
    try recorded.fill(("0", "z"), ("1", "b"))
    #expect(
      last.withLock { $0?.changes.map(\.description) } == [
        #"feed: feed(first:10) of __Root "client:root""#, #"feed[1].text: text of Todo "1""#,
      ])
    try recorded.environment.commitUpdate { try $0.delete("1") }
    #expect(
      last.withLock { $0?.changes.map(\.description) } == [
        #"feed: feed(first:10) of __Root "client:root""#, #"feed: Todo "1" deleted"#,
      ])
    observation.cancel()
  }

  @Test("without the option nothing is recorded, and snapshots have no cause")
  func off() throws {
    let recorded = RecordedStore(nil)
    let causes = Locked<[SnapshotCause?]>([])
    try recorded.fill(("1", "a"))
    let observation = recorded.environment.observe(todo("1")) { snapshot in
      causes.withLock { $0.append(snapshot.cause) }
    }
    try recorded.set("1", "text", "b")
    let timeline = recorded.environment.timeline()
    #expect(timeline.events.isEmpty && !timeline.isRecording && timeline.droppedEvents == 0)
    #expect(timeline.records.map(\.id) == ["1", "client:root"])
    #expect(timeline.observers.map(\.owner) == ["TodoText"])
    #expect(causes.withLock { $0 } == [nil])
    observation.cancel()
  }

  @Test("reads with missing data, retentions and collections are events")
  func lifetimes() throws {
    let recorded = RecordedStore(clock: VirtualClock(), releaseBufferSize: 0)
    try recorded.fill(("1", "a"))
    let retention = recorded.environment.retain(FeedQuery())
    _ = recorded.environment.read(FragmentRef<TodoDetails>(id: "1"))
    #expect(
      recorded.environment.timeline(redactingValues: false).operations.map(\.retentions) == [1])
    retention.release()
    recorded.environment.store.collectGarbage()
    let kinds = recorded.events.dropFirst().map { event in
      switch event.content {
      case .retention(let change): "\(change.operation) \(change.isRetained) \(change.count)"
      case .missing(let missing): "\(missing.owner) \(missing.record) \(missing.paths)"
      case .garbageCollection(let run):
        "collected \(run.collected) kept \(run.retained) in \(run.slices)"
      default: "other"
      }
    }
    #expect(
      kinds == [
        "FeedQuery true 1", "TodoDetails 1 [isDone, owner]", "FeedQuery false 0",
        "collected 1 kept 1 in 1",
      ])
  }

  @Test(
    "links of changes before a collection are not resolved, because their indexes are used again")
  func linksAfterCollection() throws {
    let recorded = RecordedStore(releaseBufferSize: 0)
    try recorded.fill(("1", "a"))
    recorded.environment.store.collectGarbage()
    try recorded.environment.commitPayload(
      TodoQuery(id: "2"),
      data: ["todo": ["id": "2", "text": "b", "isDone": true, "owner": ["id": "3", "name": "c"]]])
    let links = recorded.publishes.map { publish in
      publish.records.last?.fields.last.map { "\($0.field ?? "") \($0.after ?? "unresolved")" }
    }
    #expect(links == ["feed(first:10) unresolved", #"todo(id:"2") "2""#])
  }

  @Test("a timeline whose limits are lowered to zero keeps its last event")
  func loweredLimits() throws {
    var options = TimelineOptions()
    (options.eventLimit, options.byteLimit) = (0, -1)
    #expect(options == TimelineOptions(eventLimit: 1, byteLimit: 0))
    let recorded = RecordedStore(options)
    try recorded.fill(("1", "a"))
    try recorded.set("1", "text", "b")
    #expect(recorded.events.count == 1)
  }

  @Test("the ring keeps the newest events, and counts those that it drops")
  func eventLimit() throws {
    let recorded = RecordedStore(.init(eventLimit: 3))
    for number in 0..<10 { try recorded.fill(("1", "\(number)")) }
    let timeline = recorded.environment.timeline()
    #expect(timeline.events.map(\.id) == [8, 9, 10])
    #expect(timeline.droppedEvents == 7)
  }

  @Test("the limit of bytes counts the records that only events keep alive")
  func byteLimit() throws {
    let recorded = RecordedStore(.init(byteLimit: 100_000))
    let recorder = try #require(recorded.environment.store.recorder)
    for number in 0..<50 {
      try recorded.fill(("1", String(repeating: "\(number % 10)", count: 10_000)))
      #expect(recorder.byteCount <= 100_000)
    }
    let timeline = recorded.environment.timeline()
    #expect(timeline.events.count < 12 && timeline.events.last?.id == 50)
    #expect(timeline.droppedEvents + timeline.events.count == 50)
  }

  @Test("a publish lists a thousand records and counts all")
  func recordLimit() throws {
    let recorded = RecordedStore()
    let todos = (0..<1_500).map { ["id": .string("\($0)"), "text": "a"] as JSONValue }
    try recorded.environment.commitPayload(FeedQuery(), data: ["feed": .array(todos)])
    let changed = (0..<1_500).map { ["id": .string("\($0)"), "text": "b"] as JSONValue }
    try recorded.environment.commitPayload(FeedQuery(), data: ["feed": .array(changed)])
    let publishes = recorded.publishes
    #expect(publishes.map(\.changedRecords) == [1_501, 1_500])
    #expect(publishes.map(\.records.count) == [1_000, 1_000])
    #expect(publishes[1].records.allSatisfy { $0.fields.map(\.before) == [#""a""#] })
  }

  @Test("values are redacted: scalars, variables, arguments, also those in ids and in causes")
  func redaction() throws {
    let recorded = RecordedStore()
    try recorded.environment.commitPayload(
      TodoQuery(id: "secret-argument"),
      data: ["todo": ["id": "1", "text": "secret-text", "isDone": true, "owner": nil]])
    let retention = recorded.environment.retain(TodoQuery(id: "secret-argument"))
    let observation = recorded.environment.observe(todo("1")) { _ in }
    try recorded.set("1", "text", "secret-other")
    try recorded.environment.commitUpdate { store in
      let made = try store.create(DataID(#"client:1:list(a:"secret-id")"#), type: "T")
      try made.setValue("secret-made", for: #"f(a:"secret-key")"#)
    }
    let timeline = recorded.environment.timeline()
    let text = String(decoding: try JSONEncoder().encode(timeline), as: UTF8.self)
    #expect(!text.contains("secret"))
    #expect(timeline.isRedacted)
    let all = try JSONEncoder().encode(recorded.environment.timeline(redactingValues: false))
    for word in ["text", "argument", "other", "id", "made", "key"] {
      #expect(String(decoding: all, as: UTF8.self).contains("secret-\(word)"))
    }
    retention.release()
    observation.cancel()
  }

  @Test("a redacted change tells a value, a null and an absent value apart")
  func redactedValues() throws {
    let recorded = RecordedStore()
    try recorded.fill(("1", "a"))
    let observation = recorded.environment.observe(todo("1")) { _ in }
    try recorded.set("1", "text", nil)
    try recorded.set("1", "isDone", true)
    try recorded.set("1", "text", "b")
    let events = recorded.environment.timeline().events
    let changes = events.flatMap { event -> [StoreTimeline.FieldChange] in
      switch event.content {
      case .publish(let publish): publish.records.filter { $0.kind == .changed }.flatMap(\.fields)
      case .delivery(let delivery): delivery.changes
      default: []
      }
    }
    let texts = changes.map { "\($0.field ?? ""): \($0.before ?? "–") \($0.after ?? "–")" }
    #expect(
      texts == [
        "feed(#1): – redacted", "text: redacted null", "text: redacted null",
        "isDone: – redacted", "text: null redacted", "text: null redacted",
      ])
    observation.cancel()
  }

  @Test("the way to a record has the indices of lists")
  func indices() throws {
    let recorded = RecordedStore()
    try recorded.fill(("0", "z"), ("1", "a"))
    let retention = recorded.environment.retain(FeedQuery())
    let operation = try #require(recorded.environment.timeline().operations.first)
    #expect(operation.reached.map(\.index) == [nil, 0, 1])
    retention.release()
  }

  @Test("a collection has the ids of the records that it has removed, at most a thousand")
  func collectedIDs() throws {
    for replacesTable in [true, false] {
      let recorded = RecordedStore(releaseBufferSize: 0)
      recorded.environment.store.state.withLock { $0.collector.replacesTables = replacesTable }
      func collections() -> [StoreTimeline.GarbageCollection] {
        recorded.events.compactMap {
          if case .garbageCollection(let run) = $0.content { run } else { nil }
        }
      }
      try recorded.fill(("1", "a"), ("2", "b"))
      recorded.environment.store.collectGarbage()
      recorded.environment.store.collectGarbage()
      #expect(collections().map { Set($0.collectedIDs) } == [["1", "2"], []])
      let todos = (0..<1_500).map { ["id": .string("\($0)"), "text": "a"] as JSONValue }
      try recorded.environment.commitPayload(FeedQuery(), data: ["feed": .array(todos)])
      recorded.environment.store.collectGarbage()
      #expect(collections().last?.collected == 1_500)
      #expect(collections().last.map { Set($0.collectedIDs).count } == 1_000)
    }
  }

  @Test("a timeline is encoded and decoded, and one of a later version is refused")
  func coding() throws {
    let recorded = RecordedStore()
    try recorded.fill(("1", "a"))
    let observation = recorded.environment.observe(FragmentRef<TodoDetails>(id: "1")) { _ in }
    try recorded.set("1", "text", "b")
    let retention = recorded.environment.retain(FeedQuery())
    recorded.environment.store.collectGarbage()
    let timeline = recorded.environment.timeline(redactingValues: false)
    let data = try JSONEncoder().encode(timeline)
    #expect(try JSONDecoder().decode(StoreTimeline.self, from: data) == timeline)
    let later = String(decoding: data, as: UTF8.self)
      .replacingOccurrences(of: #""version":1"#, with: #""version":2"#)
    let error = #expect(throws: DecodingError.self) {
      try JSONDecoder().decode(StoreTimeline.self, from: Data(later.utf8))
    }
    #expect("\(try #require(error))".contains("reads versions 1 to 1"))
    let unknown = Data(#"{"id":1,"time":0.5,"kind":"dance","partner":"x"}"#.utf8)
    let event = try JSONDecoder().decode(StoreTimeline.Event.self, from: unknown)
    #expect(event.content == .unknown(kind: "dance"))
    retention.release()
    observation.cancel()
  }

  @Test("problems are notes, with and without a log")
  func notes() throws {
    let recorded = RecordedStore()
    struct Refusal: Error {}
    #expect(throws: Refusal.self) {
      try recorded.environment.commitUpdate { _ in throw Refusal() }
    }
    let notes = recorded.events.compactMap {
      if case .note(let note) = $0.content { note } else { nil }
    }
    #expect(notes.map(\.text) == ["an updater threw Refusal; its writes were rolled back"])
    #expect(notes.map(\.isProblem) == [true])
  }

  @Test("a reset is a publish that removes the layers")
  func reset() throws {
    let recorded = RecordedStore()
    try recorded.fill(("1", "a"))
    _ = try recorded.environment.applyUpdate { try $0["1"]?.setValue("b", for: "text") }
    recorded.environment.reset()
    let last = try #require(recorded.publishes.last)
    #expect(last.cause.kind == .reset && last.removedLayers.count == 1)
    #expect(last.records.contains { $0.record == "1" && $0.kind == .deleted })
  }
}
