import Allocations
import Measuring
import RelayStore

/// The cases of the benchmark. Each case has its own store.
struct Suite {
  let count: Int
  let bytes: [UInt8]
  private var query: ItemsQuery { ItemsQuery(first: count) }
  /// The number of repetitions per sample for cases that take microseconds.
  private let repeats = 50

  /// The limits of the timeline that the stores record; `nil` for none.
  let timeline: TimelineOptions?

  init(count: Int, bytes: [UInt8], timeline: TimelineOptions? = nil) {
    self.count = count
    self.bytes = bytes
    self.timeline = timeline
  }

  private func environment() -> RelayEnvironment {
    environment(NoTransport(), releaseBufferSize: 0)
  }

  func environment(
    _ transport: some Transport, releaseBufferSize: Int = 10
  ) -> RelayEnvironment {
    RelayEnvironment(
      store: RecordStore(
        configuration: .init(
          releaseBufferSize: releaseBufferSize, garbageCollection: .manual, timeline: timeline)),
      transport: transport)
  }

  private func filled() throws -> RelayEnvironment {
    let environment = environment()
    try environment.commitPayload(query, data: bytes)
    return environment
  }

  /// Runs every case once, or only the case `name`.
  func run(only name: String? = nil) throws {
    if name == nil || name == "commit" { try commit() }
    if name == nil || name == "read" { try read() }
    if name == nil || name == "list" { try listObserver() }
    if name == nil || name == "rows" { try rowObservers() }
    if name == nil || name == "gc" { try collect() }
    if name == nil || name == "slices" { try collectInSlices() }
    if name == nil || name == "arguments" {
      for number in [100, 40_000] { try argumentSets(number) }
    }
  }

  /// Measures the first commit of a process.
  func first() throws {
    let environment = environment()
    Samples.isPrinting = true
    try Samples.measure("commit_first_call") { try environment.commitPayload(query, data: bytes) }
  }

  private func commit() throws {
    let environment = environment()
    try Samples.measure("commit_cold") { try environment.commitPayload(query, data: bytes) }
    try Samples.measure("commit_same") { try environment.commitPayload(query, data: bytes) }
  }

  private func read() throws {
    let environment = try filled()
    let data = try Samples.measure("read_query") {
      let data = environment.read(query).data
      guard let data, checksum(data) > 0 else { throw Unexpected.noData }
      return data
    }
    try Samples.measure("scalars") { if checksum(data) == 0 { throw Unexpected.noData } }
  }

  /// Returns a sum over every scalar of every row, which forces all of them to be read.
  private func checksum(_ data: ItemsQuery.Data) -> Int {
    var sum = 0
    for item in data.items {
      let author = item.author
      sum &+= item.id.utf8.count &+ item.__typename.utf8.count &+ item.name.utf8.count
      sum &+= item.score &+ (item.done ? 1 : 0)
      sum &+= author.id.utf8.count &+ author.__typename.utf8.count &+ author.name.utf8.count
    }
    return sum
  }

  private func listObserver() throws {
    let environment = try filled()
    let seen = Counter()
    let observation = environment.readAndObserve(query) { snapshot in
      seen.add(snapshot.data?.items[7].score ?? 0)
    }.observation
    try Samples.measure("list_observer_one_change", times: repeats) {
      for round in 0..<repeats { try set(7, 1000 + round, in: environment) }
    }
    guard seen.calls == repeats, seen.last == 1000 + repeats - 1 else { throw Unexpected.calls }
    observation.cancel()
  }

  private func set(_ item: Int, _ score: Int, in environment: RelayEnvironment) throws {
    try environment.commitPayload(ItemQuery(id: "item:\(item)"), data: change(item, score: score))
  }

  private func rowObservers() throws {
    let environment = try filled()
    let seen = Counter()
    let observations = Samples.measure("observe_10000", times: 1) {
      (0..<count).map { item in
        environment.observe(FragmentRef<ItemRow>(id: DataID("item:\(item)"))) {
          seen.add($0.data?.score ?? 0)
        }
      }
    }
    try Samples.measure("one_of_10000_observers", times: repeats) {
      for round in 0..<repeats { try set(round * 13 % count, 5000 + round, in: environment) }
    }
    guard seen.calls == repeats else { throw Unexpected.calls }
    try Samples.measure("optimistic_apply_revert", times: repeats) {
      for round in 0..<repeats {
        let update = try environment.applyUpdate { store in
          let item = try store[DataID("item:\(round * 17 % count)")]
          try item?.setValue(JSONValue.number(JSONNumber(9000 + round)), for: "score")
        }
        update.revert()
      }
    }
    guard seen.calls == 3 * repeats else { throw Unexpected.calls }
    Samples.measure("unobserve_10000") { for observation in observations { observation.cancel() } }
  }

  /// Measures a commit that adds one more argument set to a root field that already has `number` of
  /// them.
  private func argumentSets(_ number: Int) throws {
    let environment = environment()
    for item in 0..<number { try set(item, item, in: environment) }
    let changes = (number..<number + repeats).map { item in
      (ItemQuery(id: "item:\(item)"), change(item, score: item))
    }
    try Samples.measure("commit_at_\(number)_arguments", times: repeats) {
      for (query, bytes) in changes { try environment.commitPayload(query, data: bytes) }
    }
  }

  private func collect() throws {
    let environment = environment()
    let half = ItemsQuery(first: count / 2)
    try environment.commitPayload(half, data: payload(count / 2))
    let retention = environment.retain(half)
    try environment.commitPayload(query, data: bytes)
    let report = Samples.measure("gc_half") { environment.store.collectGarbage() }
    guard report.collected >= count / 2 - 100 else {
      throw Unexpected.notCollected(report.collected)
    }
    retention.release()
  }

  /// Measures the longest slice of an incremental collection of half of the records.
  private func collectInSlices() throws {
    let environment = environment()
    let half = ItemsQuery(first: count / 2)
    try environment.commitPayload(half, data: payload(count / 2))
    let retention = environment.retain(half)
    let other = environment.retain(query)
    try environment.commitPayload(query, data: bytes)
    other.release()
    var (longest, isMore): (UInt64, Bool) = (0, environment.store.garbageCollector.isPending)
    guard isMore else { throw Unexpected.notCollected(0) }
    while isMore {
      let start = Samples.now
      isMore = environment.store.garbageCollector.step(records: 1_000)
      longest = max(longest, Samples.now - start)
    }
    Samples.record("gc_longest_slice", nanoseconds: longest)
    retention.release()
  }

  /// Prints the bytes per row, and the share of memory freed by collecting half of the rows. There
  /// are two cases: the full list still links to the collected rows, which preserves their ids, or
  /// a new response has shortened it.
  func memory() throws {
    // Warm up, so that one-time allocations are not counted.
    try set(1, 1, in: environment())
    let half = ItemsQuery(first: count / 2)
    let linked = try freed { environment in
      try environment.commitPayload(half, data: payload(count / 2))
      try environment.commitPayload(query, data: bytes)
      return environment.retain(half)
    } before: { _ in
    }
    let unlinked = try freed { environment in
      try environment.commitPayload(query, data: bytes)
      return environment.retain(query)
    } before: { environment in
      try environment.commitPayload(query, data: payload(count / 2))
    }
    print(
      "MEMORY bytes_per_row=\(linked.bytes / count) freed_percent=\(linked.percent)",
      "freed_unlinked_percent=\(unlinked.percent)")
  }

  /// - Parameters:
  ///   - fill: Fills the store, and retains the operation of the records to keep.
  ///   - before: Runs after the memory of the full store is measured and before the collection.
  /// - Returns: The bytes of the full store, and the percentage that the collection frees.
  private func freed(
    _ fill: (RelayEnvironment) throws -> Retention, before: (RelayEnvironment) throws -> Void
  ) throws -> (bytes: Int, percent: Int) {
    let start = Int(allocated_bytes())
    let environment = environment()
    let retention = try fill(environment)
    let full = Int(allocated_bytes()) - start
    try before(environment)
    environment.store.collectGarbage()
    let left = Int(allocated_bytes()) - start
    retention.release()
    return (full, 100 * (full - left) / full)
  }

  enum Unexpected: Error {
    case noData, calls
    case notCollected(Int)
  }
}

/// A counter of observer calls, with the last value.
///
/// Unchecked: the benchmark commits on one thread at a time, and observers are called on the
/// committing thread.
final class Counter: @unchecked Sendable {
  private(set) var calls = 0
  private(set) var last = 0

  func add(_ value: Int) {
    calls += 1
    last = value
  }
}
