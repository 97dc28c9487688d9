import Foundation
import RelayStoreTesting
import Testing

/// The waits of the testing kit when their task is cancelled: by the test, and in a separate
/// process by this suite's time limit.
@Suite("Endless waits", .timeLimit(.minutes(1)))
struct EndlessWaitTests {
  /// The environment variable that leaves the cancellation to the time limit.
  static let variable = "RELAYSTORE_ENDLESS_WAITS"

  @Test(
    "a cancelled wait names what was awaited and what has arrived", arguments: EndlessWait.all)
  func cancelled(endless: EndlessWait) async throws {
    let wait = try await endless.begin()
    if ProcessInfo.processInfo.environment[Self.variable] != nil { return try await wait() }
    let task = Task { try await wait() }
    task.cancel()
    let error = await #expect(throws: CancelledWaitError.self) { try await task.value }
    #expect(error?.description == endless.message)
  }
}
