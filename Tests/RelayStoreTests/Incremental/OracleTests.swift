import Foundation
import Testing

@testable import InvariantChecks
@testable import RelayStore

/// Responses in parts, compared with graphql-core's responses without parts.
///
/// Regardless of the format, the order of the parts and their grouping into payloads, the final
/// store must equal the plain response's store byte by byte.
///
/// The exception is a non-null field that fails. In a plain response it removes the nearest
/// nullable object, but in a part it removes nothing outside the part. In that case the store must
/// match a response with all data delivered by the other parts. Each field of the failed part that
/// no other part delivered is null, with the part's errors. A streamed list ends before a failed
/// element. If an error removes more than its own field, the server may or may not report other
/// errors within the removed data, so errors are not compared.
///
/// `RELAYSTORE_INCREMENTAL_CASES` sets the number of operations, and `RELAYSTORE_SEED` the seed of
/// the first. `RELAYSTORE_INCREMENTAL_ORDERS` limits the number of orders: up to it, the parts of a
/// response arrive in every order.
///
/// `make soak` runs many more cases, so the suite has 120 minutes.
@Suite("Responses that arrive in parts and plain ones", .timeLimit(.minutes(120)))
struct OracleTests {
  /// The states that every run must reach to be meaningful.
  private static let states = [
    "2020", "2022", "2023", "graphql-core", "all orders", "all orders of five parts or more",
    "connection in a fragment", "deferred fragment", "duplicate of a part", "element",
    "element in element", "element in fragment", "failed element", "failed fragment",
    "failed sequence", "failed sequence of graphql-core", "field eager and deferred",
    "fragment below a list", "fragment in element", "fragment in fragment",
    "fragment of an object without id", "fragment with a field error",
    "hasNext in a payload of its own", "null element", "part without id",
    "parts in one payload", "run of elements", "sample of orders", "streamed edge", "subPath",
  ]

  @Test(
    "a response in parts leads to the store of the plain response",
    .enabled(
      if: Oracle.isAvailable, "graphql-core needs .venv, which make test creates"))
  func agrees() async throws {
    let environment = ProcessInfo.processInfo.environment
    let seed = environment["RELAYSTORE_SEED"].flatMap { Int($0) } ?? 1_400
    let requested = environment["RELAYSTORE_INCREMENTAL_CASES"].flatMap { Int($0) }
    let orders = environment["RELAYSTORE_INCREMENTAL_ORDERS"].flatMap { Int($0) }
    let oracle = try await Oracle(seed: seed, count: requested ?? 50, orders: orders ?? 60)
    var count = 0
    for item in oracle.cases where !item.sequences.isEmpty {
      let plain = try await Store(after: item.plain, of: item)
      for sequence in item.sequences {
        count += 1
        let failure = await Comparison(item, sequence).failure(plain: plain)
        if let failure { Issue.record("Seed \(item.seed): \(failure)") }
      }
    }
    let states = oracle.reached.sorted { $0.key < $1.key }.map { "\($0.key): \($0.value)" }
    print(
      "Responses in parts: seed \(seed), \(oracle.cases.count) operations, \(count) responses, "
        + "\(oracle.rejected.count) documents that do not compile, "
        + "states reached: \(states.joined(separator: ", "))")
    #expect(oracle.rejected.isEmpty, "\(oracle.rejected.first ?? "")")
    for state in Self.states {
      #expect(oracle.reached[state, default: 0] > 0, "\(state) was never reached")
    }
  }

  /// The result of a plain response.
  struct Store {
    let dump: String
    let isAvailable: Bool
    let errors: Set<String>

    init(after response: JSONValue, of item: Oracle.Case) async throws {
      let test = PartsFixture(item.selection, text: item.selection.text, variables: item.variables)
      let fetched = try await test.fetch([response])
      dump = test.store.dump()
      isAvailable = test.request.isAvailable(in: test.store)
      errors = Set(fetched.response.errors.map { "\($0.path): \($0.message)" })
    }
  }
}

/// One response in parts that is received and compared.
private struct Comparison {
  private let sequence: Oracle.Sequence
  private let item: Oracle.Case
  private let test: PartsFixture

  init(_ item: Oracle.Case, _ sequence: Oracle.Sequence) {
    (self.item, self.sequence) = (item, sequence)
    test = PartsFixture(item.selection, text: item.selection.text, variables: item.variables)
  }

  /// Returns the first difference from the expected result; `nil` if they are equal.
  func failure(plain: OracleTests.Store) async -> String? {
    do {
      guard let difference = try await difference(plain: plain) else { return nil }
      return "\(difference)\n\(context)"
    } catch {
      return "\(error)\n\(context)"
    }
  }

  private var context: String {
    let payloads = sequence.payloads.map(\.description).joined(separator: "\n")
    return "\(item.selection.text)\n\(sequence.format):\n\(payloads)"
  }

  private func difference(plain: OracleTests.Store) async throws -> String? {
    let expected =
      sequence.hasFailed
      ? try await OracleTests.Store(after: sequence.expected, of: item) : plain
    let task = test.fetch()
    for (index, payload) in sequence.payloads.enumerated() {
      await test.transport.send(payload)
      if let violation = test.store.checkInvariants() { return violation }
      if index < sequence.payloads.count - 1, let wrong = wronglyPending(after: index) {
        return wrong
      }
    }
    test.transport.finish()
    let fetched = try await task.value
    if let difference = difference(of: test.store.dump(), from: expected.dump) { return difference }
    if !test.store.holders.receiving.isEmpty || !fetched.row.pending.isEmpty {
      return "A part is still pending."
    }
    let isAvailable = expected.isAvailable && !sequence.hasFailedList
    if test.request.isAvailable(in: test.store) != isAvailable {
      return "The request is available: \(!isAvailable)."
    }
    let errors = Set(
      fetched.response.errors.map { "\($0.path): \($0.message)" })
    if !sequence.hasFailed, !sequence.hasBubbled, errors != expected.errors {
      return "The errors are \(errors), expected \(expected.errors)."
    }
    return nil
  }

  private func difference(of dump: String, from expected: String) -> String? {
    let (found, other) = (lines(of: dump), lines(of: expected))
    if found == other { return nil }
    let difference = found.difference(from: other)
    return "The store differs:\n"
      + difference.removals.map { "- \($0.line)" }.joined(separator: "\n") + "\n"
      + difference.insertions.map { "+ \($0.line)" }.joined(separator: "\n")
  }

  /// Returns the records of a dump. Omits errors that the server may or may not report, and the
  /// invalidation of records with missing elements.
  private func lines(of dump: String) -> [String] {
    dump.split(separator: "\n").map(String.init).map { line in
      let line =
        sequence.hasFailedList
        ? line.replacing(/"__invalidated_at":[0-9]+,/, with: "") : line
      guard sequence.hasBubbled, let start = line.range(of: "\"__errors\":"),
        let end = line.range(of: "\"__id\":")
      else { return line }
      return line.replacingCharacters(in: start.lowerBound..<end.lowerBound, with: "")
    }
  }

  /// Returns the first fragment that is pending although its part has arrived, or vice versa.
  private func wronglyPending(after index: Int) -> String? {
    for (key, parts) in Dictionary(
      grouping: sequence.parts, by: { [$0.record.rawValue, $0.label] })
    {
      let announced = parts.filter { $0.announced <= index }
      guard let first = announced.first, let plan = item.selection.fragments[first.fragment] else {
        continue
      }
      let snapshot = test.store.read(.record(first.record, plan, in: test.request.scope))
      let isPending = snapshot.pending.contains(PendingPart(qualifiedLabel: first.label))
      let arrived = announced.filter { $0.arrived <= index }
      if isPending, arrived.count == announced.count {
        return "\(key) is pending after payload \(index), and has arrived."
      }
      if !isPending, !snapshot.missing.isEmpty, arrived.isEmpty,
        announced.contains(where: \.isExpected)
      {
        return "\(key) is missing and not pending after payload \(index), and has not arrived."
      }
    }
    return nil
  }
}

extension CollectionDifference.Change {
  fileprivate var line: ChangeElement {
    switch self {
    case .insert(_, let element, _), .remove(_, let element, _): element
    }
  }
}
