import RelayPersistence
@_spi(GeneratedCode) import RelayStore
import Testing

@Suite("Mirrors of values that wait in the outbox", .timeLimit(.minutes(1)))
struct MirrorOutboxTests {
  /// A server that never responds.
  private final class SilentServer: Transport {
    private let requests = AsyncStream<Void>.makeStream()

    func execute(_ request: GraphQLRequest) async throws -> GraphQLResponse {
      for await _ in requests.stream {}
      throw CancellationError()
    }
  }

  /// A mutation that sets the number of the item "a".
  private struct SetNumberMutation: OptimisticMutation {
    static let __operation = OperationPlan(
      text: "mutation SetNumber($n: Int) { setNumber(n: $n) { id number } }",
      reader: "SetNumber Mutation{setNumber(n:$n) Item{id ID! number Int}}",
      normalization: "Mutation{setNumber(n:$n) Item{__typename String! id ID! number Int}}")
    let number: Int
    var __variables: Variables { Variables(json: ["n": .number(JSONNumber(number))]) }

    struct Data: GraphQLView {
      static let __plan = SetNumberMutation.__operation.reader
      let __row: Row
    }
    struct RawResponse: GraphQLView {
      static let __plan = SelectionPlan(
        "SetNumber Mutation{setNumber(n:$n) Item{__typename String! id ID! number Int}}")
      let __row: Row
      init(__row: Row) { self.__row = __row }
      init(setNumber: Item?) { self.init(Self.__plan, setNumber) }

      struct Item: GraphQLView {
        static var __plan: SelectionPlan { RawResponse.__plan[0] }
        let __row: Row
        init(__row: Row) { self.__row = __row }
        init(id: String, number: Int) { self.init(Self.__plan, "Item", id, number) }
      }
    }

    var optimisticResponse: RawResponse {
      RawResponse(setNumber: .init(id: "a", number: number))
    }
  }

  @Test("a mirror begins with the values of the outbox, and does not write them again")
  func restart() async throws {
    let (cache, entries, directory) = (
      MemoryPersistence(), MemoryPersistence(), TemporaryDirectory()
    )
    let database = try AppDatabase(directory)
    try database.createLoggedItems()
    func environment(_ outbox: @escaping @Sendable () -> any PersistenceEngine) -> RelayEnvironment
    {
      var persistence = cache.persistence
      persistence.makeOutboxEngine = outbox
      return RelayEnvironment(
        store: RecordStore(
          configuration: .init(garbageCollection: .manual, persistence: persistence)),
        transport: SilentServer(), outbox: OutboxOptions(serverHonorsIdempotencyKeys: true))
    }
    do {
      let (first, writer) = (environment { entries.engine() }, database.writer())
      let outbox = try #require(first.outbox)
      let mirror = first.mirror(ItemFragment.self, into: writer)
      try await outbox.loaded()
      try await writer.settled()
      // Two changes in quick succession may be written as one.
      try first.writeItem("a", ["number": 1])
      // The mirror starts after the outbox has loaded, possibly after this line.
      while try database.rows("SELECT id FROM items").isEmpty { try await writer.settled() }
      #expect(try database.drainLog() == ["a=1"])
      try await first.add(SetNumberMutation(number: 2))
      try await writer.flush()
      #expect(try database.drainLog() == ["a=2"])
      mirror.cancel()
      try await first.store.suspend()
    }
    let gate = GatedPersistence(entries)
    let (second, writer) = (environment { gate.persistence.makeEngine() }, database.writer())
    let outbox = try #require(second.outbox)
    let mirror = second.mirror(ItemFragment.self, into: writer)
    await second.store.loaded()
    try await writer.settled()
    #expect(try database.drainLog() == [])
    gate.open()
    try await outbox.loaded()
    // The mirror starts after the values are shown: this change is the first that it delivers.
    try second.writeItem("b", ["number": 3])
    while try database.rows("SELECT id FROM items").count < 2 { try await writer.settled() }
    #expect(try database.drainLog() == ["b=3"])
    mirror.cancel()
  }
}
