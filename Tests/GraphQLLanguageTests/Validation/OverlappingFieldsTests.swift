import GraphQLLanguage
import Testing

@Suite("Overlapping fields", .timeLimit(.minutes(1))) struct OverlappingFieldsTests {
  @Test("different fields, arguments or types under one response key conflict, with all locations")
  func conflicts() {
    #expect(
      errors(in: "{ dog { a: name a: nickname } }") == ["overlapping-fields-can-be-merged 1:9 1:17"]
    )
    #expect(
      errors(in: "{ dog { name name(surname: true) } }")
        == ["overlapping-fields-can-be-merged 1:9 1:14"])
    #expect(
      errors(in: "{ pet { ... on Dog { volume } ... on Cat { volume } } }")
        == ["overlapping-fields-can-be-merged 1:22 1:44"])
    #expect(
      errors(in: "{ dog { a: name } dog { a: nickname } }")
        == ["overlapping-fields-can-be-merged 1:3 1:9 1:19 1:25"])
  }

  @Test("fields of mutually exclusive types may differ, and the order of arguments is irrelevant")
  func mergeable() {
    #expect(errors(in: "{ pet { ... on Dog { a: name } ... on Cat { a: nickname } } }") == [])
    #expect(
      errors(
        in: "{ dog { friends(first: 1, by: NAME) { name } friends(by: NAME, first: 1) { name } } }")
        == [])
  }

  @Test("a conflict in an inline fragment is reported once, however deeply it is nested")
  func once() {
    #expect(
      errors(in: "{ pet { ... on Dog { name name(surname: true) } } }")
        == ["overlapping-fields-can-be-merged 1:22 1:27"])
    #expect(
      errors(in: "{ pet { ... on Pet { ... on Dog { name name(surname: true) } } } }")
        == ["overlapping-fields-can-be-merged 1:35 1:40"])
    #expect(
      errors(in: "{ pet { ... on Dog { friends { a: name } friends { a: nickname } } } }")
        == ["overlapping-fields-can-be-merged 1:22 1:32 1:42 1:52"])
    // Three fields form three conflicting pairs.
    #expect(
      errors(in: "{ pet { ... on Dog { a: name a: nickname a: volume } } }").count == 3)
  }

  @Test("a conflict is found in the fragments that two fragments spread")
  func throughFragments() {
    let document = """
      { dog { ...A ...B } }
      fragment A on Dog { ...C }
      fragment B on Dog { x: nickname }
      fragment C on Dog { x: name }
      """
    #expect(errors(in: document) == ["overlapping-fields-can-be-merged 4:21 3:21"])
  }

  @Test("a fragment in one of two merged fields conflicts with the other field, in either order")
  func inMergedFields() {
    let fragment = "fragment A on Dog { x: name }"
    #expect(
      errors(in: "{ dog { friends { ...A } friends { x: nickname } } }\n" + fragment)
        == ["overlapping-fields-can-be-merged 1:9 1:36 1:26 2:21"])
    #expect(
      errors(in: "{ dog { friends { x: nickname } friends { ...A } } }\n" + fragment)
        == ["overlapping-fields-can-be-merged 1:9 1:19 1:33 2:21"])
  }

  @Test("forty levels of fragments that each spread two others are compared in less than a second")
  func fragmentLadder() {
    var document = "{ dog { ...F0 } }\n"
    for level in 0..<40 {
      document += "fragment F\(level) on Dog { ...F\(level + 1) ...G\(level + 1) }\n"
      document += "fragment G\(level) on Dog { ...F\(level + 1) ...G\(level + 1) }\n"
    }
    document += "fragment F40 on Dog { a: name } fragment G40 on Dog { a: nickname }"
    var found: [String] = []
    #expect(processorSeconds { found = errors(in: document) } < 1)
    #expect(found.contains { $0.hasPrefix("overlapping-fields-can-be-merged") })
  }

  @Test("forty such levels with the spreads in nested fields are compared in less than a second")
  func nestedLadder() {
    var document = "{ dog { ...F0 } }\n"
    for level in 0..<40 {
      let inner = "friends { ...F\(level + 1) ...G\(level + 1) }"
      document += "fragment F\(level) on Dog { \(inner) }\nfragment G\(level) on Dog { \(inner) }\n"
    }
    document += "fragment F40 on Dog { a: name } fragment G40 on Dog { a: name }"
    let time = processorSeconds {
      #expect(errors(in: document) == ["no-unused-fragments 3:1"])
    }
    #expect(time < 1)
  }

  @Test("a chain or cycle of ten thousand fragments is validated without recursion")
  func longChains() {
    var document = "{ dog { ...F0 } }\n"
    for level in 0..<10_000 { document += "fragment F\(level) on Dog { ...F\(level + 1) }\n" }
    #expect(errors(in: document + "fragment F10000 on Dog { name }") == [])
    let cyclic = errors(in: document + "fragment F10000 on Dog { ...F0 }")
    #expect(cyclic.count == 1)
    #expect(cyclic.first?.hasPrefix("no-fragment-cycles") == true)
  }

  @Test("the comparisons of a leaf field repeated thousands of times are bounded")
  func repeatedFields() {
    let document = "{ dog { " + String(repeating: "name ", count: 20_000) + "} }"
    let time = processorSeconds { #expect(errors(in: document) == []) }
    #expect(time < 2)
  }

  @Test("overlap beyond the depth limit is reported once and not followed")
  func limits() {
    var document = "{ dog { ...F0 ...G0 } }\n"
    for level in 0..<400 {
      document += "fragment F\(level) on Dog { friends { ...F\(level + 1) } }\n"
      document += "fragment G\(level) on Dog { friends { ...G\(level + 1) } }\n"
    }
    document += "fragment F400 on Dog { name } fragment G400 on Dog { name }"
    let found = errors(in: document)
    #expect(found.count == 1)
    #expect(found.first?.hasPrefix("overlapping-fields-can-be-merged") == true)
  }

  /// Returns the conflicts in `document` together with a long chain of fragments. The chain makes
  /// validation merge fields instead of comparing them in pairs.
  private func merged(_ document: String) -> [String] {
    var text = document + "\n{ dog { ...F0 } }"
    for level in 0..<400 { text += " fragment F\(level) on Dog { nickname ...F\(level + 1) }" }
    return errors(in: text + " fragment F400 on Dog { nickname }")
      .filter { $0.hasPrefix("overlapping") }
  }

  @Test(
    "merging fields, for documents with too many pairs, finds the conflicts of the comparison",
    arguments: [
      ("query A { dog { a: name a: nickname } }", true),
      ("query A { dog { name name(surname: true) } }", true),
      ("query A { pet { ... on Dog { volume } ... on Cat { volume } } }", true),
      ("query A { dog { a: name } dog { a: nickname } }", true),
      ("query A { pet { ... on Dog { a: name } ... on Cat { a: nickname } } }", false),
      ("query A { pet { a: name ... on Cat { a: nickname } } }", true),
      (
        "query A { catOrDog { ... on Dog { x: owner { a: name } } ... on Cat { x: owner { a: name(surname: true) } } } }",
        false
      ),
      (
        "query A { catOrDog { ... on Dog { x: owner { a: name } } ... on Cat { x: owner { a: pets { name } } } } }",
        true
      ),
      (
        "query A { dog { friends(first: 1, by: NAME) { name } friends(by: NAME, first: 1) { name } } }",
        false
      ),
      (
        "query A { dog { ...A ...B } } fragment A on Dog { x: name } fragment B on Dog { x: nickname }",
        true
      ),
      ("fragment A on Dog { x: name ...B } fragment B on Dog { x: nickname }", true),
      (
        "fragment A on Dog { friends { ...B } friends { x: name } } fragment B on Dog { x: nickname }",
        true
      ),
      ("fragment A on Dog { x: name ...B } fragment B on Dog { x: nickname ...A }", true),
    ])
  func merging(document: String, conflicts: Bool) {
    #expect(errors(in: document).contains { $0.hasPrefix("overlapping") } == conflicts)
    #expect(merged(document).count == (conflicts ? 1 : 0))
  }
}
