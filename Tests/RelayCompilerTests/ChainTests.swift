import Foundation
import GraphQLLanguage
import Testing

@testable import RelayCompiler

/// Chains of fragments where each spreads the next, compiled on threads with a stack of 512 KiB.
@Suite("Chains of fragments", .timeLimit(.minutes(1)))
struct ChainTests {
  private static let schema = """
    interface Node { id: ID! }
    interface Named { name: String }
    type User implements Node & Named { id: ID! name(as: String): String friend: User friends: [User] }
    type Query { me: User node(id: ID!): Node }
    """

  /// The rules of the diagnostics, and the length of the generated code.
  private struct Outcome: Sendable {
    var rules: [String] = []
    var length = 0
  }

  private func compile(
    _ document: String, extensions: String = "extend type User { shown: String }"
  ) async -> Outcome {
    await onSmallStack {
      let compilation = Compiler.compile(
        CompilationInput(
          sources: [
            .init(path: "a.graphql", bytes: ContiguousArray(document.utf8), output: "a.swift")
          ],
          schema: [Source(path: "schema.graphql", Self.schema)],
          extensions: [Source(path: "client.graphql", extensions)]))
      return Outcome(
        rules: compilation.diagnostics.map(\.rule),
        length: compilation.files.reduce(0) { $0 + $1.content.count })
    }
  }

  private func onSmallStack(_ work: @escaping @Sendable () -> Outcome) async -> Outcome {
    await withCheckedContinuation { continuation in
      let thread = Thread { continuation.resume(returning: work()) }
      thread.stackSize = 512 << 10
      thread.start()
    }
  }

  /// Creates a query and a chain of fragments.
  ///
  /// - Parameter body: The selections of a fragment. `$next` is replaced by the spread of the next
  ///   fragment, `$index` by the index of the fragment.
  private func chain(
    _ count: Int, _ query: String = "query Q { me { ...F0 } }", directives: String = "",
    body: String, last: String = "{ id }"
  ) -> String {
    let links = (0..<count).map { index in
      "fragment F\(index) on User \(directives) { "
        + body.replacingOccurrences(of: "$next", with: "...F\(index + 1)")
        .replacingOccurrences(of: "$index", with: "\(index)") + " }"
    }
    return ([query] + links + ["fragment F\(count) on User \(directives) \(last)"])
      .joined(separator: "\n")
  }

  @Test("a chain of ten thousand fragments compiles")
  func long() async {
    let outcome = await compile(chain(10_000, body: "name $next"))
    #expect(outcome.rules == [])
    #expect(outcome.length > 10_000 * 100)
  }

  @Test("a chain in reverse order compiles, and so does one with a new field in each fragment")
  func others() async {
    let reversed = chain(1_000, body: "name $next").split(separator: "\n").reversed()
    #expect(await compile(reversed.joined(separator: "\n")).rules == [])
    #expect(await compile(chain(1_000, body: "$next a$index: name(as: \"$index\")")).rules == [])
  }

  @Test(
    "chains with variables, type conditions, other directives, client fields or providers compile",
    arguments: [
      ("@argumentDefinitions(n: {type: String})", "name(as: $n) $next @arguments(n: $n)"),
      ("", "... on Named { ... on Node { id $next } }"), ("@inline", "id $next"),
      ("@throwOnFieldError", "id $next"), ("", "shown $next"), ("", "friend { id } $next"),
    ])
  func kinds(directives: String, body: String) async {
    let last =
      directives.contains("argumentDefinitions") ? "{ name(as: $n) }" : "{ id }"
    let document = chain(600, directives: directives, body: body, last: last)
    #expect(await compile(document).rules == [])
    let refetched =
      document + " fragment G on User @refetchable(queryName: \"Again\") { ...F0 } "
      + "fragment P on User @argumentDefinitions(p: {type: String, provider: \"P\"}) "
      + "{ p: name(as: $p) ...F0 }"
    #expect(await compile(refetched).rules == [])
  }

  @Test("a conflict between the ends of a long chain is reported once")
  func conflict() async {
    let document = chain(2_000, body: "name $next", last: "{ name(as: \"x\") }")
    let rules = await compile(document).rules
    #expect(rules == ["overlapping-fields-can-be-merged"], "\(rules)")
  }

  @Test("an operation whose fragments nest objects too deeply is an error")
  func deep() async {
    #expect(await compile(chain(90, body: "friend { $next }")).rules == [])
    #expect(
      await compile(chain(10_000, body: "friend { $next }")).rules == ["operation-depth"])
    #expect(
      await compile(chain(10_000, body: "id friends { $next name }")).rules == ["operation-depth"])
  }

  @Test("a long chain of unmasked fragments is an error")
  func unmasked() async {
    #expect(await compile(chain(40, body: "id $next @relay(mask: false)")).rules == [])
    let rules = await compile(chain(300, body: "id $next @relay(mask: false)")).rules
    #expect(Set(rules) == ["definition-size"])
  }

  @Test("derived fields are followed through long chains, and their cycles are reported")
  func derived() async {
    let extensions = "extend type User { shown: String @derived(fragment: \"F0\") }"
    let fine = chain(1_000, "query Q { me { shown } }", body: "name $next")
    #expect(await compile(fine, extensions: extensions).rules == [])
    for last in ["{ shown }", "{ friend { shown } }"] {
      let cyclic = chain(1_000, "query Q { me { shown } }", body: "name $next", last: last)
      #expect(await compile(cyclic, extensions: extensions).rules == ["derived-fields"])
    }
  }
}
