import Foundation
import Testing

@testable import RelayCompiler
@testable import RelayTools

@Suite("relay-compiler check", .timeLimit(.minutes(1)))
struct CheckCommandTests {
  private static let schema = """
    type Query { feed: [Todo!]! }
    type Todo { id: ID! text: String! isComplete: Boolean! }
    """
  private static let files = [
    "schema.graphql": schema,
    "new.graphql": schema.replacingOccurrences(of: "isComplete: Boolean!", with: "done: Boolean")
      .replacingOccurrences(of: "String!", with: "String! @deprecated"),
    "src/Feed.swift": "graphql(\"query FeedQuery { feed { ...Row_todo } }\")\n",
    "src/Row.swift": """
    graphql(\"\"\"
      fragment Row_todo on Todo {
        text
        isComplete
      }
    \"\"\")
    func show(_ todo: Row_todo) {
      print(todo.isComplete)
    }
    """,
    "src/Other.swift": "let other = todo.isComplete\n",
    "relay.config.json": """
    {"schema": "schema.graphql", "src": "src", "artifactDirectory": "out", "persistConfig": {"file": "1.json"}}
    """,
  ]
  private static let feed =
    "query FeedQuery{feed{id ...Row_todo}}fragment Row_todo on Todo{text isComplete}"

  private static func manifest(_ texts: String...) -> String {
    let entries = texts.map { "  \"\(SHA256.hexadecimal($0))\": \(ValuePrinter.quoted($0))" }
    return "{\n\(entries.joined(separator: ",\n"))\n}\n"
  }

  /// Runs `check` with the new schema. Paths in the output lack the project's folder.
  private func check(
    _ files: [String: String] = [:], _ arguments: String..., isProject: Bool = true
  ) throws -> CommandResult {
    let project = try TemporaryProject(Self.files.merging(files) { $1 })
    let folder = project.folder.path
    let words = arguments.map { $0.replacingOccurrences(of: "@", with: folder + "/") }
    let new = ["--schema", folder + "/new.graphql"]
    var result = isProject ? project.run("check", new + words) : runRelayCompiler(["check"] + words)
    result.output = result.output.replacingOccurrences(of: folder + "/", with: "")
    result.errors = result.errors.replacingOccurrences(of: folder + "/", with: "")
    return result
  }

  @Test(
    "text names the change, the operation, its versions and path, the documents and the readers")
  func text() throws {
    let files = ["1.3.json": Self.manifest(Self.feed), "1.4.json": Self.manifest(Self.feed)]
    let result = try check(files, "--operations", "1.3=@1.3.json", "--operations", "1.4=@1.4.json")
    #expect(
      result.output == """
        breaking: Field "Todo.isComplete" was removed. [FIELD_REMOVED]
          FeedQuery (1.3, 1.4, current): feed.isComplete
            src/Row.swift:4:5
            read in src/Row.swift:8:14
        safe: Field "Todo.text" is deprecated: No longer supported [DEPRECATED_ELEMENT_USED]
          FeedQuery (1.3, 1.4, current): feed.text
            src/Row.swift:3:5
        1 breaking, 0 dangerous, 1 safe; 1 operation checked.

        """)
    #expect(result.errors == "" && result.exitCode == .errors)
  }

  @Test("a schema without changes breaks nothing")
  func unchanged() throws {
    let result = try check(["new.graphql": Self.schema])
    #expect(result.output == "0 breaking, 0 dangerous, 0 safe; 1 operation checked.\n")
    #expect(result.exitCode == .success)
  }

  @Test("a field that the compiler adds is shown at the operation")
  func addedField() throws {
    let new = Self.schema.replacingOccurrences(of: "id: ID! ", with: "")
    let result = try check(["new.graphql": new])
    #expect(result.output.contains("FeedQuery (current): feed.id\n    src/Feed.swift:1:16\n"))
  }

  @Test("a document that no operation uses is checked too")
  func lonelyFragment() throws {
    let files = ["src/Feed.swift": ""]
    let result = try check(files)
    #expect(
      result.output.hasPrefix(
        "breaking: Cannot query field \"isComplete\" on type \"Todo\". [fields-on-correct-type] "
          + "[DOCUMENT_INVALID]\n    src/Row.swift:4:5\n"))
    #expect(result.exitCode == .errors)
  }

  @Test("a manifest is compared with --against, also without a project")
  func against() throws {
    let old = "type Query { feed: [Todo!]! } type Todo { id: ID! text: String }"
    let files = [
      "old.graphql": old, "1.json": Self.manifest("query Old{feed{text}}"),
      "new.graphql": old.replacingOccurrences(of: "text: String", with: "text: Int"),
    ]
    let result = try check(
      files, "--schema", "@new.graphql", "--against", "@old.graphql", "--operations", "1=@1.json",
      isProject: false)
    #expect(
      result.output == """
        breaking: Field "Todo.text" changed type from "String" to "Int". [FIELD_CHANGED_KIND]
          Old (1): feed.text
            1.json:2:3
        1 breaking, 0 dangerous, 0 safe; 1 operation checked.

        """)
  }

  @Test("--usage puts the most used operations first; keys are names or ids")
  func usage() throws {
    let texts = ["A", "B", "C"].map { "query \($0){feed{isComplete}}" }
    let files = [
      "1.json": Self.manifest(texts[0], texts[1], texts[2]),
      "counts.json": "{\"C\": 5, \"\(SHA256.hexadecimal(texts[1]))\": 70}",
      "src/Feed.swift": "", "src/Row.swift": "",
    ]
    let result = try check(files, "--operations", "1=@1.json", "--usage", "@counts.json")
    let lines = result.output.split(separator: "\n").filter { $0.contains("(1") }
    #expect(
      lines == [
        "  B (1; 70 uses): feed.isComplete", "  C (1; 5 uses): feed.isComplete",
        "  A (1): feed.isComplete",
      ])
  }

  @Test("Apollo's manifest is read")
  func apollo() throws {
    let text = ManifestFormat.apollo.text(of: [
      PersistedOperation(id: "a", name: "A", kind: "query", text: "query A{feed{isComplete}}")
    ])
    let result = try check(["1.json": text], "--operations", "1=@1.json")
    #expect(result.output.contains("  A (1): feed.isComplete\n    1.json:5:5\n"))
  }

  // MARK: Formats

  @Test("JSON has all findings")
  func json() throws {
    let result = try check([:], "--format", "json")
    #expect(
      result.output == """
        {"findings": [
          {"criticality": "breaking", "kind": "FIELD_REMOVED", "coordinate": "Todo.isComplete", "message": "Field \\"Todo.isComplete\\" was removed.", "operation": "FeedQuery", "versions": ["current"], "paths": ["feed.isComplete"], "places": [{"file": "src/Row.swift", "line": 4, "column": 5}], "reads": [{"file": "src/Row.swift", "line": 8, "column": 14}], "manifests": []},
          {"criticality": "safe", "kind": "DEPRECATED_ELEMENT_USED", "coordinate": "Todo.text", "message": "Field \\"Todo.text\\" is deprecated: No longer supported", "operation": "FeedQuery", "versions": ["current"], "paths": ["feed.text"], "places": [{"file": "src/Row.swift", "line": 3, "column": 5}], "reads": [], "manifests": []}
        ], "changes": {"breaking": 1, "dangerous": 0, "safe": 1}, "operations": 1}

        """)
    let empty = try check(["new.graphql": Self.schema], "--format", "json")
    #expect(
      empty.output == """
        {"findings": [], "changes": {"breaking": 0, "dangerous": 0, "safe": 0}, "operations": 1}

        """)
  }

  @Test("GitHub's commands escape what would end them")
  func gitHub() throws {
    let reason = #"Use a, b: 100%.\nOr c."#
    let new = Self.schema.replacingOccurrences(
      of: "text: String!", with: "text: String! @deprecated(reason: \"\(reason)\")")
    let row = Self.files["src/Row.swift"]
    let files = ["new.graphql": new, "src/a,b/Row:1%.swift": row ?? "", "src/Row.swift": ""]
    let result = try check(files, "--format", "github")
    #expect(
      result.output == """
        ::notice file=src/a%2Cb/Row%3A1%25.swift,line=3,col=5,title=DEPRECATED_ELEMENT_USED::Field \
        "Todo.text" is deprecated: Use a, b: 100%25.%0AOr c. Used by FeedQuery (current) at feed.text.

        """)
    let removed = try check([:], "--format", "github")
    #expect(
      removed.output.hasPrefix("::error file=src/Row.swift,line=4,col=5,title=FIELD_REMOVED::"))
  }

  @Test("SARIF has a rule for each kind, and percent-encodes paths")
  func sarif() throws {
    let row = Self.files["src/Row.swift"]
    let files = ["src/a b/Row.swift": row ?? "", "src/Row.swift": ""]
    let result = try check(files, "--format", "sarif")
    let json = try JSONSerialization.jsonObject(with: Data(result.output.utf8)) as? [String: Any]
    #expect(json?["version"] as? String == "2.1.0")
    let run = try #require((json?["runs"] as? [[String: Any]])?.first)
    let driver = (run["tool"] as? [String: Any])?["driver"] as? [String: Any]
    let rules = (driver?["rules"] as? [[String: Any]])?.map { $0["id"] as? String }
    #expect(rules == ["FIELD_REMOVED", "DEPRECATED_ELEMENT_USED"])
    let results = try #require(run["results"] as? [[String: Any]])
    #expect(results.map { $0["level"] as? String } == ["error", "note"])
    #expect(results.map { $0["ruleIndex"] as? Int } == [0, 1])
    let location = (results[0]["locations"] as? [[String: Any]])?.first
    let physical = location?["physicalLocation"] as? [String: [String: Any]]
    // The path is absolute, because the project is not in the current folder.
    #expect(physical?["artifactLocation"]?["uri"] as? String == "file://src/a%20b/Row.swift")
    #expect(physical?["region"]?["startLine"] as? Int == 4)
    let logical = (location?["logicalLocations"] as? [[String: Any]])?.first
    #expect(logical?["fullyQualifiedName"] as? String == "FeedQuery.feed.isComplete")
  }

  @Test("no format prints a control character of a schema or a version")
  func controlCharacters() throws {
    let reason = #"x\n::error file=a::injected\u001b[2J\u009b\u2028y"#
    let new = Self.schema.replacingOccurrences(
      of: "text: String!", with: "text: String! @deprecated(reason: \"\(reason)\")")
    let files = ["new.graphql": new, "1.json": Self.manifest(Self.feed)]
    let version = "1\n::error::\u{1B}[2J"
    for format in CheckFormat.allCases.map(\.rawValue) {
      let result = try check(files, "--operations", version + "=@1.json", "--format", format)
      #expect(result.errors == "")
      let controls = result.output.unicodeScalars.filter {
        $0.properties.generalCategory == .control || $0 == "\u{2028}"
      }
      #expect(controls.allSatisfy { $0 == "\n" }, "\(format)")
      let lines = result.output.split(separator: "\n").map { $0.drop { $0 == " " } }
      #expect(!lines.contains { $0.hasPrefix("::error") }, "\(format)")
      #expect(result.output.contains("injected"))
    }
    let text = try check(files, "--operations", version + "=@1.json").output
    #expect(
      text.contains(
        #"is deprecated: x\n::error file=a::injected\u{1B}[2J\u{9B}\u{2028}y [DEPRECATED"#))
    #expect(text.contains(#"FeedQuery (1\n::error::\u{1B}[2J, current): feed.text"#))
  }

  @Test("errors in the project's own documents are reported in each format")
  func ownErrors() throws {
    let files = ["src/Feed.swift": "graphql(\"query FeedQuery { fed { id } }\")\n"]
    let text = try check(files)
    #expect(text.output.hasPrefix("src/Feed.swift:1:28: error: Cannot query field \"fed\""))
    let json = try check(files, "--format", "json")
    #expect(
      json.output.hasPrefix(
        "{\"findings\": [\n  {\"criticality\": \"breaking\", \"kind\": \"DOCUMENT_INVALID\", "))
    #expect(json.output.contains(#"[{"file": "src/Feed.swift", "line": 1, "column": 28}]"#))
    #expect(json.output.contains("\"changes\": {\"breaking\": 1,"))
    let gitHub = try check(files, "--format", "github")
    #expect(
      gitHub.output.hasPrefix(
        "::error file=src/Feed.swift,line=1,col=28,title=DOCUMENT_INVALID::Cannot query"))
    let sarif = try check(files, "--format", "sarif")
    #expect(sarif.output.contains(#""ruleId": "DOCUMENT_INVALID""#))
    for result in [text, json, gitHub, sarif] {
      #expect(result.errors == "" && result.exitCode == .errors)
    }
  }
}
