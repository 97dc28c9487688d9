import Foundation
import Testing

/// The data that generated code reads from the store, compared with values of its initializers.
///
/// `make soak SEED=n` runs more rounds from another seed.
///
/// `make soak` runs many more cases, so the suite has 120 minutes.
@Suite(.timeLimit(.minutes(120))) struct RoundTripTests {
  /// The states that every run must reach to be meaningful.
  private static let states = [
    "abstract condition", "alias", "argument", "case of an optimistic response",
    "default of an argument", "inline fragment", "optimistic response", "renamed spread",
    "concrete condition", "custom scalar", "empty list",
    "enum value",
    "field omitted", "list", "list of lists", "nested condition", "no condition holds", "null",
    "null in a list", "object without id", "shared record", "spread", "conditional spread",
    "spread omitted", "unknown enum value", "variable is false", "variable is true",
  ]

  @Test("a response read through generated structs equals the value built with their initializers")
  func roundTrip() async throws {
    let environment = ProcessInfo.processInfo.environment
    let seed = environment["RELAYSTORE_SEED"].flatMap { UInt64($0) } ?? 20_260_401
    let rounds = environment["RELAYSTORE_ROUND_TRIPS"].flatMap { UInt64($0) } ?? 2
    var reached: [String: Int] = [:]
    var total = (cases: 0, skipped: 0, tooLarge: 0)
    for seed in seed..<seed + max(1, rounds) {
      let program: RoundTripProgram
      do {
        program = try RoundTripProgram(seed: seed, queries: 8, responses: 3)
      } catch let failure as RoundTripProgram.Failure where failure.isTooLarge {
        total.tooLarge += 1
        continue
      }
      let output = try await SwiftProgram.run(program.files)
      reached.merge(program.reached, uniquingKeysWith: +)
      total.cases += program.caseCount
      total.skipped += program.skippedCount
      let failures = output.split(separator: "\n").filter { !$0.hasPrefix("compared ") }
      #expect(failures.isEmpty, "Seed \(seed): \(failures.prefix(5).joined(separator: "\n"))")
      #expect(output.contains("compared "), "Seed \(seed): the program did not reach its end.")
    }
    let states = reached.sorted { $0.key < $1.key }.map { "\($0.key): \($0.value)" }
      .joined(separator: ", ")
    print(
      "Round trips: seed \(seed), \(total.cases) responses, \(total.skipped) skipped, "
        + "\(total.tooLarge) programs too large, "
        + "states reached: \(states)")
    for state in Self.states {
      #expect(reached[state, default: 0] > 0, "\(state) was never reached")
    }
  }
}
