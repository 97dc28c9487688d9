// Measures reads during commits, and prints a line for each case:
//     readers-benchmark hitch ITEMS KIND OBSERVERS COMMITS
//         reads one row on the main thread every millisecond while another thread commits the
//         response of ITEMS items COMMITS times; its KIND is same, changed or new
//     readers-benchmark scale THREADS same|disjoint SECONDS
//         reads lists of 50 rows on THREADS threads, from one list or from one each
import Foundation
import Measuring
import RelayStore

let arguments = CommandLine.arguments

/// A value that threads share.
final class Shared<Value>: @unchecked Sendable {
  private var value: Value
  private let lock = NSLock()

  init(_ value: Value) { self.value = value }

  func with<Result>(_ body: (inout Value) -> Result) -> Result { lock.withLock { body(&value) } }
}

func start(_ body: @escaping @Sendable () -> Void) -> Shared<Bool> {
  let isDone = Shared(false)
  let thread = Thread {
    body()
    isDone.with { $0 = true }
  }
  thread.start()
  return isDone
}

func environment() -> RelayEnvironment {
  RelayEnvironment(
    store: RecordStore(configuration: .init(releaseBufferSize: 0, garbageCollection: .manual)),
    transport: NoTransport())
}

/// The data of a response with items whose ids start at a number.
func response(_ count: Int, from first: Int = 0, adding added: Int = 0) -> [UInt8] {
  let items = (first..<first + count).map { n in
    """
    {"id":"item:\(n)","__typename":"Item","name":"Item number \(n)","score":\(n % 1000 + added),\
    "done":\(n % 3 == 0),"author":{"id":"author:\(first + n % 100)","__typename":"Author",\
    "name":"Author number \(n % 100)"}}
    """
  }
  return Array("{\"items\":[\(items.joined(separator: ","))]}".utf8)
}

func hitch(_ count: Int, _ kind: String, observers: Int, commits: Int) throws {
  let environment = environment()
  let query = ItemsQuery(first: count)
  try environment.commitPayload(query, data: response(count))
  let retention = environment.retain(query)
  let calls = Shared(0)
  let observations = (0..<observers).map { item in
    environment.observe(FragmentRef<ItemRow>(id: DataID("item:\(item)"))) { _ in
      calls.with { $0 += 1 }
    }
  }
  let responses = (1...commits).map { number in
    switch kind {
    case "same": response(count)
    case "changed": response(count, adding: number)
    default: response(count, from: number * count)
    }
  }
  let times = Shared<[UInt64]>([])
  let isDone = start {
    for bytes in responses {
      let start = Samples.wall
      do { try environment.commitPayload(query, data: bytes) } catch { print(error) }
      times.with { $0.append(Samples.wall - start) }
    }
  }
  var waits: [UInt64] = []
  let reference = FragmentRef<ItemRow>(id: "item:7")
  while !isDone.with({ $0 }) {
    let start = Samples.wall
    guard environment.read(reference).data != nil else { return print("No data.") }
    waits.append(Samples.wall - start)
    usleep(1_000)
  }
  waits.sort()
  func quantile(_ share: Double) -> Double {
    Double(waits[min(waits.count - 1, Int(Double(waits.count) * share))]) / 1e6
  }
  let lost = [1e9 / 60, 1e9 / 120].map { frame in waits.count { Double($0) > frame } }
  let commit = times.with { $0.sorted() }
  print(
    "HITCH items=\(count) kind=\(kind) observers=\(observers) reads=\(waits.count)",
    "p50_ms=\(quantile(0.5)) p99_ms=\(quantile(0.99)) p999_ms=\(quantile(0.999))",
    "max_ms=\(quantile(1)) lost60=\(lost[0]) lost120=\(lost[1]) commits=\(commit.count)",
    "commit_ms=\(Double(commit[commit.count / 2]) / 1e6) calls=\(calls.with { $0 })")
  observations.forEach { $0.cancel() }
  retention.release()
}

func scale(_ threads: Int, isDisjoint: Bool, seconds: Double) throws {
  let environment = environment()
  let queries = (0..<threads).map { ItemsQuery(first: 50 + (isDisjoint ? $0 : 0)) }
  for (number, query) in queries.enumerated() {
    try environment.commitPayload(
      query, data: response(50, from: isDisjoint ? number * 1_000 : 0))
  }
  let counts = Shared(0)
  let end = Samples.wall + UInt64(seconds * 1e9)
  let runs = queries.map { query in
    start {
      var reads = 0
      while Samples.wall < end {
        for _ in 0..<100 where environment.read(query).data != nil { reads += 1 }
      }
      counts.with { $0 += reads }
    }
  }
  while !runs.allSatisfy({ $0.with { $0 } }) { usleep(10_000) }
  let rate = Double(counts.with { $0 }) / seconds
  print("SCALE threads=\(threads) disjoint=\(isDisjoint) reads_per_second=\(Int(rate))")
}

switch arguments.dropFirst().first {
case "hitch" where arguments.count > 5:
  try hitch(
    Int(arguments[2]) ?? 1, arguments[3], observers: Int(arguments[4]) ?? 0,
    commits: Int(arguments[5]) ?? 1)
case "scale" where arguments.count > 4:
  try scale(
    Int(arguments[2]) ?? 1, isDisjoint: arguments[3] == "disjoint",
    seconds: Double(arguments[4]) ?? 1)
default:
  print("usage: readers-benchmark hitch ITEMS KIND OBSERVERS COMMITS | scale THREADS KIND SECONDS")
  exit(2)
}
