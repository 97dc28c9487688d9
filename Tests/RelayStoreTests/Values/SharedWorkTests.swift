import Dispatch
import RelayStoreTesting
import SeededRandom
import Testing

@testable import RelayStore

@Suite("Shared work", .timeLimit(.minutes(1)))
struct SharedWorkTests {
  private let begun = Locked(0)
  private let gate = Gate()

  /// Returns work that counts its starts, and ends when the gate opens.
  private func work(_ abandoned: Locked<Int> = Locked(0)) -> SharedWork<Int> {
    SharedWork(onAbandon: { abandoned.count($0) }) { [begun, gate] in
      begun.withLock { $0 += 1 }
      try await gate.wait()
      return 7
    }
  }

  private var beginnings: Int { begun.withLock { $0 } }

  @Test("the first caller starts the work, once for all callers")
  func once() async throws {
    let work = work()
    #expect(beginnings == 0)
    let outcomes = Locked<[Int]>([])
    let place = work.join { outcome in
      if case .success(let value) = outcome { outcomes.withLock { $0.append(value) } }
    }
    let waiting = (0..<3).map { _ in Task { try await work.value() } }
    try await gate.arrivals(1)
    gate.open()
    for task in waiting { #expect(try await task.value == 7) }
    #expect(place != nil && beginnings == 1 && outcomes.withLock { $0 } == [7])
    #expect(try await work.value() == 7)
  }

  @Test("sealed work keeps callers that leave, and gives them its outcome")
  func sealed() async throws {
    let abandoned = Locked(0)
    let box = Locked<SharedWork<Int>?>(nil)
    let work = SharedWork(onAbandon: { abandoned.count($0) }) { [gate] in
      let isSealed = box.withLock { $0 }?.seal()
      try await gate.wait()
      return isSealed == true ? 7 : 0
    }
    box.withLock { $0 = work }
    #expect(!work.seal() && !work.isSealed)
    let waiting = Task { try await work.value() }
    try await gate.arrivals(1)
    let caller = try #require(work.join { _ in })
    waiting.cancel()
    #expect(work.isSealed && !work.leave(caller))
    gate.open()
    #expect(try await waiting.value == 7)
    #expect(!work.isSealed && abandoned.withLock { $0 } == 0)
    box.withLock { $0 = nil }
  }

  @Test("abandoned or cancelled work cannot be sealed")
  func unsealable() async throws {
    let box = Locked<SharedWork<Int>?>(nil)
    let outcomes = Locked<[Bool]>([])
    for isAbandoned in [true, false] {
      let (begun, gate) = (Gate(), Gate())
      let work = SharedWork {
        begun.open()
        await Task { try? await gate.wait() }.value
        let isSealed = box.withLock { $0 }?.seal() ?? true
        outcomes.withLock { $0.append(isSealed) }
        return 7
      }
      box.withLock { $0 = work }
      let caller = try #require(work.join { _ in })
      try await begun.wait()
      if isAbandoned { #expect(work.leave(caller)) } else { work.cancel() }
      let count = outcomes.withLock { $0.count }
      gate.open()
      try await eventually {
        outcomes.withLock { $0.count }
      } is: {
        $0 != count
      }
    }
    #expect(outcomes.withLock { $0 } == [false, false])
    box.withLock { $0 = nil }
  }

  @Test("a caller that exceeds its time limit gets the limit's error; the others keep waiting")
  func timeLimit() async throws {
    struct TooLate: Error {}
    let work = work()
    let limit = Gate()
    let late = Task {
      try await work.value(within: {
        try? await limit.wait()
        return TooLate()
      })
    }
    let patient = Task { try await work.value() }
    try await limit.arrivals(1)
    try await gate.arrivals(1)
    try await eventually {
      beginnings
    } is: {
      $0 > 0
    }
    limit.open()
    await #expect(throws: TooLate.self) { try await late.value }
    gate.open()
    #expect(try await patient.value == 7)
  }

  @Test("a time limit that ends after the first value has no effect")
  func answeredInTime() async throws {
    struct TooLate: Error {}
    let box = Locked<SharedWork<Int>?>(nil)
    let (limit, sealed, answered) = (Gate(), Gate(), Gate())
    let work = SharedWork(onUnseal: { answered.open() }) { [gate] in
      let work = box.withLock { $0 }
      _ = work?.seal()
      try await sealed.wait()
      work?.resume(with: 1)
      try await gate.wait()
      return 7
    }
    box.withLock { $0 = work }
    let caller = Task {
      try await work.value(within: {
        await Task { try? await limit.wait() }.value
        return TooLate()
      })
    }
    try await limit.arrivals(1)
    sealed.open()
    try await answered.wait()
    limit.open()
    let late = Task { try await work.value(within: { TooLate() }) }
    // The limits' tasks end here, and would call back.
    for _ in 0..<1_000 { await Task.yield() }
    gate.open()
    #expect(try await caller.value == 7)
    #expect(try await late.value == 7)
    box.withLock { $0 = nil }
  }

  @available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *)
  @Test("work that does not suspend ends on the thread of its first caller")
  func atOnce() async throws {
    let thread = Locked<ThreadIdentity?>(nil)
    let work = SharedWork { thread.withLock { $0 = .current } }
    let isSame = try await Task {
      let before = ThreadIdentity.current
      _ = try await work.value()
      return thread.withLock { $0 } == before
    }.value
    #expect(isSame)
  }

  @Test("the work is cancelled when its last caller leaves, and later callers get nil")
  func abandoned() async throws {
    let count = Locked(0)
    let work = work(count)
    let first = Task { try await work.value() }
    try await gate.arrivals(1)
    let place = try #require(work.join { _ in })
    first.cancel()
    await #expect(throws: CancellationError.self) { try await first.value }
    #expect(count.withLock { $0 } == 0)
    #expect(work.leave(place) && !work.leave(place))
    #expect(count.withLock { $0 } == 1)
    #expect(try await work.value() == nil)
    #expect(work.join { _ in } == nil)
  }

  /// How the work of a caller with a delivery ends.
  enum End: CaseIterable {
    case atOnce, later, abandoned, cancelledFirst
  }

  @Test(
    "a caller's delivery pauses while it waits, and counts again before the work is over",
    arguments: End.allCases)
  func delivery(_ end: End) async throws {
    for _ in 0..<50 {
      let deliveries = PendingDeliveries()
      let delivery = OutcomeDelivery(in: deliveries, isInFlight: true)
      let (isPaused, isCounted) = (Locked<[Bool]>([]), Locked<[Bool]>([]))
      let gate = Gate()
      let work = SharedWork(
        onAbandon: { callBack in
          callBack()
          isCounted.withLock { $0.append(!deliveries.isEmpty) }
        }, onEnd: { if end != .abandoned { isCounted.withLock { $0.append(!deliveries.isEmpty) } } }
      ) {
        isPaused.withLock { $0.append(deliveries.isEmpty) }
        if end == .later { await Task.yield() }
        if end == .abandoned { try await gate.wait() }
        return 7
      }
      let caller = Task {
        if end == .cancelledFirst { withUnsafeCurrentTask { $0?.cancel() } }
        let value = try? await work.value(delivery: delivery)
        #expect(!deliveries.isEmpty)
        delivery.end()
        return value
      }
      if end == .abandoned {
        try await gate.arrivals(1)
        caller.cancel()
      }
      #expect(await caller.value == (end == .atOnce || end == .later ? 7 : nil))
      try await eventually([true]) { isCounted.withLock { $0 } }
      #expect(isPaused.withLock { $0 } == (end == .cancelledFirst ? [] : [true]))
      #expect(deliveries.isEmpty)
    }
  }

  @Test("work that is cancelled before the first caller never starts")
  func notStarted() async throws {
    let work = work()
    work.cancel()
    await #expect(throws: CancellationError.self) { try await work.value() }
    #expect(beginnings == 0)
  }

  @Test("cancelling the work ends every wait, even if the work ignores cancellation")
  func cancelled() async throws {
    let work = SharedWork { [gate] in
      // An unstructured task does not inherit the cancellation.
      await Task { try? await gate.wait() }.value
    }
    let waiting = Task { try await work.value() }
    try await gate.arrivals(1)
    work.cancel()
    await #expect(throws: CancellationError.self) { try await waiting.value }
    gate.open()
  }

  @Test("a task that is already cancelled does not wait")
  func late() async throws {
    let count = Locked(0)
    let work = work(count)
    let waiting = Task {
      withUnsafeCurrentTask { $0?.cancel() }
      return try await work.value()
    }
    await #expect(throws: CancellationError.self) { try await waiting.value }
    #expect(count.withLock { $0 } == 1 && beginnings == 0)
  }

  @Test("concurrent callers get the value unless they are cancelled")
  func concurrentCallers() async throws {
    let begun = Locked(0)
    let ended = Locked(0)
    let abandoned = Locked(0)
    let make: @Sendable () -> SharedWork<Int> = {
      SharedWork(onAbandon: { abandoned.count($0) }) {
        begun.withLock { $0 += 1 }
        defer { ended.withLock { $0 += 1 } }
        for _ in 0..<3 { await Task.yield() }
        try Task.checkCancellation()
        return 7
      }
    }
    var random = SeededGenerator(seed: 3)
    var made = 0
    for _ in 0..<300 {
      let current = Locked((work: make(), count: 1))
      let tasks = (0..<6).map { _ in
        Task {
          while true {
            let work = current.withLock { $0.work }
            if let value = try await work.value() { return value }
            current.withLock { if $0.work === work { $0 = (make(), $0.count + 1) } }
          }
        }
      }
      let leaving = tasks.filter { _ in Bool.random(using: &random) }
      let place = current.withLock { $0.work }.join { _ in }
      for task in leaving {
        for _ in 0..<max(0, Int.random(in: -6..<4, using: &random)) { await Task.yield() }
        task.cancel()
      }
      if let place, Bool.random(using: &random) { current.withLock { $0.work }.leave(place) }
      for task in tasks {
        if leaving.contains(task) {
          _ = try? await task.value
        } else {
          #expect(try await task.value == 7)
        }
      }
      made += current.withLock { $0.count }
    }
    try await eventually(0) { begun.withLock { $0 } - ended.withLock { $0 } }
    let (beginnings, left) = (begun.withLock { $0 }, abandoned.withLock { $0 })
    print("Shared work: \(made) made, \(beginnings) begun, \(left) abandoned.")
    #expect(beginnings <= made && left > 0)
  }

  @Test("callers on several threads are called back once each, unless they have left")
  func threads() async throws {
    let (calls, lefts, misses, abandoned) = (Locked(0), Locked(0), Locked(0), Locked(0))
    let rounds = 2_000
    for round in 0..<rounds {
      let work = SharedWork(onAbandon: { abandoned.count($0) }) { round }
      DispatchQueue.concurrentPerform(iterations: 4) { number in
        guard let place = work.join({ _ in calls.withLock { $0 += 1 } }) else {
          return misses.withLock { $0 += 1 }
        }
        if (number + round) % 4 > 1, work.leave(place) { lefts.withLock { $0 += 1 } }
        if number == 3, round % 7 == 0 { work.cancel() }
      }
      _ = try? await work.value()
    }
    let left = lefts.withLock { $0 } + misses.withLock { $0 }
    try await eventually {
      calls.withLock { $0 }
    } is: {
      $0 + left >= 4 * rounds
    }
    print(
      "Shared work of threads: \(left) left or came late, \(abandoned.withLock { $0 }) abandoned.")
    #expect(calls.withLock { $0 } + left == 4 * rounds && left < 4 * rounds)
  }

  @Test("work that runs without callers is not started by a cancelled task, but by the next caller")
  func next() async throws {
    gate.open()
    let work = SharedWork(runsWithoutCallers: true) { [begun] in begun.withLock { $0 += 1 } }
    let late = Task {
      withUnsafeCurrentTask { $0?.cancel() }
      return try await work.value()
    }
    await #expect(throws: CancellationError.self) { try await late.value }
    #expect(beginnings == 0)
    #expect(try await work.value() != nil)
    #expect(beginnings == 1)
  }
}

extension Locked<Int> {
  /// Counts work that was abandoned.
  fileprivate func count(_ callBack: () -> Void) {
    withLock { $0 += 1 }
    callBack()
  }
}
