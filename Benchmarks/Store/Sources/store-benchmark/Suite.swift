import Allocations
import RelayStore

/// The cases, each on a store of its own.
struct Suite {
  let count: Int
  let bytes: [UInt8]
  private var query: ItemsQuery { ItemsQuery(first: count) }
  /// How often the cases that take microseconds are repeated for one sample.
  private let repeats = 50

  init(count: Int, bytes: [UInt8]) {
    self.count = count
    self.bytes = bytes
  }

  private func environment() -> RelayEnvironment {
    RelayEnvironment(
      store: RecordStore(configuration: .init(releaseBufferSize: 0, garbageCollection: .manual)),
      transport: NoTransport())
  }

  private func filled() throws -> RelayEnvironment {
    let environment = environment()
    try environment.commitPayload(query, json: bytes)
    return environment
  }

  /// Runs every case once, or the one that is named.
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

  /// The commit of a process that has done nothing else.
  func first() throws {
    let environment = environment()
    Samples.isPrinting = true
    try Samples.measure("commit_first_call") { try environment.commitPayload(query, json: bytes) }
  }

  private func commit() throws {
    let environment = environment()
    try Samples.measure("commit_cold") { try environment.commitPayload(query, json: bytes) }
    try Samples.measure("commit_same") { try environment.commitPayload(query, json: bytes) }
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

  /// Every scalar of every row.
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
    let observation = environment.observe(query) { snapshot in
      seen.add(snapshot.data?.items[7].score ?? 0)
    }
    try Samples.measure("list_observer_one_change", times: repeats) {
      for round in 0..<repeats { try set(7, 1000 + round, in: environment) }
    }
    guard seen.calls == repeats, seen.last == 1000 + repeats - 1 else { throw Unexpected.calls }
    observation.cancel()
  }

  private func set(_ item: Int, _ score: Int, in environment: RelayEnvironment) throws {
    try environment.commitPayload(ItemQuery(id: "item:\(item)"), json: change(item, score: score))
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

  /// A commit of one more argument set of a root field that has so many.
  private func argumentSets(_ number: Int) throws {
    let environment = environment()
    for item in 0..<number { try set(item, item, in: environment) }
    let news = (number..<number + repeats).map { item in
      (ItemQuery(id: "item:\(item)"), change(item, score: item))
    }
    try Samples.measure("commit_at_\(number)_arguments", times: repeats) {
      for (query, bytes) in news { try environment.commitPayload(query, json: bytes) }
    }
  }

  private func collect() throws {
    let environment = environment()
    let half = ItemsQuery(first: count / 2)
    try environment.commitPayload(half, json: payload(count / 2))
    let retention = environment.retain(half)
    try environment.commitPayload(query, json: bytes)
    let report = Samples.measure("gc_half") { environment.store.collectGarbage() }
    guard report.collected >= count / 2 - 100 else {
      throw Unexpected.notCollected(report.collected)
    }
    retention.release()
  }

  /// The longest slice of a collection of half of the records, as it goes by itself.
  private func collectInSlices() throws {
    let environment = environment()
    let half = ItemsQuery(first: count / 2)
    try environment.commitPayload(half, json: payload(count / 2))
    let retention = environment.retain(half)
    let other = environment.retain(query)
    try environment.commitPayload(query, json: bytes)
    other.release()
    var (longest, isMore): (UInt64, Bool) = (0, environment.store.garbageCollector.isPending)
    guard isMore else { throw Unexpected.notCollected(0) }
    while isMore {
      let start = Samples.now
      isMore = environment.store.garbageCollector.step(records: 1_000)
      longest = max(longest, Samples.now - start)
    }
    Samples.note("gc_longest_slice", longest)
    retention.release()
  }

  /// Bytes for each row, and what a collection of half of them frees: where a list that is kept still
  /// links to them, so that their ids are kept; and where it was read again and is shorter.
  func memory() throws {
    // What every store has, and what the first use of anything takes, is not counted.
    try set(1, 1, in: environment())
    let half = ItemsQuery(first: count / 2)
    let linked = try freed { environment in
      try environment.commitPayload(half, json: payload(count / 2))
      try environment.commitPayload(query, json: bytes)
      return environment.retain(half)
    } before: { _ in
    }
    let unlinked = try freed { environment in
      try environment.commitPayload(query, json: bytes)
      return environment.retain(query)
    } before: { environment in
      try environment.commitPayload(query, json: payload(count / 2))
    }
    print(
      "MEMORY bytes_per_row=\(linked.bytes / count) freed_percent=\(linked.percent)",
      "freed_unlinked_percent=\(unlinked.percent)")
  }

  /// - Parameters:
  ///   - fill: Fills the store and keeps half of what is in it.
  ///   - before: What happens between measuring how much that is and collecting.
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

/// Counts the calls of observers.
final class Counter: @unchecked Sendable {
  // Used by one thread only: observers are called by the thread that commits.
  private(set) var calls = 0
  private(set) var last = 0

  func add(_ value: Int) {
    calls += 1
    last = value
  }
}
