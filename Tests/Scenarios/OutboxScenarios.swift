import Foundation
import RelayNetwork
import SeededRandom
import Testing

@testable import RelayPersistence
@testable import RelayStore

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// `make soak-storage` runs many more cases, so the suite has 60 minutes.
@Suite(
  "Scenarios: the outbox", .timeLimit(.minutes(60)),
  .enabled(
    if: PythonProcess.isInstalled || PythonProcess.isRequired,
    "the real server needs .venv, which make test creates"))
struct OutboxScenarios {
  private static func number(_ variable: String) -> Int? {
    ProcessInfo.processInfo.environment[variable].flatMap(Int.init)
  }

  @Test(
    "a mutation whose answers are cut off is executed once, or is reported as unknown",
    arguments: [true, false])
  func exactlyOnce(serverHonorsIdempotencyKeys: Bool) async throws {
    let count = (Self.number("RELAYSTORE_CUT_ANSWERS") ?? 60) / 2
    let seed = Self.number("RELAYSTORE_SEED") ?? .random(in: 0..<1_000_000)
    let python = try await PythonServer.shared()
    let proxy = try FaultyProxy(before: python.url)
    defer { proxy.stop() }
    let faults = Locked(LostAnswers(seed: UInt64(seed)))
    proxy.setEach { length in faults.withLock { $0.next(length) } }
    let directory = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    defer { try? FileManager.default.removeItem(at: directory) }
    let session = UUID().uuidString
    var options = OutboxOptions(serverHonorsIdempotencyKeys: serverHonorsIdempotencyKeys)
    options.entryLimit = .max
    options.backOff = RetryPolicy(
      attempts: .max, delay: .milliseconds(1), longestDelay: .milliseconds(10),
      includesMutations: true)
    let environment = RelayEnvironment(
      store: RecordStore(configuration: .init(persistence: .sqlite(directory: directory))),
      transport: HTTPTransport(
        url: proxy.url.appending(path: serverHonorsIdempotencyKeys ? "idempotent" : "graphql"),
        headers: ["X-Session": session], timeout: .seconds(30)),
      outbox: options)
    let outbox = try #require(environment.outbox)

    var bodies: [OutboxEntry.ID: String] = [:]
    for start in stride(from: 0, to: count, by: 50) {
      for index in start..<min(count, start + 50) {
        let entry = try await outbox.add(.addComment("comment \(index)"), after: [])
        bodies[entry.id] = "comment \(index)"
      }
      for await entries in outbox.observe() where entries.allSatisfy(\.hasEnded) { break }
    }

    var request = URLRequest(url: python.url.appending(path: "effects"))
    request.setValue(session, forHTTPHeaderField: "X-Session")
    let effects = try JSONDecoder().decode(
      [String: Int].self, from: try await URLSession.shared.data(for: request).0)
    let unknown = Set(outbox.entries.map(\.id))
    for entry in outbox.entries { #expect(entry.state == .unknown, "\(entry)") }
    for (id, body) in bodies {
      let executions = effects[body] ?? 0
      #expect(unknown.contains(id) ? executions <= 1 : executions == 1, "\(body) \(executions)")
    }
    if serverHonorsIdempotencyKeys { #expect(unknown.isEmpty) } else { #expect(!unknown.isEmpty) }
    let lost = faults.withLock(\.count)
    #expect(lost > count / 3)
    print(
      "Answers cut off: seed \(seed), \(count) mutations, \(lost) lost, \(unknown.count) unknown")
  }
}

/// Loses six out of ten requests or responses, in a random order.
private struct LostAnswers {
  private enum Loss { case none, request, answer }

  private var random: SeededGenerator
  /// The losses for the rest of the current ten exchanges.
  private var losses: [Loss] = []
  private(set) var count = 0

  init(seed: UInt64) { random = SeededGenerator(seed: seed) }

  /// - Parameter length: The number of bytes in the response.
  mutating func next(_ length: Int) -> FaultyProxy.Fault? {
    if losses.isEmpty {
      losses = [.none, .none, .none, .none, .request, .request]
      losses += [Loss](repeating: .answer, count: 4)
      losses.shuffle(using: &random)
    }
    switch losses.removeLast() {
    case .none: return nil
    case .request:
      count += 1
      return .notForwarded
    case .answer:
      count += 1
      return .cut(after: Int.random(in: 0...max(0, length - 1), using: &random))
    }
  }
}

extension MutationCommit {
  static func addComment(_ body: String) -> MutationCommit {
    MutationCommit(
      operation: OperationPlan(
        text:
          "mutation AddComment($input: AddCommentInput!) { addComment(input: $input) { comment { id body } } }",
        reader:
          "AddComment Mutation{addComment(input:$input) AddCommentPayload{comment Comment{id ID! body String}}}",
        normalization:
          "Mutation{addComment(input:$input) AddCommentPayload{comment Comment{__typename String! id ID! body String}}}"
      ),
      variables: Variables(json: ["input": ["taskId": "VGFzazox", "body": .string(body)]]),
      optimisticResponse: nil)
  }
}

extension OutboxEntry {
  /// Whether the entry has reached a final state.
  fileprivate var hasEnded: Bool {
    switch state {
    case .failed, .unknown: true
    default: false
    }
  }
}
