import Measuring
import RelayStore

extension Suite {
  /// Measures the overhead of `fetch` and `commit`, and the commits of a connection's pages.
  func operations() async throws {
    try await calls()
    // A list of `count` items in 100 pages.
    try pages("append_page", size: max(1, count / 100))
  }

  /// Measures the overhead of `fetch` and `commit`: their CPU time minus the transport's.
  func calls(_ number: Int = 2_000) async throws {
    for (suffix, suspends) in [("", false), ("_suspended", true)] {
      try await overhead(
        "fetch_overhead" + suffix, transport: InstantTransport("record", suspends: suspends),
        kind: .query, calls: number
      ) { _ = try await $0.fetch(RecordQuery(id: "r:1")) }
      try await overhead(
        "commit_overhead" + suffix, transport: InstantTransport("change", suspends: suspends),
        kind: .mutation, calls: number
      ) { _ = try await $0.commit(ChangeMutation(id: "r:1")) }
    }
  }

  /// Measures the CPU time of the process per call, minus the time of the transport alone.
  private func overhead(
    _ name: String, transport: InstantTransport, kind: OperationKind, calls: Int,
    _ call: (RelayEnvironment) async throws -> Void
  ) async throws {
    let environment = environment(transport)
    let request = GraphQLRequest(
      operationName: "Bare", kind: kind, text: "query Bare { … }", variables: ["id": "r:1"])
    try await call(environment)
    let start = Samples.processNow
    for _ in 0..<calls { _ = try await transport.execute(request) }
    let bare = Samples.processNow - start
    let second = Samples.processNow
    for _ in 0..<calls { try await call(environment) }
    let whole = Samples.processNow - second
    Samples.record(name, nanoseconds: (whole - min(whole, bare)) / UInt64(calls))
  }

  /// Measures the commits of pages 2, 10, 100 and 1,000 of a list, up to page `last`.
  ///
  /// - Parameter observed: Whether an observer reads the list.
  func pages(_ name: String, size: Int, upTo last: Int = 100, observed: Bool = true) throws {
    let environment = environment(NoTransport())
    let seen = Counter()
    let query = PageQuery(first: size, after: nil)
    let observation =
      observed
      ? environment.readAndObserve(query) { seen.add($0.data?.list?.edges?.count ?? 0) }.observation
      : nil
    for number in 0..<last {
      let query = PageQuery(first: size, after: number == 0 ? nil : "c\(number * size - 1)")
      let bytes = page(number, of: size)
      if [2, 10, 100, 1_000].contains(number + 1) {
        try Samples.measure("\(name)_\(number + 1)") {
          try environment.commitPayload(query, data: bytes)
        }
      } else {
        try environment.commitPayload(query, data: bytes)
      }
    }
    let count = environment.read(query).data?.list?.edges?.count
    guard count == last * size, !observed || seen.last == count else { throw Unexpected.calls }
    observation?.cancel()
  }

  /// Measures edits of an unobserved list of `pages` pages: inserting and deleting an edge, a page
  /// after these edits, and a previous page that overlaps half of the first one.
  func edits(of size: Int, pages: Int) throws {
    let environment = environment(NoTransport())
    let start = size
    var end = start + size * pages
    for first in stride(from: start, to: end, by: size) {
      let after = first == start ? nil : "c\(first - 1)"
      try environment.commitPayload(
        PageQuery(first: size, after: after), data: page(first..<first + size))
    }
    func measure(_ name: String, _ body: () throws -> Void) rethrows {
      try Samples.measure("\(name)_\(pages)", body)
    }
    try measure("edge_inserted") {
      try environment.commitUpdate { store in
        guard let list = try store.root.getConnection("Benchmark_list") else { return }
        let node = try store.create("new", type: "Item")
        try list.insertEdgeBefore(list.createEdge(to: node, type: "Edge"))
      }
    }
    try measure("edge_deleted") {
      try environment.commitUpdate { store in
        try store.root.getConnection("Benchmark_list")?.deleteNode("new")
      }
    }
    try measure("page_after_edit") {
      try environment.commitPayload(
        PageQuery(first: size, after: "c\(end - 1)"), data: page(end..<end + size))
    }
    end += size
    let before = PageQuery(first: size, before: "c\(start)")
    try measure("page_overlapping") {
      try environment.commitPayload(before, data: page(start - size / 2..<start + size - size / 2))
    }
    let count = environment.read(before).data?.list?.edges?.count
    guard count == end - start + size / 2 else { throw Unexpected.calls }
  }
}
