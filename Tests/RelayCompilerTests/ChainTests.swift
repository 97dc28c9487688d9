import Foundation
import GraphQLLanguage
import Testing

@testable import RelayCompiler

/// Chains of fragments, each of which spreads the next, on threads with a stack of 512 KiB.
@Suite("Chains of fragments", .timeLimit(.minutes(10)))
struct ChainTests {
  private static let schema = """
    interface Node { id: ID! }
    interface Named { name: String }
    type User implements Node & Named { id: ID! name(as: String): String friend: User friends: [User] }
    type Query { me: User node(id: ID!): Node }
    """

  /// The rules that are broken, and the length of what is generated.
  private struct Outcome: Sendable {
    var rules: [String] = []
    var length = 0
  }

  private func compile(
    _ document: String, extensions: String = "extend type User { shown: String }"
  ) async -> Outcome {
    await onSmallStack {
      let compilation = Compilation(
        sources: [
          .init(path: "a.graphql", bytes: ContiguousArray(document.utf8), output: "a.swift")
        ],
        schema: [Source(path: "schema.graphql", Self.schema)],
        extensions: [Source(path: "client.graphql", extensions)])
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

  /// - Parameter body: The selections of a fragment; `$next` stands for the spread of the next.
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

  @Test("twenty thousand fragments are compiled")
  func long() async {
    let outcome = await compile(chain(20_000, body: "name $next"))
    #expect(outcome.rules == [])
    #expect(outcome.length > 20_000 * 100)
  }

  @Test("so are those that come in the other order, or select fields of their own")
  func others() async {
    let reversed = chain(1_000, body: "name $next").split(separator: "\n").reversed()
    #expect(await compile(reversed.joined(separator: "\n")).rules == [])
    #expect(await compile(chain(1_000, body: "$next a$index: name(as: \"$index\")")).rules == [])
  }

  @Test(
    "so are those with variables, type conditions, @inline, @throwOnFieldError, @refetchable or providers",
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

  @Test("a conflict between the ends of a long chain is one error")
  func conflict() async {
    let document = chain(2_000, body: "name $next", last: "{ name(as: \"x\") }")
    let rules = await compile(document).rules
    #expect(rules == ["overlapping-fields-can-be-merged"], "\(rules)")
  }

  @Test("objects in objects without end are an error that names the operation")
  func deep() async {
    #expect(await compile(chain(90, body: "friend { $next }")).rules == [])
    #expect(
      await compile(chain(20_000, body: "friend { $next }")).rules == ["operation-depth"])
    #expect(
      await compile(chain(20_000, body: "id friends { $next name }")).rules == ["operation-depth"])
  }

  @Test("fragments unmasked in one another without end are an error")
  func unmasked() async {
    #expect(await compile(chain(40, body: "id $next @relay(mask: false)")).rules == [])
    let rules = await compile(chain(300, body: "id $next @relay(mask: false)")).rules
    #expect(Set(rules) == ["definition-size"])
  }

  @Test("derived fields are followed through long chains, and their cycles are found")
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
