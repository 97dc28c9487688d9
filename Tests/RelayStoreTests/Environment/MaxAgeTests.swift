@_spi(GeneratedCode) import RelayStore
import RelayStoreTesting
import Testing

/// A query whose data is fresh for five seconds, as set in `relay.config.json`.
private struct StockQuery: GraphQLQuery, Hashable {
  static let __operation = OperationPlan(
    text: "query StockQuery { stock { id price } }",
    reader: "StockQuery Query{stock Stock{id ID! price Int}}",
    normalization: "@5 Query{stock Stock{__typename String! id ID! price Int}}")
  var __variables: Variables { [:] }
  typealias Data = StockData
}

/// A query without a configured time; only the program or the server sets one.
private struct PlainQuery: GraphQLQuery, Hashable {
  static let __operation = OperationPlan(
    text: "query PlainQuery { stock { id price ... on Share { name } } }",
    reader: "PlainQuery Query{stock Stock{id ID! price Int}}",
    normalization:
      "Query{stock Stock{__typename String! id ID! price Int ...on Share{name String}}}")
  var __variables: Variables { [:] }
  typealias Data = StockData
}

private struct StockData: GraphQLView, Hashable {
  let __row: Row
  var price: Int? { stock?.price }
  private var stock: Stock? { __row.object(0) }

  private struct Stock: GraphQLView, Hashable {
    let __row: Row
    var price: Int? { __row[1] }
  }
}

/// A server that counts the requests, and responds with their number as the price.
private final class StockServer: Transport {
  private let count = Locked(0)
  let headers: [String: String]
  let extensions: JSONObject

  init(headers: [String: String] = [:], extensions: JSONObject = [:]) {
    (self.headers, self.extensions) = (headers, extensions)
  }

  func execute(_ request: GraphQLRequest) async throws -> GraphQLResponse {
    let number = count.withLock { count in
      count += 1
      return count
    }
    let body: JSONValue = [
      "data": ["stock": ["__typename": "Stock", "id": "1", "price": .number(JSONNumber(number))]],
      "extensions": .object(extensions),
    ]
    var response = GraphQLResponse(json: body)
    response.headers = headers
    return response
  }
}

@Suite("Times for which data is fresh", .timeLimit(.minutes(1)))
struct MaxAgeTests {
  private let clock = VirtualClock()

  private func environment(
    _ server: StockServer = StockServer(), maxAges: [String: Duration] = [:],
    serverMaxAge: ServerMaxAge? = nil, expiration: Duration? = nil
  ) -> RelayEnvironment {
    var configuration = RecordStore.Configuration(
      queryExpiration: expiration, clock: clock, garbageCollection: .manual)
    (configuration.maxAges, configuration.serverMaxAge) = (maxAges, serverMaxAge)
    return RelayEnvironment(store: RecordStore(configuration: configuration), transport: server)
  }

  /// Returns the seconds until a fetched query becomes stale; `nil` if it never does.
  private func age(of query: some GraphQLQuery, in environment: RelayEnvironment) async throws
    -> Int?
  {
    try await environment.fetch(query)
    for seconds in 0...100 {
      if environment.check(query) == .stale { return seconds }
      clock.advance(by: .seconds(1))
    }
    return nil
  }

  @Test("a query is stale after the time that the configuration of the compiler gives")
  func compiled() async throws {
    #expect(try await age(of: StockQuery(), in: environment()) == 5)
    #expect(try await age(of: PlainQuery(), in: environment()) == nil)
    // It takes precedence over the time for all queries.
    #expect(try await age(of: StockQuery(), in: environment(expiration: .seconds(3))) == 5)
    #expect(try await age(of: PlainQuery(), in: environment(expiration: .seconds(3))) == 3)
  }

  @Test(
    "the program gives times by operation, type and field, of which the least counts",
    arguments: [
      (["Stock": 7], 7), (["Stock.price": 3], 3), (["Stock": 7, "Stock.price": 3], 3),
      (["Query": 9], 9), (["Share.name": 4], 4), (["Share": 4], 4), (["Stock.name": 4], nil),
      (["Other": 1, "Stock.other": 1], nil), (["PlainQuery": 8, "Stock": 2], 8),
    ] as [([String: Int], Int?)])
  func program(ages: [String: Int], expected: Int?) async throws {
    let ages = ages.mapValues { Duration.seconds($0) }
    #expect(try await age(of: PlainQuery(), in: environment(maxAges: ages)) == expected)
  }

  @Test("queries of one store have the times of their own types and fields")
  func twoQueries() async throws {
    let environment = environment(
      maxAges: ["Share.name": .seconds(2), "Stock.price": .seconds(4)])
    #expect(try await age(of: PlainQuery(), in: environment) == 2)
    #expect(try await age(of: StockQuery(), in: environment) == 4)
  }

  @Test("the name of an operation takes precedence over the configuration of the compiler")
  func precedence() async throws {
    let own = environment(maxAges: ["StockQuery": .seconds(8)])
    #expect(try await age(of: StockQuery(), in: own) == 8)
    let type = environment(maxAges: ["Stock": .seconds(8)])
    #expect(try await age(of: StockQuery(), in: type) == 5)
    let shorter = environment(maxAges: ["Stock": .seconds(2)])
    #expect(try await age(of: StockQuery(), in: shorter) == 2)
  }

  @Test(
    "the server's Cache-Control and Age say how long a response is fresh",
    arguments: [
      ("max-age=4", nil, 4), ("public, max-age=40", "36", 4), ("max-age=\"4\"", nil, 4),
      ("Max-Age=4, s-maxage=9", nil, 4), ("s-maxage=4", nil, nil), ("max-age=4", "9", 0),
      ("max-age=4", "-36", 4),
      ("no-store", nil, 0), ("max-age=4, no-cache", nil, 0), ("max-age=x", nil, 0),
      ("max-age=-1", nil, 0), ("private", nil, nil), ("no-cache=\"set-cookie\", max-age=4", nil, 4),
      ("max-age=99999999999999999999", nil, nil),
    ] as [(String, String?, Int?)])
  func cacheControl(control: String, age: String?, expected: Int?) async throws {
    let server = StockServer(
      headers: ["cache-control": control].merging(age.map { ["age": $0] } ?? [:]) { $1 })
    let environment = environment(server, serverMaxAge: .cacheControl)
    #expect(try await self.age(of: PlainQuery(), in: environment) == expected)
    // By default the store does not read the header.
    #expect(try await self.age(of: PlainQuery(), in: self.environment(server)) == nil)
  }

  @Test("the server's extensions say how long a response is fresh")
  func extensions() async throws {
    let server = StockServer(extensions: ["cache": ["maxAge": 6.5]])
    let ages: [([String], Int?)] = [
      (["cache", "maxAge"], 7), (["cache"], nil), (["maxAge"], nil), ([], nil),
    ]
    for (path, expected) in ages {
      let environment = environment(server, serverMaxAge: .extensions(path))
      #expect(try await age(of: PlainQuery(), in: environment) == expected)
    }
  }

  @Test(
    "a released query is dropped if it is older than the time for all queries, unless it is fresh",
    arguments: [
      (60, 30, true), (60, 59, true), (60, 61, true), (60, 3599, true), (60, 3600, false),
    ])
  func released(expiration: Int, seconds: Int, isKept: Bool) async throws {
    let environment = environment(
      maxAges: ["Stock": .seconds(3600)], expiration: .seconds(expiration))
    let retention = environment.retain(PlainQuery())
    try await environment.fetch(PlainQuery())
    clock.advance(by: .seconds(seconds))
    #expect((environment.check(PlainQuery()) != .stale) == isKept)
    retention.release()
    environment.store.collectGarbage()
    #expect(environment.check(PlainQuery()).isMissing != isKept)
  }

  @Test("a released query that is stale only by its own time is kept")
  func releasedStale() async throws {
    let environment = environment(maxAges: ["Stock": .seconds(5)], expiration: .seconds(60))
    let retention = environment.retain(PlainQuery())
    try await environment.fetch(PlainQuery())
    clock.advance(by: .seconds(30))
    retention.release()
    environment.store.collectGarbage()
    #expect(environment.check(PlainQuery()) == .stale)
  }

  @Test("a load says when its data has become stale, and goes on showing it")
  func state() async throws {
    let environment = environment()
    let loaded = environment.load(StockQuery())
    var states = loaded.states.makeAsyncIterator()
    while let state = await states.next(), state.data?.price != 1 {}
    try await clock.sleepers(1)
    clock.advance(by: .seconds(5))
    let stale = await states.next()
    #expect(stale?.isStale == true)
    #expect(stale?.data?.price == 1)
    #expect(stale?.isLoading == false)
    // The next response is fresh, even if another call has fetched it.
    try await environment.fetch(StockQuery())
    while let state = await states.next(), state.isStale {}
    #expect(loaded.state.isStale == false)
    #expect(loaded.state.data?.price == 2)
  }

  @Test("a load that does not show stale data withholds it and fetches again")
  func strict() async throws {
    let environment = environment()
    var options = LoadOptions()
    options.showsStaleData = false
    let loaded = environment.load(StockQuery(), options: options)
    var states = loaded.states.makeAsyncIterator()
    while let state = await states.next(), state.data?.price != 1 {}
    try await clock.sleepers(1)
    clock.advance(by: .seconds(5))
    var shown: [Int?] = []
    while let state = await states.next(), state.data?.price != 2 {
      #expect(state.isStale)
      shown.append(state.data?.price)
    }
    #expect(shown.allSatisfy { $0 == nil })
    #expect(loaded.state.isStale == false)
  }

  @Test("a response that is stale at once is shown by the load that has requested it")
  func strictWithoutAge() async throws {
    let server = StockServer(headers: ["cache-control": "no-store"])
    let environment = environment(server, serverMaxAge: .cacheControl)
    var options = LoadOptions()
    options.showsStaleData = false
    let loaded = environment.load(PlainQuery(), options: options)
    var states = loaded.states.makeAsyncIterator()
    while let state = await states.next(), state.data?.price != 1 { #expect(state.isLoading) }
    #expect(loaded.state.isStale)
    #expect(loaded.state.error == nil)
    // Another load does not show it.
    let other = environment.load(PlainQuery(), policy: .storeOnly, options: options)
    #expect(other.state.data == nil)
  }

  @Test("stale data of the store alone is an error for a load that does not show it")
  func strictStore() async throws {
    let environment = environment()
    try await environment.fetch(StockQuery())
    clock.advance(by: .seconds(5))
    let lenient = environment.load(StockQuery(), policy: .storeOnly)
    #expect(lenient.state.data?.price == 1)
    #expect(lenient.state.isStale)
    var options = LoadOptions()
    options.showsStaleData = false
    let strict = environment.load(StockQuery(), policy: .storeOnly, options: options)
    #expect(strict.state.data == nil)
    #expect(strict.state.error?.message == "The data of \"StockQuery\" is stale.")
    #expect(strict.state.isLoading == false)
  }
}
