import GraphQLLanguage
import Testing

@testable import RelayCompiler

/// The labels of deferred and streamed parts; they must be unique within an operation.
@Suite("Labels of parts", .timeLimit(.minutes(1)))
struct PartLabelTests {
  private static let schema = """
    directive @defer(if: Boolean! = true, label: String) on FRAGMENT_SPREAD | INLINE_FRAGMENT
    directive @stream(if: Boolean! = true, label: String, initialCount: Int! = 0) on FIELD
    interface Node { id: ID! name: String friend: User }
    type User implements Node { id: ID! name: String friend: User friends(first: Int): [User!] }
    type Page implements Node { id: ID! name: String friend: User }
    type Query { me: User you: User node: Node }
    """

  /// A deferred fragment, or a streamed list without one.
  private struct Part: Hashable {
    let label: String
    let fragment: String
  }

  /// An operation as sent, and as its response is read.
  private struct Made {
    let document: String
    let text: String
    /// The labels of the sent document, in order.
    let labels: [String]
    /// The parts in the normalization plan, by the path of a field that arrives with them.
    let planned: [String: Set<Part>]
    /// The same for the plan that follows from the sent document.
    let expected: [String: Set<Part>]
    let reader: String

    /// The labels without the compiler's additions, as an app sees them.
    var shown: Set<String> {
      Set(labels.compactMap { PartLabel($0).map { "\($0.owner).\($0.name)" } })
    }
  }

  private static func make(_ document: String, schema: String = schema) throws -> Made {
    let compilation = Compiler.compile(
      CompilationInput(
        sources: [
          .init(path: "a.graphql", bytes: ContiguousArray(document.utf8), output: "a.swift")
        ],
        schema: [Source(path: "schema.graphql", schema)]))
    #expect(compilation.diagnostics.map(\.message) == [], "\(document)")
    let transformed = compilation.stages.transformed
    let programs = try #require(transformed, "\(document)")
    let text = OperationPrinter(program: programs.sent).document(of: programs.sent.operations[0])
      .text
    let plans = PlanPrinter(schema: programs.reader.schema, uses: VariableUses(programs.reader))
    return Made(
      document: document, text: text, labels: labels(in: text),
      planned: planned(programs.normalization),
      expected: planned(try plan(of: text, schema: schema)),
      reader: programs.reader.fragments.map { plans.plan($0).text }.joined(separator: "\n"))
  }

  private static func labels(in text: String) -> [String] {
    text.matches(of: /@(?:defer|stream)\(label:"([^"]*)"/).map { String($0.output.1) }
  }

  /// Returns the normalization plan that follows from a sent document.
  private static func plan(of text: String, schema: String) throws -> IR.Program {
    let workspace = Workspace()
    let schema = Schema.build(
      from: [workspace.parse(Source(path: "schema.graphql", schema)).document], in: workspace)
    let parsed = workspace.parse(Source(path: "text.graphql", text))
    #expect(parsed.diagnostics == [])
    #expect(
      schema.validate([parsed.document], mode: .specification).map(\.message) == [], "\(text)")
    var diagnostics: [Diagnostic] = []
    let lowered = Lowering.program(of: [parsed.document], schema: schema)
    let expanded = ExpandSpreads.apply(
      to: GuardDeferred.apply(to: lowered), diagnostics: &diagnostics)
    let result = Flatten.apply(
      to: expanded, for: .plan, expandsSpreads: true, diagnostics: &diagnostics)
    #expect(diagnostics == [])
    return result
  }

  private static func planned(_ program: IR.Program) -> [String: Set<Part>] {
    var result: [String: Set<Part>] = [:]
    let symbols = program.symbols
    // Type conditions are not part of the path: a plan has a field outside a condition that implies
    // it.
    func add(_ selections: [IR.Selection], _ path: String) {
      for selection in selections {
        switch selection.content {
        case .field(let field):
          let path = path + "." + symbols[field.responseKey]
          let parts = selection.condition.clauses.joined().compactMap(\.deferredPart)
          result[path, default: []].formUnion(
            parts.map { part in
              // The fragment's name without the hash that a copy has in the sent document.
              let fragment = symbols[part.fragment].prefix { $0 != "_" }
              return Part(label: sent(symbols[part.label]), fragment: String(fragment))
            })
          let streams = field.handles.filter { $0.name == "stream" }.flatMap(\.arguments)
          for case .string(let label, _) in streams.map(\.value.kind) {
            result[path, default: []].insert(Part(label: sent(label), fragment: ""))
          }
          add(field.selections, path)
        case .inlineFragment(let fragment):
          add(fragment.selections, path)
        case .spread: continue
        }
      }
    }
    add(program.operations[0].selections, "")
    return result
  }

  /// Returns a label as sent. In a fragment made for repeated selections, the compiler qualifies
  /// the labels a second time.
  private static func sent(_ label: String) -> String {
    PartLabel(label).flatMap { PartLabel($0.name) }?.text ?? label
  }

  /// Expects that the labels of a sent document are unique, and that the plan expects each field
  /// with the parts that can deliver it.
  private static func expectUnique(_ made: Made) {
    #expect(Set(made.labels).count == made.labels.count, "\(made.text)")
    #expect(unplanned(made) == [], "\(made.document)\n\(made.text)")
  }

  /// The fields with parts in the sent document that the plan does not have.
  private static func unplanned(_ made: Made) -> [String] {
    made.expected.filter { path, parts in !parts.isSubset(of: made.planned[path] ?? []) }.map(\.key)
  }

  private let friends = """
    fragment F on User @argumentDefinitions(n: {type: "Int", defaultValue: 1}) {
      ...G @defer friend { ...H @arguments(n: $n) }
    }
    fragment H on User @argumentDefinitions(n: {type: "Int"}) {
      friends(first: $n) @stream(initialCount: 0) { ...G @defer(label: "g$1") }
    }
    fragment G on User { name }
    """

  @Test("each copy of a fragment for its arguments has labels of its own, at any depth")
  func copies() throws {
    let made = try Self.make(
      "query Q { me { ...F } you { ...F @arguments(n: 2) friend { ...F @arguments(n: 3) } } } "
        + friends)
    Self.expectUnique(made)
    #expect(made.labels.count == 9)
    #expect(made.shown == ["F.G", "H.friends", "H.g$1"])
    #expect(made.labels.contains("F$defer$G"))
    #expect(made.labels.contains { $0.hasPrefix("F:") && $0.hasSuffix("$defer$G") })
    #expect(made.labels.contains { $0.hasPrefix("H:") && $0.hasSuffix("$defer$g$1") })
    #expect(made.reader.contains(#"...if "F$defer$G"{...G}"#))
  }

  @Test("the labels of a copy do not depend on the other copies")
  func stable() throws {
    let one = try Self.make("query Q { you { ...F @arguments(n: 2) } } " + friends)
    let two = try Self.make("query Q { me { ...F } you { ...F @arguments(n: 2) } } " + friends)
    #expect(one.labels.allSatisfy(two.labels.contains))
    #expect(one.labels.count == 3 && two.labels.count == 6)
  }

  @Test("a fragment without arguments has its labels once, however often it is spread")
  func repeatedSpreads() throws {
    let made = try Self.make(
      """
      query Q { me { ...F friend { ...F } } you { friend { ...F } } }
      fragment F on User { ...G @defer friends @stream(initialCount: 0) { id } }
      fragment G on User { name }
      """)
    #expect(made.labels == ["F$defer$G", "F$stream$friends"])
    Self.expectUnique(made)
  }

  @Test("the parts of an unmasked fragment belong to the definition around it, and are numbered")
  func unmasked() throws {
    let made = try Self.make(
      """
      query Q { me { ...A } you { ...U } }
      fragment A on User {
        friend { ...G @defer }
        a: friend { ...U @relay(mask: false) }
        b: friend { ...U @relay(mask: false) friend { ...G @defer(label: "own") } }
      }
      fragment U on User { ...G @defer friends @stream(initialCount: 0) { id } }
      fragment G on User { name }
      """)
    Self.expectUnique(made)
    #expect(
      made.labels == [
        "A$defer$G", "A.2$defer$G", "A$stream$friends", "A.3$defer$G", "A.2$stream$friends",
        "A$defer$own", "U$defer$G", "U$stream$friends",
      ])
    #expect(made.reader.contains(#"...if "A.2$defer$G"{...G}"#))
  }

  @Test("an unmasked fragment in a copied fragment has both a number and the copy's name")
  func unmaskedInCopy() throws {
    let made = try Self.make(
      """
      query Q { me { ...A } you { ...A @arguments(n: 2) } }
      fragment A on User @argumentDefinitions(n: {type: "Int"}) {
        friends(first: $n) { ...U @relay(mask: false) }
        friend { ...U @relay(mask: false) }
      }
      fragment U on User { ...G @defer }
      fragment G on User { name }
      """)
    Self.expectUnique(made)
    #expect(made.labels.count == 4)
    #expect(made.labels.contains { $0.hasPrefix("A.2:") })
    #expect(made.shown == ["A.G"])
  }

  @Test("parts that are merged keep one label, and parts of different objects do not share one")
  func merged() throws {
    let unmasked = """
      fragment U on User { ...G @defer friends @stream(initialCount: 0) { id } }
      fragment V on User { ...U @relay(mask: false) }
      fragment G on User { name }
      """
    let twice = try Self.make(
      "query Q { me { ...U @relay(mask: false) ...V @relay(mask: false) } } " + unmasked)
    #expect(twice.labels == ["Q$defer$G", "Q$stream$friends"])
    #expect(twice.planned.values.allSatisfy { $0.count < 2 })
    let own = try Self.make("query Q { me { ...U @relay(mask: false) ...G @defer } } " + unmasked)
    #expect(own.labels == ["Q$defer$G", "Q$stream$friends"])
    let conditions = try Self.make(
      """
      query Q { node { ... on User { ...U @relay(mask: false) } ... on Page { ...U @relay(mask: false) } } }
      fragment U on Node { ...G @defer }
      fragment G on Node { name }
      """)
    #expect(conditions.labels == ["Q$defer$G", "Q.2$defer$G"])
    Self.expectUnique(conditions)
    let outer = try Self.make(
      """
      query Q { node { friend { ...U @relay(mask: false) } ... on User { friend { ...U @relay(mask: false) } } } }
      fragment U on User { ...G @defer }
      fragment G on User { name }
      """)
    #expect(outer.labels == ["Q$defer$G", "Q.2$defer$G"])
  }

  @Test("unmasked parts with one label and different fragments are different parts")
  func differentFragments() throws {
    let made = try Self.make(
      """
      query Q { me { ...U @relay(mask: false) ...V @relay(mask: false) } }
      fragment U on User { ...G @defer(label: "x") }
      fragment V on User { ...H @defer(label: "x") }
      fragment G on User { name }
      fragment H on User { friend { id } }
      """)
    #expect(made.labels == ["Q$defer$x", "Q.2$defer$x"])
    Self.expectUnique(made)
  }

  @Test("selections that the text has once for each of several conditions have their labels once")
  func conditions() throws {
    let made = try Self.make(
      """
      query Q($a: Boolean!, $b: Boolean!) {
        me @include(if: $a) { ...F @defer }
        me @skip(if: $b) { name friends @stream(initialCount: 0) @include(if: $a) { id } }
      }
      fragment F on User { friend { ...G @include(if: $a) @defer } friend { ...G @include(if: $b) } }
      fragment G on User { name }
      fragment Q_1 on User { id }
      """)
    #expect(made.labels == ["Q$defer$F", "Q$stream$friends"])
    Self.expectUnique(made)
    #expect(made.text.contains("{...@include(if:$a){...Q_1_} ...@skip(if:$b){...Q_1_}}"))
    #expect(made.text.contains("fragment Q_1_ on Query{me{id "))
    #expect(made.text.contains("fragment F on User{friend{id ...@include(if:$a){...G}"))
  }

  @Test("deferred spreads that the text merges have one label in the plan too")
  func mergedSpreads() throws {
    let made = try Self.make(
      """
      query Q($a: Boolean!, $b: Boolean!) {
        me { ...F @defer @include(if: $a) ... on User { ...F @defer(label: "2") @skip(if: $b) } }
        you { ...H @arguments(n: 2) @alias(as: "one") @defer(label: "3") }
        you { ...H @arguments(n: 2) @alias(as: "two") @defer(label: "4", if: $a) @include(if: $b) }
        you { ...H @arguments(n: 2) @alias(as: "three") @defer(label: "5") @skip(if: $b) }
      }
      fragment F on User { name }
      fragment H on User @argumentDefinitions(n: {type: "Int"}) { friends(first: $n) { id } }
      """)
    #expect(made.labels == ["Q$defer$F"])
    Self.expectUnique(made)
    #expect(made.planned[".me.name"]?.map(\.label) == ["Q$defer$F"])
    let narrower = try Self.make(
      """
      query Q($a: Boolean!, $b: Boolean!) {
        node { ...F @defer @include(if: $a) ... on User { ...F @defer(label: "2") @skip(if: $b) } }
      }
      fragment F on User { name }
      """)
    #expect(narrower.labels == ["Q$defer$F"])
    #expect(narrower.planned[".node.name"]?.map(\.label) == ["Q$defer$F"])
  }

  @Test("a spread under a type condition stays if it is deferred less than the one around it")
  func lessDeferred() throws {
    func text(_ directives: String) throws -> String {
      try Self.make(
        """
        query Q($a: Boolean!) {
          me { id @include(if: $a) }
          node { ...F @defer ... on User { ...F \(directives) } }
        }
        fragment F on Node { name }
        """
      ).text
    }
    #expect(try text("").contains("...on User{...F}"))
    #expect(
      try text(#"@defer(label: "2", if: $a)"#)
        .contains(#"...on User{...F@defer(label:"Q$defer$2",if:$a)}"#))
    #expect(try !text(#"@defer(label: "2")"#).contains("...on User"))
  }

  @Test("a label that is written like one of another definition is qualified")
  func foreignLabels() throws {
    let made = try Self.make(
      """
      query Q { me { ...A ...B } }
      fragment A on User { ...G @defer(label: "B$defer$G") }
      fragment B on User { friend { ...G @defer } }
      fragment G on User { name }
      """)
    #expect(made.labels == ["A$defer$B$defer$G", "B$defer$G"])
    Self.expectUnique(made)
  }

  @Test("a text that is sent has the same labels when it is compiled")
  func compiledAgain() throws {
    let made = try Self.make(
      "query Q { me { ...F } you { ...F @arguments(n: 2) ...U @relay(mask: false) } "
        + "friend: me { ...U @relay(mask: false) } } fragment U on User { ...G @defer } " + friends)
    let again = try Self.make(made.text)
    #expect(again.labels == made.labels)
    Self.expectUnique(again)
  }

  @Test("labels are unique in random documents, and those of the plan")
  func random() throws {
    let seed = UInt64.random(in: 0 ... .max)
    var (fields, unplanned) = (0, 0)
    var reached = [":": 0, ".": 0, "_1 on": 0]
    for index in UInt64(0)..<50 {
      var documents = PartLabelDocuments(seed: seed &+ index)
      let made = try Self.make(documents.document(), schema: PartLabelDocuments.schema)
      #expect(Set(made.labels).count == made.labels.count, "\(seed &+ index): \(made.text)")
      fields += made.expected.values.count { !$0.isEmpty }
      unplanned += Self.unplanned(made).count
      let owners = made.labels.map { $0.prefix { $0 != "$" } }
      if owners.contains(where: { $0.contains(":") }) { reached[":", default: 0] += 1 }
      if owners.contains(where: { $0.contains(".") }) { reached[".", default: 0] += 1 }
      if made.text.contains("_1 on ") { reached["_1 on", default: 0] += 1 }
    }
    print("seed \(seed): \(fields) fields in parts, \(unplanned) not planned, \(reached)")
    #expect(reached.values.allSatisfy { $0 > 0 })
    // If a field has very many parts, its guard does not name all of them.
    #expect(fields > 250 && unplanned * 50 < fields)
  }
}
