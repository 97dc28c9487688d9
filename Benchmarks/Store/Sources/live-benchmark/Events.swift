import Foundation
import Measuring
import RelayLive
import RelayStore
import Synchronization

/// The measurement of subscriptions over one WebSocket, from the bytes of the socket to the
/// consumers. The server sends as fast as it can.
struct Events {
  let url: URL
  let subscriptions: Int
  let duration: Duration

  /// The events received up to one point in time.
  private struct Mark {
    var time = ContinuousClock.now
    var cpu = Samples.processNow
    var events = 0
    var residentBytes = 0
  }

  /// The maximum number of events waiting for a consumer. On a busy machine, the consumer's task
  /// may have to wait for its turn.
  private static let waitingLimit = 100_000

  /// Receives events for the duration. Prints their rate, their CPU time, and the resident memory
  /// after a fifth of the time and at the end.
  func run() async throws {
    let environment = RelayEnvironment(transport: WebSocketTransport(url: url))
    let count = EventCount()
    let consumers = (0..<subscriptions).map { number in
      Task {
        let subscription = ChangedSubscription(id: "r:\(number)")
        let events = environment.subscribe(
          to: subscription, buffering: .all(limit: Self.waitingLimit))
        for try await event in events {
          guard let data = event.data else { continue }
          count.add(isValid: data.changed.a >= 0)
        }
      }
    }
    while count.value == 0 { try await Task.sleep(for: .milliseconds(1)) }
    // The first events warm up.
    try await Task.sleep(for: duration / 20)
    let start = mark(count)
    try await Task.sleep(for: duration / 5)
    let early = mark(count)
    try await Task.sleep(for: duration * 4 / 5)
    let end = mark(count)
    for consumer in consumers { consumer.cancel() }
    for consumer in consumers { try await consumer.value }
    try report(from: start, early: early, to: end, environment.store.statistics.records)
  }

  private func mark(_ count: EventCount) -> Mark {
    Mark(events: count.value, residentBytes: residentBytes())
  }

  private func report(from start: Mark, early: Mark, to end: Mark, _ records: Int) throws {
    let events = end.events - start.events
    guard events > 0 else { throw Unexpected.noEvents }
    let seconds = (end.time - start.time) / .seconds(1)
    print(
      "EVENTS subscriptions=\(subscriptions) count=\(events)",
      "per_second=\(Int(Double(events) / seconds))",
      "cpu_ns=\((end.cpu - start.cpu) / UInt64(events)) early_bytes=\(early.residentBytes)",
      "bytes=\(end.residentBytes) records=\(records)")
  }

  /// The resident memory of the process; 0 without `/proc`.
  private func residentBytes() -> Int {
    let text = (try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8)) ?? ""
    let pages = text.split(separator: " ").dropFirst().first.flatMap { Int($0) }
    return (pages ?? 0) * Int(sysconf(Int32(_SC_PAGESIZE)))
  }
}

/// The number of events that the consumers have received.
private final class EventCount: Sendable {
  private let count = Atomic(0)

  var value: Int { count.load(ordering: .relaxed) }

  func add(isValid: Bool) { if isValid { count.add(1, ordering: .relaxed) } }
}
