import GraphQLLanguage
import Testing

@testable import RelayCompiler

@Suite("Deferred and streamed parts", .timeLimit(.minutes(1)))
struct DeferralTests {
  private static let schema = """
    type User { id: ID! name: String friends(first: Int): [User!] }
    type Query { me: User }
    """

  /// The output for a query of `me` and for a fragment `F`.
  private struct Made {
    /// The generated Swift.
    let swift: String
    /// The document that is sent.
    let sent: String
    let reader: String
    let normalization: String
  }

  /// Compiles a query that selects `selections` of `me`.
  private func make(_ selections: String, fragment: String = "fragment F on User { name }") throws
    -> Made
  {
    // Both variables are used, regardless of the selections.
    let uses = "one: id @include(if: $a) two: id @include(if: $b)"
    let document =
      "query Q($a: Boolean!, $b: Boolean!) { me { \(uses) \(selections) } } \(fragment)"
    let compilation = Compiler.compile(
      CompilationInput(
        sources: [
          .init(path: "a.graphql", bytes: ContiguousArray(document.utf8), output: "a.swift")
        ],
        schema: [Source(path: "schema.graphql", Self.schema)]))
    #expect(compilation.diagnostics.isEmpty)
    let programs = try #require(compilation.stages.transformed)
    let plans = PlanPrinter(schema: programs.reader.schema, uses: VariableUses(programs.reader))
    let stored = programs.normalization.operations[0]
    return Made(
      swift: compilation.files.map(\.text).joined(),
      sent: OperationPrinter(program: programs.sent).document(of: programs.sent.operations[0]).text,
      reader: plans.plan(programs.reader.operations[0]).text,
      normalization: plans.plan(stored.selections, on: stored.root).text)
  }

  @Test(
    "the reference to a deferred fragment is optional only because of a condition",
    arguments: [
      ("...F @defer", "FragmentRef<F>"),
      ("...F @defer(if: $b)", "FragmentRef<F>"),
      ("...F @defer @include(if: $b)", "FragmentRef<F>?"),
      ("...F @defer ...F @defer(label: \"f\") @include(if: $b)", "FragmentRef<F>"),
    ])
  func reference(_ selections: String, _ type: String) throws {
    let swift = try make(selections).swift
    #expect(swift.contains("public var f: \(type) {"), "\(swift)")
  }

  @Test(
    "a part's fragment is named where its label does not name it",
    arguments: [
      ("@defer", #""Q$defer$F""#),
      (#"@defer(label: "F")"#, #""Q$defer$F""#),
      (#"@defer(label: "f")"#, #""Q$defer$f":F"#),
      (#"@defer(label: "x$F")"#, #""Q$defer$x$F""#),
      (#"@defer(label: "F$")"#, #""Q$defer$F$""#),
      (#"@defer(label: "")"#, #""Q$defer$":F"#),
    ])
  func fragmentName(_ directive: String, _ part: String) throws {
    let made = try make("...F " + directive)
    #expect(made.reader.contains("...if \(part){...F}"), "\(made.reader)")
    #expect(made.normalization.contains("...if \(part){name String}"), "\(made.normalization)")
  }

  @Test("a copy of a fragment with other arguments is named as in the document")
  func copy() throws {
    let fragment =
      "fragment F on User @argumentDefinitions(n: {type: \"Int\"}) { friends(first: $n) { id } }"
    let made = try make("...F @defer @arguments(n: 2)", fragment: fragment)
    #expect(made.sent.contains("...F_") && !made.normalization.contains("F_"))
    #expect(made.normalization.contains(#"...if "Q$defer$F"{"#), "\(made.normalization)")
  }

  @Test(
    "a part is deferred unless its condition is false",
    arguments: [
      ("@defer(if: $b)", #"...if "Q$defer$F"|!$b{...F}"#),
      ("@defer(if: $b) @include(if: $a)", #"...if $a{...if "Q$defer$F"|!$b{...F}}"#),
      ("@defer(if: true)", #"...if "Q$defer$F"{...F}"#),
      ("@defer(if: false)", #"$b{two:id ID!} ...F}"#),
    ])
  func condition(_ directives: String, _ expected: String) throws {
    let made = try make("...F " + directives)
    #expect(made.reader.contains(expected), "\(made.reader)")
    let stored = expected.replacing("...F", with: "name String")
    #expect(made.normalization.contains(stored), "\(made.normalization)")
  }

  @Test("the condition of a part is an argument of its fragment's copy")
  func argument() throws {
    let fragment = """
      fragment F on User @argumentDefinitions(on: {type: "Boolean", defaultValue: true}) {
        friends { ...G @defer(if: $on) }
      }
      fragment G on User { name }
      """
    func stored(_ argument: String) throws -> String {
      try make("...F \(argument)", fragment: fragment).normalization
    }
    #expect(try stored("").contains(#"...if "F$defer$G"{name String}"#))
    let copy = try stored("@arguments(on: $a)")
    #expect(copy.contains(#/...if "F:\w+\$defer\$G"\|!\$a{name String}/#), "\(copy)")
    #expect(try !stored("@arguments(on: false)").contains("$defer$"))
  }

  @Test("a fragment that is also spread without @defer is not deferred")
  func undeferred() throws {
    let made = try make("...F @defer ...F")
    #expect([made.sent, made.reader, made.normalization].allSatisfy { !$0.contains("$defer$") })
    let conditional = try make("...F @defer ...F @include(if: $a)")
    #expect(conditional.reader.contains(#"...if "Q$defer$F"|$a{...F}"#), "\(conditional.reader)")
    #expect(!conditional.sent.contains("@defer"))
  }

  @Test("a spread is not deferred in the text if only one of its conditions may be false")
  func differingConditions() throws {
    let same = try make(#"...F @defer(if: $a) ...F @defer(label: "2", if: $a)"#).sent
    #expect(same.contains(#"...F@defer(label:"Q$defer$F",if:$a)}"#), "\(same)")
    let other = try make(#"...F @defer(if: $a) ...F @defer(label: "2", if: $b)"#).sent
    #expect(other.contains("...F}"), "\(other)")
    let always = try make(#"...F @defer ...F @defer(label: "2", if: $b)"#).sent
    #expect(always.contains("...F}"), "\(always)")
  }

  @Test("both plans mark a streamed list, with its condition")
  func stream() throws {
    let made = try make("friends @stream(initialCount: 1, if: $a) { ...F }")
    let mark = #"]%stream(if:$a,label:"Q$stream$friends")"#
    #expect(made.reader.contains("...F}!" + mark), "\(made.reader)")
    #expect(made.normalization.contains("}!" + mark), "\(made.normalization)")
    let plain = try make(#"friends @stream(label: "x", if: true) { ...F }"#).reader
    #expect(plain.contains(#"]%stream(label:"Q$stream$x")"#), "\(plain)")
    #expect(try !make("friends @stream(if: false) { id ...F }").reader.contains("%stream"))
  }
}
