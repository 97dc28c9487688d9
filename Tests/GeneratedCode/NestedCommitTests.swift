import Foundation
import RelayStore
import RelayStoreTesting
import Testing

@Suite("Commits inside callbacks", .timeLimit(.minutes(1)))
struct NestedCommitTests {
  private let environment = RelayEnvironment(
    store: RecordStore(configuration: .init(garbageCollection: .manual)), transport: MockTransport()
  )
  private let person = FragmentRef<Follower_person>(id: "1")

  init() throws { try Self.write(0, to: environment) }

  private static func write(_ number: Int, to environment: RelayEnvironment) throws {
    try environment.commitPayload(
      FollowersQuery(id: "1"), data: ["person": ["id": "1", "name": .string("\(number)")]])
  }

  private static func number(_ snapshot: Snapshot<Follower_person>) -> Int {
    snapshot.data.flatMap { Int($0.name) } ?? -1
  }

  @Test("twenty thousand commits, each made by the previous one's observer, fit a small stack")
  func chain() async throws {
    let (environment, person) = (environment, person)
    let delivered = Recorded()
    let observation = environment.observe(person) { snapshot in
      let number = Self.number(snapshot)
      delivered.add("\(number)")
      if number < 20_000 {
        #expect(throws: Never.self) { try Self.write(number + 1, to: environment) }
      }
    }
    try await withCheckedThrowingContinuation {
      (continuation: CheckedContinuation<Void, any Error>) in
      let thread = Thread {
        continuation.resume(with: Result { try Self.write(1, to: environment) })
      }
      thread.stackSize = 512 * 1024
      thread.start()
    }
    #expect(delivered.all == (1...20_000).map { "\($0)" })
    observation.cancel()
  }

  @Test(
    "a nested commit returns before its observers are notified; the outermost returns after"
  )
  func order() throws {
    let environment = environment
    let steps = Recorded()
    let observations = ["a", "b"].map { label in
      environment.observe(person) { snapshot in
        let number = Self.number(snapshot)
        steps.add("\(label) \(number)")
        guard label == "a", number == 1 else { return }
        #expect(throws: Never.self) { try Self.write(2, to: environment) }
        #expect(environment.read(person).data?.name == "2")
        steps.add("nested commit returned")
      }
    }
    try Self.write(1, to: environment)
    #expect(steps.all == ["a 1", "nested commit returned", "a 2", "b 2"])
    withExtendedLifetime(observations) {}
  }

  @Test(
    "batches, reverts, invalidations and commits to other stores in a callback are deferred too"
  )
  func others() throws {
    let environment = environment
    let other = RelayEnvironment(transport: MockTransport())
    try Self.write(0, to: other)
    let update = try environment.applyUpdate { try $0["1"]?.setValue("5", for: "name") }
    let steps = Recorded()
    let observations = [
      environment.observe(person) { snapshot in
        steps.add("name \(snapshot.data?.name ?? "")")
        guard snapshot.data?.name == "6" else { return }
        #expect(throws: Never.self) {
          update.revert()
          try environment.batch { try Self.write(7, to: environment) }
          try environment.commitUpdate { try $0["1"]?.invalidateRecord() }
          try Self.write(1, to: other)
        }
        steps.add("returned")
      },
      environment.onInvalidation(of: ["1"]) { steps.add("invalidated") },
      other.observe(person) { steps.add("other \($0.data?.name ?? "")") },
    ]
    try environment.applyUpdate { try $0["1"]?.setValue("6", for: "name") }.revert()
    #expect(steps.all.prefix(2) == ["name 6", "returned"])
    #expect(Set(steps.all.dropFirst(2)) == ["other 1", "invalidated", "name 7"])
    withExtendedLifetime(observations) {}
  }

  @Test("a commit on another thread delivers on that thread while a callback waits for it")
  func otherThread() throws {
    let environment = environment
    let steps = Recorded()
    let observation = environment.observe(person) { snapshot in
      guard Self.number(snapshot) == 1 else { return steps.add("\(Self.number(snapshot))") }
      let done = DispatchSemaphore(value: 0)
      Thread.detachNewThread {
        #expect(throws: Never.self) { try Self.write(2, to: environment) }
        done.signal()
      }
      done.wait()
      steps.add("1")
    }
    let second = environment.observe(person) { steps.add("second \(Self.number($0))") }
    try Self.write(1, to: environment)
    #expect(steps.all == ["second 2", "1", "2"])
    withExtendedLifetime((observation, second)) {}
  }
}
