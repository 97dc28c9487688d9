import Foundation
import Testing

@testable import RelayCompiler
@testable import RelayTools

/// Some tests compile the imported apps with the Swift compiler, so the suite has 30 minutes.
@Suite("relay-compiler import apollo", .timeLimit(.minutes(30)))
struct ImportApolloTests {
  // MARK: Entire projects

  @Test(
    "a project with every feature compiles after the import, and its Swift compiles without a warning"
  )
  func everything() async throws {
    let project = try TemporaryProject(ApolloFixture.files)
    let result = runImport(project)
    #expect(result.exitCode == .success && result.errors == "", "\(result.errors)")
    #expect(result.output.hasPrefix("8 files written to "))
    try await compile("app/relay", of: project)
  }

  @Test("real apps compile after the import", arguments: ["apollo-ios-starwars", "githawk-ios"])
  func realApps(name: String) async throws {
    let app = RealProject.applicationFolder.appendingPathComponent(name)
    guard FileManager.default.fileExists(atPath: app.path) else {
      print("skipped: \(name) is not there")
      return
    }
    let project = try TemporaryProject([
      "app/apollo-codegen-config.json": """
      {
        "schemaNamespace": "TheAPI",
        "input": {
          "schemaSearchPaths": ["\(app.path)/*.graphql"],
          "operationSearchPaths": ["\(app.path)/documents/**/*.graphql"]
        },
        "output": {
          "testMocks": {"none": {}},
          "schemaTypes": {"path": "./API", "moduleType": {"embeddedInTarget": {"name": "App"}}},
          "operations": {"inSchemaModule": {}}
        }
      }
      """
    ])
    let result = runImport(project)
    #expect(result.exitCode == .success && result.errors == "", "\(result.errors)")
    try await compile("app/relay", of: project)
  }

  /// Validates and compiles the imported project, and type-checks the Swift code.
  private func compile(_ folder: String, of project: TemporaryProject) async throws {
    let output = project.folder.appendingPathComponent(folder)
    let configuration = output.appendingPathComponent("relay.config.json").path
    let generated = output.appendingPathComponent("__generated__").path
    for arguments in [["validate"], ["compile", "--output", generated]] {
      let result = runRelayCompiler(arguments + ["--config", configuration])
      #expect(result.exitCode == .success && result.errors == "", "\(arguments): \(result.errors)")
    }
    let files = FileManager.default.enumerator(at: output, includingPropertiesForKeys: nil)?
      .compactMap { ($0 as? URL)?.path }.filter { $0.hasSuffix(".swift") }.sorted()
    let text = try await SwiftTypeCheck.check(
      #require(files), modules: #require(SwiftTypeCheck.modules))
    #expect(text == "")
  }

  // MARK: Written files

  @Test("the configuration has what Apollo's configuration, directives and scalar files say")
  func configuration() throws {
    let project = try TemporaryProject(ApolloFixture.files)
    _ = runImport(project)
    #expect(
      importedFile("relay.config.json", project) == """
        {
          "schema": "schema.graphql",
          "schemaExtensions": ["client.graphql"],
          "src": ".",
          "schemaName": "ShopAPI",
          "accessLevel": "internal",
          "customScalarTypes": {"Count": "Int", "Link": "Foundation.URL", "Upload": "RelayStore.Upload"},
          "keyFields": {"Book": "isbn", "Shelf": ["number", "room"], "Thing": "code"},
          "persistConfig": {"file": "operations.json", "includeQueryText": false}
        }

        """)
  }

  @Test("types whose id is of another type than ID get key fields or id scalars, and a note")
  func ids() throws {
    var files = ApolloFixture.files
    for (path, text) in files where text.contains("type Query {") {
      files[path] = text.replacing(
        "type PageInfo {",
        with: "scalar UUID\ntype Seat { id: Int! }\ntype Room { id: UUID! }\ntype PageInfo {")
    }
    let project = try TemporaryProject(files)
    _ = runImport(project)
    let text = importedFile("relay.config.json", project)
    #expect(text.contains("\n  \"idScalars\": [\"UUID\"],\n"))
    #expect(
      text.contains(
        "\n  \"keyFields\": {\"Book\": \"isbn\", \"Seat\": \"id\", \"Shelf\": [\"number\", \"room\"], \"Thing\": \"code\"},"
      ))
    let report = importedFile("Migration.md", project)
    #expect(
      report.contains(
        "\"idScalars\" in relay.config.json: `[\"UUID\"]`. Remove entries that do not identify "
          + "objects."
      ))
  }

  @Test(
    "the schema has no directive of Apollo, and keeps the rest; fields of local cache mutations are the client's"
  )
  func schema() throws {
    let project = try TemporaryProject(ApolloFixture.files)
    _ = runImport(project)
    let schema = importedFile("schema.graphql", project)
    let rest = ApolloFixture.schema.split(separator: "\n").drop { !$0.hasPrefix("# ") }
      .joined(separator: "\n").replacing(" @typePolicy(keyFields: \"code\")", with: "")
    #expect(schema == "extend type User { nickname: String }\n" + rest + "\n")
    #expect(
      importedFile("client.graphql", project) == "extend type User { isSelected: Boolean }\n\n")
  }

  @Test("deferred inline fragments become fragments, and everything else is kept")
  func deferred() throws {
    let project = try TemporaryProject(ApolloFixture.files)
    _ = runImport(project)
    #expect(
      importedFile("graphql/Screens/Me.graphql", project) == """
        # The first screen.
        query Me($withFriends: Boolean = true, $later: Boolean! = true) {
          me {
            __typename
            ...UserRow
            nickname
            friends @include(if: $withFriends) { id, name } # Names.
            ...Me_money @defer(if: $later, label: "money")
            ...Me_place @defer(label: "place")
          }
        }

        fragment UserRow on User { id ...UserNames @defer(label: "names") }
        fragment UserNames on User { name kind }
        fragment KindFragment on User { kind }
        query UseKind { me { ...KindFragment } }

        fragment Me_money on User { balance site }

        fragment Me_place on User { home visits friends { ...Me_deep @defer(label: "deep") } }

        fragment Me_deep on User { id }

        """)
  }

  @Test("local cache mutations are updatable, without directives, unused variables and spreads")
  func local() throws {
    let project = try TemporaryProject(ApolloFixture.files)
    _ = runImport(project)
    #expect(
      importedFile("graphql/Screens/Local.graphql", project) == """
        query SelectUser @updatable {
          me {
            isSelected
            name
            ... on User {
              name
              kind
            }
          }
        }
        fragment RenameUser on User @updatable { name }
        subscription UserChanged { userChanged { ...RenameUser } }
        """)
  }

  @Test("@connection and @nonnull become RelayStore's directives, or are removed")
  func connections() throws {
    let project = try TemporaryProject(ApolloFixture.files)
    _ = runImport(project)
    let text = importedFile("graphql/Lists/Items.graphql", project)
    #expect(
      text.contains(
        "items(first: 10, kind: BIG) @connection(key: \"Items_items\", filters: [\"kind\"]) {"))
    #expect(text.contains("author { name @required(action: THROW) }"))
    #expect(text.contains("books(isbns: [\"1\"]) { title }"))
  }

  @Test("field policies become missing field handlers")
  func fieldPolicies() throws {
    let project = try TemporaryProject(ApolloFixture.files)
    _ = runImport(project)
    let text = importedFile("FieldPolicies.swift", project)
    #expect(text.contains("return .some(DataID(typeName: \"Shelf\", keys: [key0, key1]))"))
    #expect(
      text.contains("return .some(keys.map { key in DataID(typeName: \"Book\", keys: [key]) })"))
    #expect(text.contains("return .some(DataID(key0))"))
  }

  @Test("a policy whose object may be of several keyed types is left to do by hand")
  func abstractPolicy() throws {
    let project = try apolloProject(
      "{ thing(id: 1) { id } }".replacing("{ thing", with: "query A { thing"),
      schema: """
        type Query @fieldPolicy(forField: "thing", keyArgs: "id") { thing(id: ID): Thing }
        interface Thing { id: ID! }
        type Book implements Thing @typePolicy(keyFields: "id") { id: ID! }
        """)
    #expect(runImport(project).exitCode == .success)
    #expect(project.read("app/relay/FieldPolicies.swift") == nil)
    #expect(
      importedFile("Migration.md", project).contains(
        "- `s.graphqls:1` `@fieldPolicy(forField: \"thing\") on Query`: The object's type"))
  }

  @Test("of a fragment and a query with one Swift name, the fragment is renamed, everywhere")
  func clash() throws {
    let project = try apolloProject(
      "query Hero { a ...HeroQuery } fragment HeroQuery on Query { a }",
      schema: "type Query { a: Int }")
    #expect(runImport(project).exitCode == .success)
    #expect(
      importedFile("graphql/a.graphql", project)
        == "query Hero { a ...HeroQueryFragment } fragment HeroQueryFragment on Query { a }")
    #expect(
      importedFile("Migration.md", project).contains(
        "| `a.graphql:1` | `HeroQuery` | `HeroQueryFragment` |"))
  }

  @Test("a schema in introspection JSON is written as SDL")
  func introspection() throws {
    let project = try apolloProject("query A { a }", schema: "type Query { b: Int }")
    try project.write([
      "app/s.json": """
      {"data": {"__schema": {"queryType": {"name": "Query"}, "directives": [], "types": [
        {"kind": "OBJECT", "name": "Query", "interfaces": [], "fields": [
          {"name": "a", "args": [], "type": {"kind": "SCALAR", "name": "Int"}}]}]}}}
      """,
      "app/apollo-codegen-config.json": """
      {"schemaNamespace": "API", "input": {"schemaSearchPaths": ["*.json", "!apollo*"], "operationSearchPaths": ["*.graphql"]}}
      """,
    ])
    let result = runImport(project)
    #expect(result.exitCode == .success, "\(result.errors)")
    #expect(importedFile("schema.graphql", project) == "type Query {\n  a: Int\n}\n")
  }

  // MARK: The report

  @Test("the report names each item with its file and line, and no value of a header")
  func report() throws {
    let project = try TemporaryProject(ApolloFixture.files)
    _ = runImport(project)
    let report = importedFile("Migration.md", project)
    let items = [
      "`apollo-codegen-config.json:8` `input.operationSearchPaths[2]: \"Old/*.graphql\"`: The pattern matches no file.",
      "`apollo-codegen-config.json:17` `output.testMocks.absolute: {\"path\": \"Mocks\"}`: No mocks",
      "`apollo-codegen-config.json:21` `options.conversionStrategies.enumCases: \"none\"`: Enum cases",
      "`apollo-codegen-config.json:24` `options.somethingNew: 1`: This key is not one",
      "`schema/extensions.graphqls:3` `@typePolicy(keyFields: \"nothing\") on User`: Left out: `nothing`",
      "`schema/extensions.graphqls:6` `@fieldPolicy(forField: \"book\") on Query`: A handler",
      "`schema/extensions.graphqls:11` `extend type`: Its fields",
      "`Shop/Screens/Me.graphql:2` `@import(module: \"Base\")`: Removed.",
      "`Shop/Screens/Local.graphql:4` `@skip in SelectUser`: Removed",
      "`Shop/Screens/Local.graphql:9` `@apollo_client_ios_localCacheMutation`: Removed with its definition",
      "`Shop/Lists/Items.graphql:6` `@connection on books`: Removed",
      "`Shop/API/SchemaConfiguration.swift:2` `cacheKeyInfo(for:object:)`: Keys are data",
      "`Shop/Client.swift:3` `cache policies`: ",
      "`Shop/Client.swift:4` `watchers`: ",
      "`Shop/Client.swift:5` `interceptors`: ",
      "`Shop/API/Schema/CustomScalars/Point.swift:2` `scalar Point`: Its Swift type is your own.",
      "`Shop/API/Schema/CustomScalars/Money.swift:3` `scalar Money`: It is a `String`, as in",
    ]
    for item in items { #expect(report.contains("- \(item)"), "\(item)") }
    #expect(
      report.contains(
        "| `Shop/Screens/Local.graphql:1` | `SelectUserLocalCacheMutation` | `SelectUserQuery` |"))
    #expect(report.contains("--header \"Authorization: …\"") && !report.contains("secret"))
  }

  @Test("documents that have errors after the import are written, with the errors in the report")
  func invalid() throws {
    let project = try apolloProject("query A { b }", schema: "type Query { a: Int }")
    let result = runImport(project)
    #expect(result.exitCode == .errors)
    let message = "graphql/a.graphql:1:11: error: Cannot query field \"b\" on type \"Query\"."
    #expect(
      result.errors.contains(message) && importedFile("Migration.md", project).contains(message))
  }

  // MARK: Files

  @Test("no file of the project is changed")
  func unchanged() throws {
    let project = try TemporaryProject(ApolloFixture.files)
    _ = runImport(project)
    for (name, text) in ApolloFixture.files { #expect(project.read(name) == text) }
  }

  @Test(
    "a file that exists is named, and then nothing is written",
    arguments: ["Migration.md", "graphql/a.graphql"])
  func existing(name: String) throws {
    let project = try apolloProject("query A { a }", schema: "type Query { a: Int }")
    try project.write(["app/relay/\(name)": "mine"])
    let result = runImport(project)
    #expect(result.exitCode == .usage)
    #expect(result.errors.contains("/app/relay/\(name): error: This file exists"))
    #expect(importedFile(name, project) == "mine")
    #expect(project.read("app/relay/relay.config.json") == nil)
  }

  @Test("a symbolic link that leads nowhere counts as a file that exists")
  func dangling() throws {
    let project = try apolloProject("query A { a }", schema: "type Query { a: Int }")
    try project.write(["app/relay/x": ""])
    let link = project.folder.appendingPathComponent("app/relay/schema.graphql").path
    try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: "/nowhere/x")
    let result = runImport(project)
    #expect(result.errors.contains("/app/relay/schema.graphql: error: This file exists"))
  }

  @Test("nothing is written through a symbolic link in the output folder")
  func linkedFolder() throws {
    let project = try apolloProject("query A { a }", schema: "type Query { a: Int }")
    try project.write(["app/relay/x": "", "elsewhere/x": ""])
    try FileManager.default.createSymbolicLink(
      at: project.folder.appendingPathComponent("app/relay/graphql"),
      withDestinationURL: project.folder.appendingPathComponent("elsewhere"))
    let result = runImport(project)
    #expect(result.exitCode == .usage)
    #expect(result.errors.contains("/app/relay/graphql: error: This is not a folder"))
    #expect(project.read("elsewhere/a.graphql") == nil)
    #expect(project.read("app/relay/relay.config.json") == nil)
  }

  @Test("an output folder that is a file is an error that names it")
  func outputIsFile() throws {
    let project = try apolloProject("query A { a }", schema: "type Query { a: Int }")
    let file = project.folder.appendingPathComponent("app/s.graphqls").path
    let result = runImport(project, "--output", file)
    #expect(
      result.exitCode == .usage && result.errors.contains("Cannot create the folder \"\(file)"))
  }

  @Test("documents outside the configuration's folder are written below the output folder")
  func outside() throws {
    let project = try apolloProject("query A { a }", schema: "type Query { a: Int }")
    try project.write([
      "other/deep/B.graphql": "query B { a }",
      "app/apollo-codegen-config.json": """
      {"schemaNamespace": "API", "input": {"schemaSearchPaths": ["s.graphqls"], "operationSearchPaths": ["*.graphql", "../other/**/*.graphql"]}}
      """,
    ])
    #expect(runImport(project).exitCode == .success)
    #expect(importedFile("graphql/app/a.graphql", project) == "query A { a }")
    #expect(importedFile("graphql/other/deep/B.graphql", project) == "query B { a }")
  }

  @Test("fragments that spread themselves do not loop, and are reported")
  func cycle() throws {
    let project = try apolloProject(
      """
      query Q @apollo_client_ios_localCacheMutation { ...F }
      fragment F on Query { a ...F }
      """, schema: "type Query { a: Int }")
    let result = runImport(project)
    #expect(result.exitCode == .errors && result.errors.contains("Cannot spread fragment \"F\""))
  }

  @Test("fragments that double at each level are left as they are")
  func explosion() throws {
    let fragments = (0..<40).map { "fragment F\($0) on Query { ...F\($0 + 1) ...F\($0 + 1) }" }
    let project = try apolloProject(
      "query Q @apollo_client_ios_localCacheMutation { ...F0 }\n"
        + fragments.joined(separator: "\n") + "\nfragment F40 on Query { a }",
      schema: "type Query { a: Int }")
    _ = runImport(project)
    #expect(
      importedFile("Migration.md", project).contains("`Q`: Its fragments have too many fields"))
  }
}
