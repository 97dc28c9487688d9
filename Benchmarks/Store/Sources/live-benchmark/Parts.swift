import Measuring
import RelayStore

/// The measurement of incremental responses: fetches of `count` objects of ten fields, each into
/// its own store, from the bytes of the payloads to the data.
struct Parts {
  let count: Int

  /// A response to measure.
  private enum Response {
    case whole, inline
    /// The ids, then everything, as two queries: the cost of publishing twice without incremental
    /// delivery.
    case twoQueries
    case deferred(Format, isTogether: Bool)
    case streamed(Format, isTogether: Bool)

    var name: String {
      switch self {
      case .whole: "whole"
      case .inline: "inline"
      case .twoQueries: "two_queries"
      case .deferred(let format, let isTogether):
        "deferred_\(format.rawValue)_\(isTogether ? "together" : "single")"
      case .streamed(let format, let isTogether):
        "streamed_\(format.rawValue)_\(isTogether ? "together" : "single")"
      }
    }
  }

  private static let responses: [Response] =
    [.whole, .inline, .twoQueries]
    + Format.allCases.flatMap { format in
      [false, true].flatMap { isTogether -> [Response] in
        [.deferred(format, isTogether: isTogether), .streamed(format, isTogether: isTogether)]
      }
    }

  /// Measures every response once per round, in turns; with `name`, only that response.
  func run(rounds: Int, only name: String? = nil) async throws {
    let responses = Self.responses.filter { name == nil || $0.name == name }
    let cases = responses.map { ($0, PayloadTransport(payloads(of: $0))) }
    for round in 0...rounds {
      // The first round warms up.
      Samples.isPrinting = round > 0
      for (response, transport) in cases { try await measure(response, over: transport) }
    }
  }

  private func payloads(of response: Response) -> [[UInt8]] {
    let payloads = Payloads(count: count)
    return switch response {
    case .whole, .inline, .twoQueries: [payloads.whole]
    case .deferred(let format, let isTogether):
      payloads.deferred(format, isTogether: isTogether)
    case .streamed(let format, let isTogether):
      payloads.streamed(format, isTogether: isTogether)
    }
  }

  private func measure(_ response: Response, over transport: PayloadTransport) async throws {
    switch response {
    case .whole: try await measure(response.name, WholeQuery(first: count), over: transport)
    case .inline, .deferred:
      try await measure(response.name, DeferredQuery(first: count), over: transport)
    case .twoQueries:
      let ids = PayloadTransport([Payloads(count: count).ids])
      try await measure(response.name, WholeQuery(first: count), over: transport) { store in
        _ = try await RelayEnvironment(store: store, transport: ids).fetch(IDsQuery(first: count))
      }
    case .streamed: try await measure(response.name, StreamedQuery(first: count), over: transport)
    }
  }

  /// - Parameter prepare: Called with the store before the query is fetched; it is measured too.
  private func measure<Query: GraphQLQuery>(
    _ name: String, _ query: Query, over transport: PayloadTransport,
    prepare: (RecordStore) async throws -> Void = { _ in }
  ) async throws where Query.Data == RecordsData {
    let store = RecordStore(configuration: .init(garbageCollection: .manual))
    let environment = RelayEnvironment(store: store, transport: transport)
    let (start, cpu) = (ContinuousClock.now, Samples.processNow)
    try await prepare(store)
    let snapshot = try await environment.fetch(query)
    let used = Samples.processNow - cpu
    let wall = (ContinuousClock.now - start) / .nanoseconds(1)
    Samples.record(name, nanoseconds: used)
    Samples.record(name + "_wall", nanoseconds: UInt64(wall))
    let last = environment.read(FragmentRef<RecordFields>(id: DataID("r:\(count - 1)")))
    guard snapshot.data?.records.count == count, last.data?.a == count - 1 else {
      throw Unexpected.noData
    }
  }
}

enum Unexpected: Error { case noData, noEvents }
