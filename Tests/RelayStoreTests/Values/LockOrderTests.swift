#if DEBUG
  import Testing

  import RelayStore

  @Suite("Lock order", .timeLimit(.minutes(1)))
  struct LockOrderTests {
    @Test("a thread may only acquire locks of a higher rank, and several stores")
    func ranks() {
      var held = HeldLocks()
      #expect(held.violation(taking: .leaf) == nil)
      held.push(.load)
      #expect(held.violation(taking: .executions) == nil)
      #expect(
        held.violation(taking: .store)
          == "Lock order: the store was locked by a thread that holds the lock of a load.")
      #expect(
        held.violation(taking: .load)
          == "Lock order: a load was locked by a thread that holds the lock of a load.")
      held.push(.sharedWork)
      #expect(held.violation(taking: .executions) != nil)
      held.pop()
      #expect(held.violation(taking: .executions) == nil)
      held.pop()
      held.push(.store)
      #expect(held.violation(taking: .store) == nil)
    }

    @Test("a lock is held only for the closure, even if the closure throws")
    func scope() {
      struct Failure: Error {}
      let lock = Locked(0, rank: .leaf)
      #expect(throws: Failure.self) {
        try lock.withLock { _ throws(Failure) in
          #expect(HeldLocks.current.violation(taking: .store) != nil)
          throw Failure()
        }
      }
      #expect(HeldLocks.current.violation(taking: .store) == nil)
    }

    @Test("a violation ends the process with a message that names both locks")
    func message() async {
      let result = await #expect(
        processExitsWith: .failure, observing: [\.standardErrorContent]
      ) {
        let (store, load) = (Locked(0, rank: .store), Locked(0, rank: .load))
        load.withLock { _ in store.withLock { _ in } }
      }
      let output = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
      #expect(output.contains("the store was locked by a thread that holds the lock of a load"))
    }

    @Test("a lock that is taken twice ends the process with a message that names it")
    func recursion() async {
      let unranked = await #expect(
        processExitsWith: .failure, observing: [\.standardErrorContent]
      ) {
        let lock = Locked(0)
        lock.withLock { _ in lock.withLock { _ in } }
      }
      var output = String(decoding: unranked?.standardErrorContent ?? [], as: UTF8.self)
      #expect(output.contains("a lock was locked by the thread that holds it"))
      let plan = await #expect(
        processExitsWith: .failure, observing: [\.standardErrorContent]
      ) {
        let lock = Locked(0, rank: .boundPlan)
        lock.withLock { _ in lock.withLock { _ in } }
      }
      output = String(decoding: plan?.standardErrorContent ?? [], as: UTF8.self)
      #expect(output.contains("a bound plan was locked by the thread that holds it"))
      let store = await #expect(
        processExitsWith: .failure, observing: [\.standardErrorContent]
      ) {
        let lock = Locked(0, rank: .store)
        lock.withLock { _ in lock.withLock { _ in } }
      }
      output = String(decoding: store?.standardErrorContent ?? [], as: UTF8.self)
      #expect(output.contains("The store was used inside an updater"))
    }
  }
#endif
