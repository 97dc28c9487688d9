import Testing

@testable import RelayNetwork
@testable import RelayStore

@Suite("The liveness of streams", .timeLimit(.minutes(1)))
struct StreamLivenessTests {
  /// A sign of life at a time, in seconds.
  private enum Sign {
    case heartbeat(Int)
    case event(Int)
  }

  /// Returns the time when a server counts as dead after some signs of life; `nil` if it never
  /// does.
  private func death(after signs: [Sign]) -> Int? {
    var liveness = StreamLiveness(at: .zero)
    var last = 0
    for sign in signs {
      switch sign {
      case .heartbeat(let time):
        liveness.heartbeat(at: .seconds(time))
        last = time
      case .event(let time): last = time
      }
      liveness.isBusy = true
      liveness.received(at: .seconds(last))
    }
    return (last...last + 10_000).first { liveness.timeLeft(at: .seconds($0)) <= .zero }
  }

  @Test("without two heartbeats a server never counts as dead")
  func never() {
    #expect(death(after: []) == nil)
    #expect(death(after: [.event(5), .heartbeat(30), .event(40)]) == nil)
  }

  @Test("a server counts as dead after twice the longest silence between two heartbeats")
  func silence() {
    #expect(death(after: [.heartbeat(0), .heartbeat(12)]) == 12 + 24)
    #expect(death(after: [.heartbeat(0), .heartbeat(12), .heartbeat(32)]) == 32 + 40)
    #expect(death(after: [.heartbeat(0), .heartbeat(20), .heartbeat(32)]) == 32 + 40)
    #expect(death(after: [.heartbeat(0), .heartbeat(1), .heartbeat(2)]) == 2 + 10)
  }

  @Test("heartbeats at fixed times between events count as if there were no events")
  func busy() {
    let events = (1...60).map { $0 % 15 == 0 ? Sign.heartbeat($0) : .event($0) }
    #expect(death(after: events) == 60 + 30)
  }

  @Test("heartbeats of an idle server count without the events between them")
  func idle() {
    let events = (0..<600).map { Sign.event($0) }
    #expect(
      death(after: [.heartbeat(0)] + events + [.heartbeat(614), .heartbeat(629)]) == 629 + 30)
  }

  @Test("heartbeats that arrive together do not shorten the silence")
  func burst() {
    let events = (1...60).map { $0 % 15 == 0 ? Sign.heartbeat($0) : .event($0) }
    #expect(
      death(after: events + [.heartbeat(100), .heartbeat(100), .heartbeat(100)]) == 100 + 80)
    #expect(death(after: [.heartbeat(0), .heartbeat(0), .heartbeat(0), .event(5)]) == nil)
    #expect(death(after: [.heartbeat(0), .heartbeat(0), .event(3), .heartbeat(15)]) == 15 + 30)
  }

  @Test("a server does not count as dead while an event is processed")
  func processing() {
    var liveness = StreamLiveness(at: .zero)
    liveness.heartbeat(at: .zero)
    liveness.heartbeat(at: .seconds(12))
    liveness.isBusy = true
    #expect(liveness.timeLeft(at: .seconds(1_000)) == StreamLiveness.shortest)
    liveness.received(at: .seconds(1_000))
    #expect(liveness.timeLeft(at: .seconds(1_001)) == .seconds(23))
  }
}
