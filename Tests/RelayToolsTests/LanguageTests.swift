import GraphQLLanguage
import Testing

@testable import RelayCompiler
@testable import RelayTools

@Suite("Language of positions", .timeLimit(.minutes(1)))
struct LanguageTests {
  // MARK: Hover

  @Test(
    "hovering shows the declaration and the description",
    arguments: [
      ("query Q { me { na‸me } }", "User.name: String!", "How one is called."),
      ("query Q { me { login‸ } }", "User.login: String", "**Deprecated:** Use name."),
      (
        "query Q { me { friends(first: 1, sta‸tus: AWAY) { id } } }", "status: Status = ACTIVE",
        "In what state."
      ),
      ("query Q { me { friends(status: ‸ACTIVE) { id } } }", "Status.ACTIVE", "Is here."),
      ("query Q { users(filter: {fri‸ends: {name: \"\"}}) { id } }", "friends: Filter", ""),
      ("query Q { me { ... on Us‸er { id } } }", "type User implements Node", "Somebody."),
      ("query Q($s: ‸Status) { me { friends(status: $s) { id } } }", "enum Status", "A state."),
      ("query Q($s: Status) { me { friends(status: $‸s) { id } } }", "$s: Status", ""),
      (
        "query Q { me @inclu‸de(if: true) { id } }",
        "directive @include(if: Boolean!) on FIELD | FRAGMENT_SPREAD | INLINE_FRAGMENT", ""
      ),
      (
        "query Q { me { ...‸F } } \"One.\" fragment F on User @argumentDefinitions(n: {type: \"Int\", defaultValue: 2}) { friends(first: $n) { id } }",
        "fragment F($n: Int = 2) on User", "One.\n\nSwift: `struct F`"
      ),
      (
        "query ‸FeedQuery($n: Int) { me { friends(first: $n) { id } } }",
        "query FeedQuery($n: Int)", "Swift: `struct FeedQuery`"
      ),
      ("query Q { me { __typ‸ename } }", "User.__typename: String!", ""),
      ("query Q { me { best‸Friend: best { id } } }", "User", ""),
    ])
  func hover(text: String, declaration: String, description: String) throws {
    let project = LanguageProject(["A.graphql": text])
    let hover = try #require(project.hover())
    #expect(hover.markdown.hasPrefix("```graphql\n\(declaration)\n```"))
    if !description.isEmpty { #expect(hover.markdown.contains(description)) }
    #expect(
      hover.range.bytes.contains(project.position.offset)
        || hover.range.bytes.upperBound == project.position.offset)
  }

  @Test(
    "there is nothing to say about white space, strings and Swift",
    arguments: [
      "query Q { ‸ me { id } }", "query Q { users(filter: {name: \"na‸me\"}) { id } }",
      "# na‸me\nquery Q { me { id } }",
    ])
  func noHover(text: String) {
    let project = LanguageProject(["A.graphql": text])
    #expect(project.hover() == nil)
    let swift = LanguageProject(["A.swift": "let na‸me = graphql(\"query Q { me { name } }\")"])
    #expect(swift.hover() == nil)
  }

  @Test(
    "positions in Swift literals are those of the document",
    arguments: [
      "let q = graphql(\"\"\"\n    query Q {\n      me { na‸me }\n    }\n    \"\"\")",
      "let q = graphql(\"\"\"\r\n  query Q {\r\n    # 👩‍👩‍👧\r\n    me { na‸me }\r\n  }\r\n  \"\"\")",
      "let 🙂 = 1; let q = graphql(\"query Q { users(filter: {name: \\\"\\u{1F600}\\\"}) { na‸me } }\")",
      "let q = graphql(#\"\"\"\n\tquery Q { users(filter: {name: \"\\n\"}) { ‸name } }\n\t\"\"\"#)",
      "let a = graphql(\"fragment A on User { id }\")\nlet b = graphql(\"query Q { me { name‸ } }\")",
      "let q = graphql(\"\"\"\n  query Q { \\\n  me { na‸me } }\n  \"\"\")",
    ])
  func literals(text: String) throws {
    let project = LanguageProject(["A.swift": text])
    let hover = try #require(project.hover())
    #expect(hover.markdown.contains("User.name: String!"))
    #expect(project.text(hover.range) == "name")
  }

  // MARK: Definitions and references

  @Test("a spread leads to its fragment, a field to the schema, a variable to its declaration")
  func definitions() {
    let fragment = "let f = graphql(\"fragment F on User { id }\")"
    var project = LanguageProject(["A.graphql": "query Q { me { ...‸F } }", "B.swift": fragment])
    #expect(project.texts(project.definitions()) == ["B.swift:F"])
    project = LanguageProject(["A.graphql": "query Q { me { ‸name } }"])
    #expect(project.texts(project.definitions()) == ["schema.graphql:name"])
    project = LanguageProject([
      "A.graphql": "query Q($n: Int) { me { friends(first: $‸n) { id } } }"
    ])
    let found = project.definitions()
    #expect(found.map(\.bytes) == [9..<10])
  }

  @Test("the references of a field are its selections on the type, and its definition")
  func references() {
    let project = LanguageProject([
      "A.graphql": "query Q { me { ‸name best { name } team { title } } }",
      "B.graphql": "fragment F on User { alias: name } fragment G on Node { ... on User { name } }",
    ])
    let all = project.references(includesDefinitions: true)
    #expect(
      project.texts(all) == [
        "A.graphql:name", "A.graphql:name", "B.graphql:name", "B.graphql:name",
        "schema.graphql:name",
      ])
    let uses = project.references(includesDefinitions: false)
    #expect(uses.count == 4)
  }

  // MARK: Renaming

  @Test("renaming a fragment changes its spreads in all files")
  func renameFragment() throws {
    let project = LanguageProject([
      "A.graphql": "query Q { me { ...‸F best { ...F } } }",
      "B.swift": "let f = graphql(\"\"\"\n  fragment F on User { id }\n  \"\"\")",
    ])
    let edits = try project.rename(to: "Card_user")
    #expect(
      project.text(of: "A.graphql", after: edits)
        == "query Q { me { ...Card_user best { ...Card_user } } }")
    #expect(
      project.text(of: "B.swift", after: edits)
        == "let f = graphql(\"\"\"\n  fragment Card_user on User { id }\n  \"\"\")")
  }

  @Test(
    "renaming a variable changes it in the fragments and operations that share it, and in no other")
  func renameVariable() throws {
    let project = LanguageProject([
      "A.graphql": "query A($n: Int) { me { ...F friends(first: $‸n) { id } } }",
      "B.graphql":
        "query B($n: Int) { me { ...G } } query C($n: Int) { me { friends(first: $n) { id } } }",
      "F.graphql":
        "fragment F on User { friends(first: $n) { id } } fragment G on User { ...F ...H @arguments(n: $n) }",
      "H.graphql":
        "fragment H on User @argumentDefinitions(n: {type: \"Int\"}) { x: friends(first: $n) { id } }",
    ])
    let edits = try project.rename(to: "size")
    #expect(
      project.text(of: "A.graphql", after: edits)
        == "query A($size: Int) { me { ...F friends(first: $size) { id } } }")
    #expect(
      project.text(of: "B.graphql", after: edits)
        == "query B($size: Int) { me { ...G } } query C($n: Int) { me { friends(first: $n) { id } } }"
    )
    #expect(
      project.text(of: "F.graphql", after: edits)
        == "fragment F on User { friends(first: $size) { id } } fragment G on User { ...F ...H @arguments(n: $size) }"
    )
    #expect(!edits.contains { $0.range.path == "H.graphql" })
  }

  @Test("renaming a fragment's own variable changes its uses and the arguments of spreads")
  func renameFragmentVariable() throws {
    let project = LanguageProject([
      "A.graphql": "query A($n: Int) { me { ...F @arguments(n: $n) } }",
      "F.graphql":
        "fragment F on User @argumentDefinitions(‸n: {type: \"Int\"}) { friends(first: $n) { id } }",
    ])
    let edits = try project.rename(to: "size")
    #expect(
      project.text(of: "A.graphql", after: edits)
        == "query A($n: Int) { me { ...F @arguments(size: $n) } }")
    #expect(
      project.text(of: "F.graphql", after: edits)
        == "fragment F on User @argumentDefinitions(size: {type: \"Int\"}) { friends(first: $size) { id } }"
    )
  }

  @Test("renaming an operation changes its name in the configuration")
  func renameConfigured() throws {
    var options = EmissionOptions()
    options.maxAges = ["Q": 10]
    let session = Session(
      CompilationInput(
        sources: [
          .init(path: "A.graphql", bytes: ContiguousArray("query Q { me { id } }".utf8), output: "")
        ],
        schema: [Source(path: "schema.graphql", LanguageProject.schema)], options: options,
        configuration: Source(path: "relay.config.json", "{\"maxAge\": {\"Q\": 10}}")))
    let edits = try session.rename(at: FilePosition(path: "A.graphql", offset: 6), to: "R")
    #expect(
      edits == [
        FileEdit(FileRange(path: "A.graphql", bytes: 6..<7), "R"),
        FileEdit(FileRange(path: "relay.config.json", bytes: 13..<14), "R"),
      ])
  }

  @Test(
    "a name that is none or is taken is refused, and so is what the schema defines",
    arguments: [
      (
        "query Q { me { ...‸F ...G } } fragment F on User { id } fragment G on User { id }", "G",
        "A fragment \"G\" already exists."
      ),
      (
        "query Q { me { ...‸F } } fragment F on User { id }", "on",
        "A fragment cannot be called \"on\"."
      ),
      (
        "query Q { me { ...‸F } } fragment F on User { id }", "1",
        "\"1\" is not a valid GraphQL name."
      ),
      ("query ‸Q { me { id } } query R { me { id } }", "R", "An operation \"R\" already exists."),
      (
        "query Q($a: Int, $‸b: Int) { me { x: friends(first: $a) { id } friends(first: $b) { id } } }",
        "a", "A variable \"$a\" already exists."
      ),
      (
        "query Q($‸b: Int) { me { ...F friends(first: $b) { id } } } fragment F on User { friends(first: $a) { id } }",
        "a", "A variable \"$a\" already exists."
      ),
      ("query Q { me { ‸name } }", "x", "Schema definitions cannot be renamed here."),
      ("query Q { me { ...‸Nothing } }", "x", "\"Nothing\" is not defined."),
      ("query Q { ‸ me { id } }", "x", "Nothing here can be renamed."),
    ])
  func refused(text: String, name: String, message: String) {
    let project = LanguageProject(["A.graphql": text])
    #expect(throws: RenameError(message: message)) {
      try project.rename(to: name)
    }
  }

  // MARK: Completion

  @Test(
    "completion offers the names that fit",
    arguments: [
      (
        "query Q { me { ‸ } }",
        [
          "id", "name", "status", "friends", "best", "team", "owner", "login", "__typename", "__id",
        ], true
      ),
      ("query Q { me { na‸", ["name"], false),
      ("query Q { me { name\n  friends(‸", ["first", "filter", "status"], true),
      ("query Q { me { friends(status: ‸) { id } } }", ["ACTIVE", "AWAY", "null"], true),
      (
        "query Q($s: Status, $n: Int) { me { friends(status: ‸", ["ACTIVE", "AWAY", "$s", "null"],
        true
      ),
      ("query Q($s: Status, $n: Int) { me { friends(first: $‸", ["n"], true),
      ("query Q { users(filter: {‸", ["name", "status", "friends"], true),
      ("query Q { users(filter: {friends: {status: ‸", ["ACTIVE", "AWAY", "null"], true),
      ("query Q { me { owner { ... on ‸ } } }", ["Node", "Owner", "Team", "User"], true),
      ("fragment F on ‸", ["Mutation", "Node", "Owner", "Query", "Team", "User"], true),
      (
        "query Q($a: ‸", ["Boolean", "Filter", "ID", "Int", "RenameInput", "Status", "String"], true
      ),
      (
        "query Q { me { ...‸ } }\nfragment F on User { id }\nfragment T on Team { id }\nfragment N on Node { id }",
        ["F", "N", "on"], true
      ),
      (
        "query Q { me { ...F @arguments(‸ } }\nfragment F on User @argumentDefinitions(n: {type: \"Int\"}) { friends(first: $n) { id } }",
        ["n"], true
      ),
      ("query Q { me @inc‸", ["include"], false),
      ("query Q { me @include(‸", ["if"], true),
      ("query Q { me @include(if: ‸", ["true", "false"], true),
      ("‸", ["query", "mutation", "subscription", "fragment"], true),
      ("query Q { me { id } }\n‸", ["query", "mutation", "subscription", "fragment"], true),
      ("fragment F ‸", ["on"], true),
      ("fragment F o‸", ["on"], true),
      ("query Q($a: Int) ‸{ me { id } }", [], true),
      ("query Q ‸", [], true),
      ("query Q\n  ‸", ["query", "mutation", "subscription", "fragment"], true),
      ("query Broken { me { (\n\nquery Q { me { te‸ } }", ["team"], false),
      ("query Q { # na‸\n me { id } }", [], true),
      ("query Q { users(filter: {name: \"na‸\"}) { id } }", [], true),
    ])
  func completion(text: String, expected: [String], isExact: Bool) {
    let project = LanguageProject(["A.graphql": text])
    let found = project.completions
    if isExact { #expect(found == expected) } else { #expect(expected.allSatisfy(found.contains)) }
  }

  @Test("a completion replaces the word around the position")
  func replacedWord() throws {
    let project = LanguageProject([
      "A.swift": "let q = graphql(\"\"\"\n  query Q { me { na‸me best { id } } }\n  \"\"\")"
    ])
    let name = try #require(project.items.first { $0.label == "name" })
    #expect(project.text(name.range) == "name")
    #expect(
      name.detail == "String!" && name.documentation == "How one is called." && !name.isDeprecated)
    let before = LanguageProject(["A.graphql": "query Q { me { ‸name } }"])
    #expect(before.items.allSatisfy { before.text($0.range) == "" } && !before.items.isEmpty)
    let variable = LanguageProject([
      "A.graphql": "query Q($n: Int) { me { friends(first: $‸m) { id } } }"
    ])
    #expect(variable.items.map { variable.text($0.range) } == ["m"])
    let login = try #require(project.items.first { $0.label == "login" })
    #expect(login.isDeprecated)
  }

  // MARK: Others

  @Test("inlay hints show the types of the fields in a range")
  func inlayHints() {
    let text = "query Q { me { name friends { id } } }"
    let project = LanguageProject(["A.graphql": text])
    let range = FileRange(path: "A.graphql", bytes: 15..<text.utf8.count)
    let hints = project.inlayHints(in: range)
    #expect(hints.map(\.text) == [": String!", ": [User]", ": ID!"])
    #expect(hints.map(\.position.offset) == [19, 27, 32])
  }

  @Test("the outline has definitions and their fields")
  func outline() {
    let project = LanguageProject([
      "A.swift":
        "let q = graphql(\"query Q { x: me { name ...F ... on Node { id } } } fragment F on User { id }\")"
    ])
    let items = project.outline(of: "A.swift")
    #expect(items.map(\.name) == ["Q", "F"] && items.map(\.kind) == [.query, .fragment])
    #expect(items[1].detail == "on User")
    #expect(items[0].children.map(\.name) == ["x"] && items[0].children[0].detail == "me")
    #expect(items[0].children[0].children.map(\.name) == ["name", "...F", "id"])
    #expect(project.text(items[0].nameRange) == "Q")
  }

  @Test("definitions and selection sets of several lines can be folded")
  func folding() {
    let project = LanguageProject([
      "A.graphql": "query Q {\n  me {\n    id\n  }\n  users { id }\n}\n"
    ])
    #expect(project.foldingRanges(in: "A.graphql").map(\.bytes) == [0..<44, 12..<27])
  }

  @Test("the text as sent is that of the operation, or of the operations that reach a fragment")
  func operationText() {
    var project = LanguageProject([
      "A.graphql": "query A { me { ...‸F } } query B { me { name } }",
      "F.graphql": "fragment F on User { name }",
    ])
    let sent = "query A{me{id ...F}}fragment F on User{name}"
    #expect(project.operationText() == sent)
    project = LanguageProject([
      "A.graphql": "query A { me { ...F } } query B { me { name } }",
      "F.graphql": "fragment F on User { na‸me }",
    ])
    #expect(project.operationText() == sent)
    project = LanguageProject(["A.graphql": "query A { me { nope‸ } }"])
    #expect(project.operationText() == nil)
  }
}
