import Foundation
import GraphQLLanguage
import Testing

@testable import RelayCompiler
@testable import RelayTools

@Suite("relay-compiler mcp: tools", .timeLimit(.minutes(1)))
struct ContextToolTests {
  private let project: TemporaryProject
  private var client: ContextClient

  private static let feed = #"""
    let q = graphql("""
      query Feed {
        me { ...Row_user }
      }
      """)
    graphql("fragment Row_user on User { name status }")
    """#

  init() throws {
    project = try TemporaryProject([
      "schema.graphql": LanguageProject.schema, "src/Feed.swift": Self.feed,
      "src/Nodes.graphql": "query Nodes { node(id: 1) { id } }",
    ])
    client = ContextClient(project)
  }

  /// The ids of the fixes that a result offers.
  private static func fixes(in text: String) -> [String] {
    text.matches(of: #/\n  (fix\d+): /#).map { String($0.1) }
  }

  // MARK: search_schema

  @Test(
    "the schema is searched by names, words, parts of names and descriptions, best first",
    arguments: [
      ("User.name", "User.name"), ("user", "User"), ("somebody", "User"),
      ("rename", "Mutation.rename"),
      ("friends status", "User.friends"), ("@refetchable", "@refetchable"),
      ("Status.AWAY", "Status.AWAY"), ("rename input name", "RenameInput.name"),
      ("How is a user called?", "User.name"), ("refetching", "@refetchable"),
      ("list the users", "Query.users"), ("stat of a friend", "User.friends"),
    ])
  func search(query: String, first: String) {
    var client = client
    let text = client.text("search_schema", ["query": .string(query)])
    let declaration = text.split(separator: "\n").first.map(String.init) ?? ""
    let name = declaration.split { !$0.isLetter && $0 != "." && $0 != "@" }
      .first { !["type", "directive", "enum"].contains($0) }
    #expect(name.map(String.init) == first, "\(text)")
  }

  @Test("a directive that the compiler refuses says so")
  func refused() {
    var client = client
    let text = client.text("search_schema", ["query": "@live_query", "limit": 1])
    #expect(
      text.contains("\n  refused: The compiler does not support \"@live_query\" yet."), "\(text)")
    let other = client.text("search_schema", ["query": "@refetchable", "limit": 1])
    #expect(!other.contains("refused"), "\(other)")
  }

  @Test("the name of a type returns its members with arguments, descriptions and deprecations")
  func members() {
    var client = client
    let text = client.text("search_schema", ["query": "User", "paths": true])
    #expect(text.hasPrefix("type User implements Node\n  Somebody.\n  path: Query.me\n"), "\(text)")
    #expect(text.contains("  path: Query.node(id: ID!) { ... on User }\n"))
    #expect(text.contains("\n  User.name: String!\n    How one is called.\n"))
    #expect(text.contains("\n  User.login: String\n    deprecated: Use name.\n"))
    #expect(
      text.contains("status: Status = ACTIVE): [User]\n    status: Status = ACTIVE: In what state.")
    )
    let owner = client.text("search_schema", ["query": "Owner", "limit": 1])
    #expect(owner.contains("\n  possible types: User, Team"), "\(owner)")
  }

  @Test("kinds and the limit choose results, and a name that nothing has is corrected")
  func kinds() {
    var client = client
    let kinds: JSON = ["query": "status", "kinds": ["enum", "input_field"]]
    let one = client.text("search_schema", kinds.adding("limit", 1))
    #expect(one.hasPrefix("enum Status") && one.contains("\n… and "), "\(one)")
    let all = client.text("search_schema", kinds)
    #expect(!all.contains("…") && !all.contains("User.friends"), "\(all)")
    // Other elements have one of the words: they come later, or not at all.
    let words = client.text("search_schema", ["query": "friends status"])
    #expect(words.hasPrefix("User.friends") && !words.contains("\nFilter.status"), "\(words)")
    #expect(
      client.text("search_schema", ["query": "Tem"]).hasSuffix(
        "matches \"Tem\". Did you mean \"Team\"?"))
  }

  @Test(
    "a schema that cannot be read is an error of a search and of usages",
    arguments: ["type Query {", "", "t\u{0}", "type User { name: String }", "not UTF-8"])
  func unreadableSchema(text: String) throws {
    var client = client
    let bytes = text == "not UTF-8" ? Data([0x74, 0xFF]) : Data(text.utf8)
    try bytes.write(to: project.folder.appendingPathComponent("schema.graphql"))
    for (tool, argument) in [("search_schema", "query"), ("usages", "of")] {
      let text = client.text(tool, .object([.init(argument, "User.nam")]))
      #expect(text.hasPrefix("failed: The schema cannot be read: it has "), "\(text)")
      #expect(text.hasSuffix(". Call validate."), "\(text)")
    }
    try project.write(["schema.graphql": LanguageProject.schema])
    #expect(client.text("search_schema", ["query": "User"]).hasPrefix("type User"))
  }

  @Test(
    "a search suggests only elements that it can find",
    arguments: [
      ("Row_usr", ["object"], ""), ("Fee", ["object"], ""), ("Strin", ["scalar"], ""),
      ("Tem", ["object"], "Team"), ("Tem", ["enum"], ""), ("Usr.name", ["enum"], ""),
      ("__Tpe.name", ["enum"], ""), ("@skp", ["directive"], "@skip"), ("@skp", ["field"], ""),
    ])
  func suggestions(query: String, kinds: [String], name: String) {
    var client = client
    let text = client.text(
      "search_schema", ["query": .string(query), "kinds": .list(kinds.map(JSON.string))])
    let question = name.isEmpty ? "" : " Did you mean \"\(name)\"?"
    #expect(text == "Nothing matches \"\(query)\".\(question)")
  }

  // MARK: validate

  @Test("changes on the disk are seen by the next call, and a path chooses a file")
  mutating func validate() throws {
    #expect(client.text("validate") == "No errors or warnings.")
    try project.write(["src/Nodes.graphql": "query Nodes { node(id: 1) { idd } }"])
    let text = client.text("validate", ["path": "src/Nodes.graphql"])
    #expect(text.hasPrefix("1 error, 0 warnings\nsrc/Nodes.graphql:1:29: error: "), "\(text)")
    #expect(text.contains("[fields-on-correct-type]\n"), "\(text)")
    #expect(text.hasSuffix("\n  fix1: Change to \"id\""), "\(text)")
    let none = "No errors or warnings."
    #expect(client.text("validate", ["path": "src/Feed.swift"]) == none)
    try project.write(["src/Nodes.graphql": "query Nodes { node(id: 1) { id } }"])
    #expect(client.text("validate") == none)
  }

  @Test("an unsaved text is checked as a new file, and is forgotten afterwards")
  mutating func document() {
    let text = "query Other { me { nam ...Row_user } }"
    let unsaved = client.text("validate", ["document": .string(text)])
    #expect(
      unsaved.hasPrefix("1 error, 0 warnings\nUnsaved.graphql:1:20: error: "), "\(unsaved)")
    #expect(client.text("validate") == "No errors or warnings.")
    let swift = "let a = graphql(\"query New { me { ...Row_usr } }\")"
    let named = client.text("validate", ["document": .string(swift), "path": "src/deep/New.swift"])
    #expect(
      named.contains("src/deep/New.swift:1:38: error: Unknown fragment \"Row_usr\""), "\(named)")
    #expect(project.read("src/deep/New.swift") == nil)
  }

  @Test("an unsaved text in place of a file shows what it breaks elsewhere, and nothing older")
  mutating func breaks() throws {
    try project.write(["src/Old.graphql": "query Old { me { old } }"])
    let unbroken = client.text(
      "validate",
      ["path": "src/Feed.swift", "document": "let q = graphql(\"query Feed { me { id } }\")"])
    #expect(unbroken == "No errors or warnings.")
    try project.write(["src/User.graphql": "query User { me { ...Row_user } }"])
    let broken = client.text(
      "validate",
      ["path": "src/Feed.swift", "document": "let q = graphql(\"query Feed { me { id } }\")"])
    #expect(broken.contains("src/User.graphql:1:22: error: Unknown fragment \"Row_user\""))
    #expect(broken.hasPrefix("1 error, 0 warnings\n"))
  }

  // MARK: explain

  @Test("an operation is explained as by the command, and errors refuse it")
  mutating func explain() throws {
    let command = project.run("explain", ["Feed"]).output
    let text = client.text("explain", ["name": "FeedQuery"])
    #expect(text.hasPrefix("query Feed, src/Feed.swift:2:9\n") && text.contains("\nPlans\n"))
    #expect(text.split(separator: "\n").dropFirst() == command.split(separator: "\n").dropFirst())
    #expect(
      client.text("explain", ["name": "Fed"])
        == "failed: No operation or fragment is called \"Fed\". Did you mean \"Feed\"?")
    try project.write(["src/Bad.graphql": "query Bad { no }"])
    #expect(client.text("explain", ["name": "Feed"]).hasPrefix("failed: The project has 1 error, "))
  }

  // MARK: usages

  @Test(
    "usages of a field, a type, a value, a directive, a fragment and an operation",
    arguments: [
      (
        "User.name",
        "src/Feed.swift:6:38: User.name\n    graphql(\"fragment Row_user on User { name status }\")"
      ),
      ("Row_user", "src/Feed.swift:3:13: Row_user\n    me { ...Row_user }"),
      ("User.id", "src/Nodes.graphql:1:29: Node.id\n    query Nodes { node(id: 1) { id } }"),
      ("Feed", "No usages."),
      ("@deprecated", "schema.graphql:6:39: @deprecated\n    enum Status"),
    ])
  func usages(name: String, expected: String) {
    var client = client
    let text = client.text("usages", ["of": .string(name)])
    #expect(text.hasPrefix(expected), "\(text)")
  }

  @Test("definitions are included on request, the limit cuts, and an unknown name is corrected")
  mutating func moreUsages() {
    let places = client.text("usages", ["of": "Status.ACTIVE", "definitions": true])
      .split(separator: "\n").filter { !$0.hasPrefix(" ") }
    #expect(
      places.map { $0.hasSuffix(": Status.ACTIVE (definition)") } == [true, false], "\(places)")
    let cut = client.text("usages", ["of": "ID", "limit": 1])
    #expect(cut.hasSuffix(" more. Call usages with offset 1 for them."), "\(cut)")
    #expect(
      client.text("usages", ["of": "User.nme"])
        == "failed: No type, field, enum value, directive, fragment or operation is called "
        + "\"User.nme\". Did you mean \"User.name\"?"
    )
  }

  // MARK: apply_fix

  @Test("a fix changes the file, and the file's other problems come with new ids")
  mutating func fix() throws {
    try project.write([
      "src/Nodes.graphql": "query Nodes {\n  node(id: 1) { idd }\n  mee { id }\n}\n"
    ])
    let ids = Self.fixes(in: client.text("validate"))
    #expect(ids.count == 2)
    let first = client.text("apply_fix", ["fix": .string(try #require(ids.first))])
    #expect(
      first.hasPrefix(
        "src/Nodes.graphql:2: Change to \"id\"\n    node(id: 1) { id }\n1 error, 0 warnings\n"),
      "\(first)")
    let stale = client.text("apply_fix", ["fix": .string(try #require(ids.last))])
    #expect(stale.hasPrefix("failed: \"src/Nodes.graphql\" has changed since"), "\(stale)")
    let fresh = try #require(Self.fixes(in: first).first)
    #expect(
      client.text("apply_fix", ["fix": .string(fresh)])
        .hasSuffix("\nNo errors or warnings."))
    #expect(
      project.read("src/Nodes.graphql") == "query Nodes {\n  node(id: 1) { id }\n  me { id }\n}\n")
    #expect(client.text("validate") == "No errors or warnings.")
  }

  @Test("a change at a place is made in a tag, and a title that is not offered lists what is")
  mutating func place() throws {
    let place: JSON = ["path": "src/Feed.swift", "line": 6, "column": 37]
    let failed = client.text("apply_fix", place.adding("title", "Add"))
    #expect(failed.hasPrefix("failed: \"Add\" is not offered at src/Feed.swift:6:37."))
    #expect(failed.contains("Add \"id\""), "\(failed)")
    let text = client.text("apply_fix", place.adding("title", "Add \"id\""))
    #expect(text.hasPrefix("src/Feed.swift:6: Add \"id\"\n"), "\(text)")
    #expect(project.read("src/Feed.swift")?.hasSuffix("User { id name status }\")") == true)
  }

  @Test("a file that has changed since its fix was offered is left as it is")
  mutating func changed() throws {
    try project.write(["src/Nodes.graphql": "query Nodes { mee { id } }"])
    let id = Self.fixes(in: client.text("validate")).first.map(JSON.string)
    try project.write(["src/Nodes.graphql": "query Nodes { mee { id }}"])
    #expect(client.text("apply_fix", ["fix": id ?? nil]).contains("has changed since"))
    #expect(project.read("src/Nodes.graphql") == "query Nodes { mee { id }}")
    #expect(client.text("apply_fix", ["fix": "fix99"]).hasPrefix("failed: Unknown fix"))
    #expect(client.text("apply_fix").hasPrefix("failed: Give fix, or all of"))
  }

  @Test(
    "the fix of an unsaved text returns the corrected text, and writes only what was saved meanwhile",
    arguments: ["", "src/New.graphql", "src/Nodes.graphql"])
  func unsavedFix(path: String) throws {
    var client = client
    let before = project.read("src/Nodes.graphql")
    let text = "query Other {\n  mee { id }\n  node(id: 1) { idd }\n}\n"
    var arguments: JSON = ["document": .string(text)]
    if !path.isEmpty { arguments = arguments.adding("path", .string(path)) }
    func id(_ text: String) -> JSON { Self.fixes(in: text).first.map(JSON.string) ?? .null }
    let fix = id(client.text("validate", arguments.adding("limit", 1)))
    let first = client.text("apply_fix", ["fix": fix])
    let corrected = text.replacing("mee", with: "me")
    #expect(
      first.hasSuffix("No file was written. The corrected document:\n" + corrected), "\(first)")
    #expect(first.contains(":2: Change to \"me\"\n"), "\(first)")
    #expect(project.read("src/Nodes.graphql") == before && project.read("src/New.graphql") == nil)
    let second = id(first)
    if path.isEmpty {
      let answer = client.text("apply_fix", ["fix": second])
      #expect(
        answer.hasSuffix("The corrected document:\n" + corrected.replacing("idd", with: "id")))
      let place: JSON = ["path": "Unsaved.graphql", "line": 1, "column": 1, "title": "x"]
      #expect(
        client.text("apply_fix", place)
          == "failed: \"Unsaved.graphql\" is not a file of the project.")
    } else {
      try project.write([path: corrected])
      #expect(!client.text("apply_fix", ["fix": second]).contains("No file was written"))
      #expect(project.read(path) == corrected.replacing("idd", with: "id"))
    }
  }

  @Test(
    "a path outside of the project is refused",
    arguments: [
      "../x.graphql", "/etc/passwd", "src/../../x.graphql", "", "src/\u{0}.graphql",
      "relay.config.json",
      "out/Feed.graphql", "src/x.txt", "/proc/self/mem", "link/x.graphql",
    ])
  func outside(path: String) throws {
    try FileManager.default.createSymbolicLink(
      at: project.folder.appendingPathComponent("src/link"),
      withDestinationURL: URL(fileURLWithPath: "/tmp"))
    var client = client
    for name in [path, path.hasPrefix("link") ? "src/" + path : path] {
      #expect(client.text("validate", ["path": .string(name)]).hasPrefix("failed: "))
      let text = client.text(
        "validate", ["path": .string(name), "document": "query Q { me { id } }"])
      #expect(text.hasPrefix("failed: "), "\(name): \(text)")
      let place: JSON = ["line": 1, "column": 1, "title": "x", "path": .string(name)]
      #expect(client.text("apply_fix", place).contains("is not a file of the project"))
    }
  }

  @Test("a link to a file outside of the project is read and not written")
  mutating func link() throws {
    let other = try TemporaryProject(["Shared.graphql": "query Shared { mee { id } }"])
    try FileManager.default.createSymbolicLink(
      at: project.folder.appendingPathComponent("src/Shared.graphql"),
      withDestinationURL: other.folder.appendingPathComponent("Shared.graphql"))
    let id = Self.fixes(in: client.text("validate")).first.map(JSON.string)
    #expect(client.text("apply_fix", ["fix": id ?? nil]).contains("is a link to a file outside"))
    #expect(other.read("Shared.graphql") == "query Shared { mee { id } }")
  }

  // MARK: Projects

  @Test("a project that cannot be read is a failure of the tool, until it can be read")
  mutating func unreadable() throws {
    let configuration = try #require(project.read("relay.config.json"))
    try project.write(["relay.config.json": "{"])
    #expect(client.text("validate").hasPrefix("failed: "))
    try project.write(["relay.config.json": configuration])
    try project.remove("schema.graphql")
    #expect(client.text("validate").contains("schema.graphql"))
    try project.write(["schema.graphql": LanguageProject.schema])
    #expect(client.text("validate") == "No errors or warnings.")
  }

  @Test("the only project below the folder is found, and of several one has to be named")
  mutating func find() throws {
    let configuration = try #require(project.read("relay.config.json"))
    try project.remove("relay.config.json")
    #expect(client.text("validate").contains("No relay.config.json found in "))
    try project.write([
      "a/relay.config.json": configuration, "a/schema.graphql": "type Query { a: Int }",
      "a/src/A.graphql": "query A { b }",
    ])
    #expect(client.text("validate").contains("\nsrc/A.graphql:1:11: error: "))
    try project.write(["b/relay.config.json": configuration])
    #expect(client.text("validate").hasPrefix("failed: There are several projects: "))
    var named = ContextClient(
      project, configuration: project.folder.appendingPathComponent("a/relay.config.json").path)
    #expect(named.text("validate").hasPrefix("1 error, "))
  }
}
