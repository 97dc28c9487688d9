import Foundation
import RelayStore
import Testing

@Suite("RelayError", .timeLimit(.minutes(1)))
struct RelayErrorTests {
  private struct Offline: LocalizedError {
    var errorDescription: String? { "The network is down." }
  }

  @Test("localizedDescription is the message, and the reason that of the server or the cause")
  func description() {
    let refused = RelayError(
      .graphQL, "\"Feed\" failed: no", errors: [.init(message: "no"), .init(message: "never")])
    #expect((refused as any Error).localizedDescription == "\"Feed\" failed: no")
    #expect(refused.failureReason == "no\nnever" && refused.recoverySuggestion == nil)
    let lost = RelayError(.transport, "lost", underlying: Offline())
    #expect(lost.failureReason == "The network is down.")
    #expect(RelayError(.request, "bad").failureReason == nil)
    #expect((GraphQLError(message: "no") as any Error).localizedDescription == "no")
  }

  @Test(
    "a request that may succeed later has a suggestion",
    arguments: [
      (nil, "Try again."), (.seconds(30), "Try again in 30 seconds."),
      (.milliseconds(1), "Try again in 1 second."), (.seconds(-5), "Try again in 1 second."),
      (.milliseconds(1_900), "Try again in 2 seconds."),
    ] as [(Duration?, String)])
  func recovery(after: Duration?, text: String) {
    var error = RelayError(.transport, "busy")
    #expect(error.recoverySuggestion == nil)
    error.isRetryable = true
    error.retryAfter = after
    #expect(error.recoverySuggestion == text)
  }

  @Test("ids of objects that the client makes are client ids, each another one")
  func clientIDs() {
    let texts: [String] = [ClientID.unique(), ClientID.unique()]
    let id: DataID = ClientID.unique()
    #expect(Set(texts + [id.rawValue]).count == 3 && id.isClientID)
    #expect(texts.allSatisfy { DataID($0).isClientID })
  }
}
