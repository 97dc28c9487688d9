import GraphQLLanguage
import Testing

@Suite("Validation in Relay's mode", .timeLimit(.minutes(1))) struct RelayModeTests {
  private func relayErrors(_ documents: String...) -> [String] {
    let (found, workspace) = diagnostics(in: documents, mode: .relay)
    return report(found, in: workspace)
  }

  @Test("fragments may be unused, but operations must have names")
  func names() {
    #expect(relayErrors("fragment F on Dog { name }") == [])
    #expect(relayErrors("{ dog { name } }") == ["named-operations 1:1"])
    #expect(relayErrors("{ dog { name } } query B { dog { name } }") == ["named-operations 1:1"])
  }

  @Test("Relay's directives and fields are defined and validated")
  func directives() {
    let document = """
      query Q @throwOnFieldError { dog { __id name @required(action: LOG) ...F @relay(mask: false) } }
      fragment F on Dog @refetchable(queryName: "R") @argumentDefinitions(n: { type: "Int" }) {
        friends(first: $n) @connection(key: "F_friends") { name @catch(to: NULL) }
      }
      """
    #expect(relayErrors(document).filter { !$0.hasPrefix("known-type-names") } == [])
    #expect(
      relayErrors("fragment F on Dog { friends @connection { name } }")
        == ["provided-required-arguments 1:29"])
    #expect(relayErrors("fragment F on Dog { name @inline }") == ["known-directives 1:26"])
    #expect(errors(in: "{ dog { __id } }") == ["fields-on-correct-type 1:9"])
  }

  @Test("a fragment's own variables are validated without a definition in an operation")
  func localVariables() {
    let fragment = """
      fragment F on Dog @argumentDefinitions(n: { type: "Int!", defaultValue: 3 }) {
        friends(first: $n) { name }
      }
      """
    #expect(relayErrors("query Q { dog { ...F } }", fragment) == [])
    #expect(
      relayErrors("query Q($m: Int!) { dog { ...F @arguments(n: $m) } }", fragment) == [])
    #expect(
      relayErrors("query Q($m: String) { dog { ...F @arguments(n: $m) } }", fragment)
        == ["variables-in-allowed-position 1:9 1:48"])
    #expect(
      relayErrors("query Q { dog { ...F @arguments(n: \"x\") } }", fragment)
        == ["values-of-correct-type 1:36"])
    #expect(
      relayErrors("query Q { dog { ...F @arguments(m: 1) } }", fragment)
        == ["known-fragment-arguments 1:33"])
    let required = """
      fragment F on Dog @argumentDefinitions(n: { type: "Int!" }) { friends(first: $n) { name } }
      """
    #expect(
      relayErrors("query Q { dog { ...F } }", required)
        == ["required-fragment-arguments 1:17 1:40"])
    #expect(
      relayErrors("fragment F on Dog @argumentDefinitions(n: { type: \"Int\" }) { name }")
        == ["no-unused-fragment-arguments 1:40"])
  }

  @Test("a null default does not permit a nullable fragment variable in a non-null position")
  func nullDefault() {
    func found(_ declaration: String) -> [String] {
      relayErrors(
        "fragment F on Dog @argumentDefinitions(l: \(declaration)) { barks(loud: $l) }")
    }
    #expect(found("{ type: \"Boolean\", defaultValue: true }") == [])
    #expect(
      found("{ type: \"Boolean\", defaultValue: null }")
        == ["variables-in-allowed-position 1:40 1:98"])
    #expect(found("{ type: \"Boolean\" }") == ["variables-in-allowed-position 1:40 1:78"])
  }

  @Test("the declarations in @argumentDefinitions are validated")
  func argumentDefinitions() {
    func rules(_ declaration: String) -> [String] {
      relayErrors(
        "fragment F on Dog @argumentDefinitions(n: \(declaration)) { friends(first: $n) { name } }")
    }
    #expect(rules("{ type: \"Int\", defaultValue: 1 }") == [])
    #expect(rules("3") == ["fragment-argument-definitions 1:43"])
    #expect(rules("{ defaultValue: 1 }") == ["fragment-argument-definitions 1:43"])
    #expect(rules("{ type: 3 }") == ["fragment-argument-definitions 1:51"])
    #expect(rules("{ type: \"Dog\" }").contains("fragment-argument-definitions 1:51"))
    #expect(rules("{ type: \"Int\", provider: \"p\" }") == [])
    #expect(rules("{ type: \"Int\", provider: \"p q\" }") == ["fragment-argument-definitions 1:68"])
    #expect(rules("{ type: \"Int\", defaultValue: \"x\" }") == ["values-of-correct-type 1:72"])
  }

  @Test("the type of a fragment's variable may be unquoted, also a list type")
  func unquotedTypes() {
    func rules(_ declaration: String) -> [String] {
      relayErrors(
        "fragment F on Dog @argumentDefinitions(n: \(declaration)) { friends(first: $n) { name } }")
    }
    #expect(rules("{ type: Int, defaultValue: 3 }") == [])
    #expect(rules("{ type: Int, defaultValue: \"x\" }") == ["values-of-correct-type 1:70"])
    #expect(rules("{ type: String }") == ["variables-in-allowed-position 1:40 1:78"])
    #expect(rules("{ type: [Int] }") == ["variables-in-allowed-position 1:40 1:77"])
    #expect(rules("{ type: Dog }").contains("fragment-argument-definitions 1:51"))
    #expect(rules("{ type: Nothing }").contains("fragment-argument-definitions 1:51"))
    for declaration in ["{ type: null }", "{ type: [] }", "{ type: [Int, Int] }", "{ type: true }"]
    {
      #expect(rules(declaration) == ["fragment-argument-definitions 1:51"])
    }
  }

  @Test("the other variables in a fragment are defined by the operation")
  func globalVariables() {
    let fragment = "fragment F on Dog { friends(first: $n) { name } }"
    #expect(relayErrors("query Q($n: Int) { dog { ...F } }", fragment) == [])
    #expect(
      relayErrors("query Q { dog { ...F } }", fragment) == ["no-undefined-variables 1:36 1:1"])
  }
}
