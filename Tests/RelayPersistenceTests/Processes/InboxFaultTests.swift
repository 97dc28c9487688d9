import Foundation
import RelayPersistence
import RelayStore
import Testing

@Suite("The inbox: faults", .timeLimit(.minutes(1)))
struct InboxFaultTests {
  private let container = SharedContainer()
  private let cache = MemoryPersistence()
  private let database = MemoryPersistence()

  /// The keys of the mutations that a server without keys has executed, in order.
  private final class Executions: Sendable {
    let keys = Locked<[String]>([])

    /// Responds to every request of an app.
    func serve(_ app: OutboxApp) -> Task<Void, any Error> {
      Task { [keys, server = app.server] in
        while true {
          let request = try await server.next()
          keys.withLock { $0.append(request.key ?? "") }
          request.succeed(todo("setText", "1", request.request.variables["text"]?.string ?? ""))
        }
      }
    }
  }

  /// Returns file system calls where one call fails, or all calls from it on.
  private func failing(_ calls: Locked<Int>, at failing: Int, forGood: Bool) -> FileSystem {
    var files = FileSystem()
    files.chunkSize = 500
    files.willCall = { call, _ in
      let number = calls.withLock { count in
        defer { count += 1 }
        return count
      }
      if number == failing || forGood && number > failing {
        throw PersistenceFailure(.io, "\(call) fails")
      }
    }
    return files
  }

  /// Runs an app that may fail until it can do no more, and then another one until all work is
  /// done.
  ///
  /// - Returns: The keys that were executed, in order.
  private func finish(_ first: OutboxApp) async throws -> [String] {
    let executions = Executions()
    let serving = executions.serve(first)
    try? await first.outbox.loaded()
    _ = try? await first.outbox.importFiles()
    await first.outbox.untilIdle()
    first.outbox.suspend()
    await first.outbox.untilIdle()
    let second = try container.app(cache, database)
    let servingSecond = executions.serve(second)
    try await second.outbox.loaded()
    await second.until { entries in
      // Mutations in flight when the first app ended have an unknown outcome, and block the rest.
      entries.allSatisfy { entry in
        switch entry.state {
        case .unknown, .blocked: true
        default: false
        }
      }
    }
    #expect(container.pending.isEmpty)
    serving.cancel()
    servingSecond.cancel()
    let left = database.storedEntries.map(\.entry.id.rawValue)
    return executions.keys.withLock { $0 }
      + left.filter { key in
        !executions.keys.withLock { $0.contains(key) }
      }
  }

  @Test(
    "whichever call of the file system fails, once or from then on, no mutation is lost or sent twice",
    arguments: [false, true])
  func files(forGood: Bool) async throws {
    var failures = 0
    for number in 0... {
      let test = InboxFaultTests()
      let calls = Locked(0)
      var inbox = test.container.inbox
      inbox.files = failing(calls, at: number, forGood: forGood)
      var added: [String] = []
      for text in 0..<3 {
        do { added.append(try inbox.add(.set("1", to: "\(text)")).id.rawValue) } catch {
          failures += 1
        }
      }
      let app = try test.container.app(test.cache, test.database, inbox: inbox)
      let keys = try await test.finish(app)
      // A mutation whose directory could not be synced throws, but may still be there.
      #expect(keys.filter { added.contains($0) } == added, "call \(number)")
      #expect(Set(keys).count == keys.count, "call \(number)")
      if calls.withLock({ $0 }) <= number { break }
    }
    #expect(failures > 10)
  }

  @Test("whichever call of the database fails, no mutation is lost or sent twice")
  func database() async throws {
    var isFailing = true
    var number = 0
    while isFailing {
      let test = InboxFaultTests()
      var added: [String] = []
      for text in 0..<3 {
        added.append(try test.container.inbox.add(.set("1", to: "\(text)")).id.rawValue)
      }
      let faults = FaultyPersistence(
        failingAt: number, with: PersistenceFailure(.io, "The disk is full.")
      ) { [database = test.database] in database.engine() }
      let inbox = test.container.inbox
      let app = try OutboxApp(
        test.cache, test.database, serverHonorsIdempotencyKeys: false, user: SharedContainer.user,
        change: { $0.inbox = inbox }, engine: faults.persistence.makeEngine)
      let keys = try await test.finish(app)
      #expect(keys == added, "call \(number)")
      number += 1
      isFailing = faults.count.withLock { $0 } >= number && number < 40
    }
    #expect(number > 5)
  }
}
