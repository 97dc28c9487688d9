import GraphQLLanguage
import RelayCompiler
import Testing

/// The sent document must be valid for a server, which judges each selection by the type of the
/// enclosing selection set.
@Suite("Texts that servers accept", .timeLimit(.minutes(1)))
struct SentTextTests {
  private func compile(
    _ document: String, _ schema: String, _ options: EmissionOptions = EmissionOptions()
  ) -> Compilation {
    Compiler.compile(
      CompilationInput(
        sources: [
          .init(
            path: "a.graphql", bytes: ContiguousArray(document.utf8), output: "a.swift")
        ],
        schema: [Source(path: "schema.graphql", schema)], options: options, makesManifest: true))
  }

  /// Returns the document sent for the first operation; a server with the schema accepts it.
  private func sent(
    _ document: String, _ schema: String, _ options: EmissionOptions = EmissionOptions()
  ) throws -> String {
    let compilation = compile(document, schema, options)
    #expect(!compilation.diagnostics.hasErrors, "\(compilation.diagnostics)")
    let text = try #require(compilation.manifest.first?.text)
    let workspace = Workspace()
    let built = Schema.build(
      from: [workspace.parse(Source(path: "schema.graphql", schema)).document], in: workspace)
    let parsed = workspace.parse(Source(path: "text", text))
    let errors = built.validate([parsed.document], mode: .specification)
    #expect(parsed.diagnostics + errors == [], "\(text)")
    return text
  }

  // MARK: Type conditions

  private static let union = """
    type Query { j: J } interface J { y: Int } type A implements J { y: Int }
    type B implements J { y: Int } union U = A | B
    """

  @Test("a condition stays that only an outer selection set implies")
  func innermost() throws {
    #expect(
      try sent("query JQuery { j { ... on U { ... on J { y } } } }", Self.union)
        == "query JQuery{j{__typename ...on U{__isU:__typename ...on J{__isJ:__typename y}}}}")
    #expect(
      try sent(
        "query JQuery { j { ... on U { ...F } } } fragment F on J { y ... on U { ... on A { y } } }",
        Self.union)
        == "query JQuery{j{__typename ...on U{__isU:__typename ...on J{__isJ:__typename ...F}}}}"
        + "fragment F on J{y ...on U{__isU:__typename}}")
  }

  @Test("a condition on an interface stays whose field has a narrower type in the object")
  func covariance() throws {
    let schema = """
      type Query { al: AL s: S } interface L { edges: [E] n: Int } interface E { b: Int }
      type AE implements E { b: Int } type BE implements E { b: Int }
      type AL implements L { edges: [AE] n: Int! } type BL { n: Int } union S = AL | BL
      """
    #expect(
      try sent("query LQuery { al { ... on L { edges { ... on BE { b } } } } }", schema)
        == "query LQuery{al{...on L{__isL:__typename edges{__typename ...on BE{b}}}}}")
    #expect(
      try sent("query LQuery { al { ... on L { edges { b } } n } }", schema)
        == "query LQuery{al{...on L{__isL:__typename edges{__typename b}} n}}")
    // Inlined, AL.n of type Int! would conflict with BL.n.
    #expect(
      try sent(
        "query LQuery { s { ... on AL { ... on L { n } } ... on BL { n } } }", schema)
        == "query LQuery{s{__typename ...on AL{...on L{__isL:__typename n}} ...on BL{n}}}")
  }

  @Test("a condition on an interface stays whose argument has a default that the object's lacks")
  func argumentDefaults() throws {
    let schema = """
      type Query { al: AL } interface L { f(n: Int! = 1): Int } type AL implements L { f(n: Int!): Int }
      """
    #expect(
      try sent("query LQuery($n: Int) { al { ... on L { f(n: $n) } } }", schema)
        == "query LQuery($n:Int){al{...on L{__isL:__typename f(n:$n)}}}")
  }

  // MARK: Identity fields

  @Test("ids of several types are selected under keys of their own")
  func ids() throws {
    let schema = """
      type Query { ev: Ev evs: [Ev] pair: Pair } interface Ev { at: String }
      type C implements Ev { at: String id: ID } type D implements Ev { at: String id: ID! }
      type E { id: String! } union Pair = C | E type Other { ev: Ev }
      """
    #expect(
      try sent("query EvQuery { ev { at } }", schema)
        == "query EvQuery{ev{__typename ...on C{__id_ID:id} ...on D{__id_ID_NonNull:id} at}}")
    // Fields that the document selects keep their response keys.
    #expect(
      try sent("query PairQuery { pair { ... on E { id } } }", schema)
        == "query PairQuery{pair{__typename ...on C{__id_ID:id} ...on E{id}}}")
    // The fragment is copied for the operation that needs it in this form.
    let document = """
      query PairQuery { pair { ...P ... on E { id } } } fragment P on Pair { __typename }
      query OtherQuery { pair { ...P } }
      """
    let texts = compile(document, schema).manifest.map(\.text)
    #expect(
      texts == [
        "query OtherQuery{pair{__typename ...on C{id} ...P}}fragment P on Pair{__typename}",
        "query PairQuery{pair{__typename ...on C{__id_ID:id} ...P_PairQuery ...on E{id}}}"
          + "fragment P_PairQuery on Pair{__typename}",
      ])
  }

  @Test("a field that a fragment selects conflicts with an id beside its spread")
  func idsBesideSpread() throws {
    let schema =
      "type Query { pair: Pair } type C { id: ID } type E { id: String! } union Pair = C | E"
    let text = try sent(
      "query PairQuery { pair { ...P } } fragment P on Pair { ... on E { id } }", schema)
    #expect(
      text
        == "query PairQuery{pair{__typename ...on C{__id_ID:id} ...P_PairQuery}}"
        + "fragment P_PairQuery on Pair{...on E{id}}")
  }

  @Test("the plan has the key of the text, so that the object keeps its identity")
  func plan() throws {
    let schema = """
      type Query { pair: Pair } type C { id: ID } type E { id: String! code: ID! }
      union Pair = C | E
      """
    let files = compile("query PairQuery { pair { ... on E { id } } }", schema).files
    let text = files.map(\.text).joined()
    #expect(
      text.contains("pair *Pair{__typename String! ...on C{__id_ID:id ID} ...on E{id String!}}"))
  }

  @Test("key fields of several types are selected under keys of their own")
  func keyFields() throws {
    let schema = """
      type Query { place: Place } type City { code: Int! } type Country { code: String! }
      union Place = City | Country
      """
    let options = EmissionOptions(keyFields: ["City": ["code"], "Country": ["code"]])
    #expect(
      try sent("query PlaceQuery { place { __typename } }", schema, options)
        == "query PlaceQuery{place{__typename ...on City{__code_Int_NonNull:code} ...on Country{__code_String_NonNull:code}}}"
    )
  }

  // MARK: Arguments of fragments

  private static let arguments = """
    type Query { me: P } type P { f(n: Int! = 10): Int g(n: Int!): Int i(i: In): Int }
    input In { n: Int! = 3 }
    """

  private func errors(_ document: String) -> [String] {
    compile(document, Self.arguments).diagnostics.filter { $0.severity == .error }.map {
      let span = $0.primarySpan
      let place = document.utf8.dropFirst(Int(span.start)).prefix(Int(span.end - span.start))
      return "\(String(Substring(place))): \($0.message)"
    }
  }

  @Test(
    "a null default is an error where the fragment's argument must not be null",
    arguments: ["f(n: $c)", "i(i: {n: $c})", "...G @arguments(d: $c)"])
  func nullDefaults(use: String) {
    let document = """
      query NQuery { me { ...F } }
      fragment F on P @argumentDefinitions(c: {type: "Int", defaultValue: null}) { \(use) }
      fragment G on P @argumentDefinitions(d: {type: "Int"}) { f(n: $d) }
      """
    #expect(
      errors(document) == [
        "null: Variable \"$c\" of type \"Int\" has the default value null, and is used in position expecting "
          + "type \"Int!\"."
      ])
  }

  @Test("a null that a spread passes is an error there")
  func passedNulls() {
    #expect(
      errors(
        """
        query NQuery { me { ...F @arguments(c: null) } }
        fragment F on P @argumentDefinitions(c: {type: "Int"}) { f(n: $c) }
        """) == [
          "null: Variable \"$c\" of fragment \"F\" must not be null, because it is used in position expecting type "
            + "\"Int!\"."
        ])
  }

  @Test("a variable that may be null is an error where no value is optional")
  func passedVariables() throws {
    func document(_ use: String, _ type: String = "Int") -> String {
      """
      query NQuery($v: \(type)) { me { ...F @arguments(c: $v) } }
      fragment F on P @argumentDefinitions(c: {type: "Int", defaultValue: 5}) { \(use) }
      """
    }
    #expect(
      errors(document("g(n: $c)")) == [
        "$v: Int: Variable \"$v\" of type \"Int\" used in position expecting type \"Int!\"."
      ])
    #expect(errors(document("g(n: $c)", "Int! ")) == [])
    #expect(
      try sent(document("f(n: $c)"), Self.arguments).contains("f(n:$v)"))
    // An operation variable in a fragment that has its own variables.
    #expect(
      errors(
        """
        query NQuery($v: Int) { me { ...F } }
        fragment F on P @argumentDefinitions(c: {type: "Int!", defaultValue: 1}) {
          g(n: $c) ...G @arguments(d: $v)
        }
        fragment G on P @argumentDefinitions(d: {type: "Int", defaultValue: 5}) { g(n: $d) }
        """) == [
          "$v: Int: Variable \"$v\" of type \"Int\" used in position expecting type \"Int!\"."
        ])
    // A condition accepts null, but the sent document has none for it.
    #expect(
      errors(
        """
        query NQuery { me { ...F } }
        fragment F on P @argumentDefinitions(c: {type: "Boolean", defaultValue: false}) {
          g(n: 1) @include(if: $c) ...G @arguments(d: null)
        }
        fragment G on P @argumentDefinitions(d: {type: "Boolean", defaultValue: true}) {
          f @skip(if: $d)
        }
        """) == [])
  }
}
