/// A query's answer, written and read.
struct FetchedData: Sendable {
  var row: RowSnapshot
  /// Empty where the server was not asked.
  var response = NormalizedResponse()
}

/// One request of a query that is on its way, and all who wait for it.
final class SharedRequest: Sendable {
  let number: UInt64
  /// How often everything had been reset when it began; what it brings is of no account after another reset.
  let resets: UInt64
  let work: SharedWork<FetchedData>

  init(number: UInt64, resets: UInt64, work: SharedWork<FetchedData>) {
    self.number = number
    self.resets = resets
    self.work = work
  }
}

/// An operation that waits for its response.
public struct PendingOperation: Sendable, Hashable {
  /// The operation's name.
  public let name: String
  /// Whether it reads or changes.
  public let kind: OperationKind
  /// Its variables, with their defaults.
  public let variables: JSONObject
}

/// The operations that wait for their response.
final class RequestTable: Sendable {
  /// One operation on its way.
  struct Pending {
    let request: OperationRequest
    let kind: OperationKind
    /// The optimistic update that is shown for it.
    let update: UInt64?
  }

  private struct Entry {
    let pending: Pending
    let hold: RequestHold
    let cancel: @Sendable () -> Void
    var flight: SharedRequest?

    var identity: RequestIdentity { pending.request.identity }
  }

  /// What listeners are called for.
  enum Event {
    /// A request has begun or ended.
    case request
    /// Everything was reset.
    case reset
  }

  private struct State {
    var entries: [UInt64: Entry] = [:]
    /// The requests that further callers join.
    var shared: [RequestIdentity: UInt64] = [:]
    /// Those whose response is being written: the next that is heard of them is their end.
    var landing: Set<UInt64> = []
    /// The newest request of each identity whose response was written, while others are on their way.
    var written: [RequestIdentity: UInt64] = [:]
    var last: UInt64 = 0
    var listeners: [UInt64: (event: Event, body: @Sendable () -> Void)] = [:]
    var lastListener: UInt64 = 0
    /// How often everything was cancelled for good, and the last request before that.
    var resets: UInt64 = 0
    var lastBeforeReset: UInt64 = 0
  }

  private let state = Locked(State())
  /// Held while a response is written, so that they are written one after the other; within a batch, so
  /// that nobody is told meanwhile. Updaters run then: nothing but writing may wait for it.
  private let turn = Lock()
  /// Counts the requests that have ended while those who wait for them are called back.
  private let deliveries: PendingDeliveries

  init(_ deliveries: PendingDeliveries = PendingDeliveries()) { self.deliveries = deliveries }

  var count: Int { state.withLock { $0.entries.count } }

  /// Whether such a request is on its way.
  func contains(_ identity: RequestIdentity) -> Bool {
    state.withLock { $0.entries.values.contains { $0.identity == identity } }
  }

  /// Whether the response of a request is being written, so that its end is told at once after that.
  func isLanding(_ number: UInt64) -> Bool { state.withLock { $0.landing.contains(number) } }

  /// What is on its way, the oldest first.
  var pending: [Pending] { sortedEntries.map(\.pending) }

  /// What is in flight, the oldest first, and whether each waits for the test that runs it.
  var held: [(pending: Pending, isHeld: Bool)] {
    sortedEntries.map { ($0.pending, $0.hold.isHeld) }
  }

  private var sortedEntries: [Entry] {
    state.withLock { state in state.entries.sorted { $0.key < $1.key }.map(\.value) }
  }

  /// A request of a query: the one on its way, or a new one, which is sent once someone waits for it.
  ///
  /// - Parameters:
  ///   - isShared: Whether others may wait for the same.
  ///   - left: One that nobody waits for any more, not to be given again.
  ///   - send: Sends it; gets its number and its hold.
  func flight(
    for request: OperationRequest, isShared: Bool, leaving left: SharedRequest?,
    send: @escaping @Sendable (UInt64, RequestHold) async throws -> FetchedData
  ) -> SharedRequest {
    let (flight, isNew) = state.withLock { state in
      if isShared, let number = state.shared[request.identity], number != left?.number,
        let flight = state.entries[number]?.flight
      {
        return (flight, false)
      }
      state.last += 1
      let number = state.last
      let hold = RequestHold()
      let work = SharedWork(
        onAbandon: { [self] in remove(number) }, onEnd: { [deliveries] in deliveries.end() }
      ) { [self] in
        defer {
          deliveries.begin()
          remove(number)
        }
        return try await send(number, hold)
      }
      let flight = SharedRequest(number: number, resets: state.resets, work: work)
      state.entries[number] = Entry(
        pending: Pending(request: request, kind: .query, update: nil), hold: hold,
        cancel: { work.cancel() }, flight: flight)
      if isShared { state.shared[request.identity] = number }
      return (flight, true)
    }
    if isNew { tellListeners() }
    return flight
  }

  /// Enters a mutation for as long as it is on its way.
  ///
  /// - Parameter update: The optimistic update that is shown for it.
  func add(
    _ request: OperationRequest, update: UInt64?, hold: RequestHold,
    cancel: @escaping @Sendable () -> Void
  ) -> UInt64 {
    let number = state.withLock { state in
      state.last += 1
      state.entries[state.last] = Entry(
        pending: Pending(request: request, kind: .mutation, update: update), hold: hold,
        cancel: cancel)
      return state.last
    }
    tellListeners()
    return number
  }

  /// Takes out a request that has ended; an updater may do so, by letting go of the last who waits for it.
  func remove(_ number: UInt64) {
    // What it holds is let go of while nothing is locked.
    let ended = state.withLock { state -> Entry? in
      state.landing.remove(number)
      guard let entry = state.entries.removeValue(forKey: number) else { return nil }
      let identity = entry.identity
      if state.shared[identity] == number { state.shared[identity] = nil }
      let isLast = !state.entries.values.contains { $0.identity == identity }
      // One that begins later is newer than all that were written.
      if isLast { state.written[identity] = nil }
      return entry
    }
    if ended != nil { tellListeners() }
  }

  // MARK: Listeners

  /// Calls a closure at each event until it is taken away: on the thread of the event, which may be an updater's.
  func listen(to event: Event, _ body: @escaping @Sendable () -> Void) -> UInt64 {
    state.withLock { state in
      state.lastListener += 1
      state.listeners[state.lastListener] = (event, body)
      return state.lastListener
    }
  }

  /// Takes a listener away.
  func stopListening(_ number: UInt64) {
    // What it holds is let go of while nothing is locked.
    _ = state.withLock { $0.listeners.removeValue(forKey: number) }
  }

  /// How many want to be told.
  var listenerCount: Int { state.withLock { $0.listeners.count } }

  private func tellListeners(of event: Event = .request) {
    let listeners = state.withLock { state in
      state.listeners.isEmpty ? [] : state.listeners.sorted { $0.key < $1.key }.map(\.value)
    }
    for listener in listeners where listener.event == event { listener.body() }
  }

  // MARK: Resetting

  /// Does something now, or soon where this thread is writing a response: what the store logs of that is told while
  /// others wait for their turn.
  func afterUpdater(_ body: @escaping @Sendable () -> Void) {
    guard turn.isHeldByThisThread else { return body() }
    Task.detached { body() }
  }

  /// Goes on by another thread where this one is writing a response: what the store logs of that may begin a task that
  /// runs at once, and nothing that task writes could wait for its turn.
  func leaveTurn() async {
    if turn.isHeldByThisThread { await Task.yield() }
  }

  /// How often ``reset(_:_:)`` was called.
  var resets: UInt64 { state.withLock { $0.resets } }

  /// Cancels everything that is on its way, and sees to it that no response to it is written after this.
  ///
  /// - Parameter body: What is to happen before any later response is written.
  func reset(_ store: RecordStore, _ body: () -> Void) throws {
    let cancels = try store.batch {
      turn.withLock {
        let entries = state.withLock { state in
          state.resets += 1
          state.lastBeforeReset = state.last
          (state.shared, state.landing, state.written) = ([:], [], [:])
          defer { state.entries = [:] }
          return state.entries
        }
        body()
        return entries.sorted { $0.key < $1.key }.map(\.value.cancel)
      }
    }
    tellListeners(of: .reset)
    for cancel in cancels { cancel() }
    tellListeners()
  }

  /// Writes the response of a mutation.
  ///
  /// - Returns: What the closure returned; `nil` when there was a reset since it was entered, and nothing was written.
  func write<Result: Sendable>(
    _ number: UInt64, in store: RecordStore, _ body: () throws -> Result
  ) throws -> Result? {
    try store.batch {
      try turn.withLock {
        state.withLock { $0.lastBeforeReset >= number } ? nil : try body()
      }
    }
  }

  /// Writes the response of a request, unless that of a newer one of the same identity was written
  /// before.
  func write<Result: Sendable>(
    _ number: UInt64, _ identity: RequestIdentity, in store: RecordStore,
    _ body: (_ isOvertaken: Bool) throws -> Result
  ) throws -> Result {
    state.withLock { state in
      if state.entries[number] != nil { state.landing.insert(number) }
    }
    return try store.batch {
      try turn.withLock {
        let isOvertaken = try state.withLock { state -> Bool in
          if state.lastBeforeReset >= number { throw CancellationError() }
          let isOvertaken = (state.written[identity] ?? 0) > number
          if !isOvertaken { state.written[identity] = number }
          return isOvertaken
        }
        return try body(isOvertaken)
      }
    }
  }
}
