import Foundation
import Testing

@testable import RelayCompiler
@testable import RelayTools

@Suite("relay-compiler import apollo: uses of Apollo in Swift", .timeLimit(.minutes(1)))
struct ImportSwiftTests {
  private static let documents = """
    query Hero { hero { ...HeroDetails friends { name } } }
    fragment HeroDetails on Character { name friends { name } }
    """
  private static let schema = """
    type Query { hero: Character } type Character { id: ID! name: String friends: [Character] }
    """

  /// Returns the report's items in Swift files, as `file:line subject`.
  private func found(_ files: [String: String], moduleType: String = "other") throws -> [String] {
    let project = try apolloProject(Self.documents, schema: Self.schema)
    try project.write([
      "app/apollo-codegen-config.json": """
      {"schemaNamespace": "API", "input": {"schemaSearchPaths": ["s.graphqls"],
        "operationSearchPaths": ["*.graphql"]},
        "output": {"schemaTypes": {"path": "API", "moduleType": {"\(moduleType)": {}}}}}
      """
    ])
    for (name, text) in files { try project.write(["app/" + name: text]) }
    let result = runImport(project)
    #expect(result.exitCode == .success, "\(result.errors)")
    let report = importedFile("Migration.md", project)
    let items = report.matches(of: #/(?m)^- `([^`]+\.swift:\d+)` `+ ?([^`]+?) ?`+: (.*)$/#)
    return items.flatMap { item in
      let others = item.3.matches(of: #/`([^`]+\.swift:\d+)`/#).map(\.1)
      return ([item.1] + others).map { "\($0) \(item.2)" }
    }.sorted()
  }

  @Test("words of a file that does not import Apollo, and in comments and strings, do not count")
  func falseFinds() throws {
    let other = """
      import Foundation
      final class Mapper { func updateObject() {} }
      let request = URLRequest(url: url, cachePolicy: .returnCacheDataElseLoad)
      let store = ApolloStore(), client: ApolloClient, policy = CachePolicy.none
      for error in response.errors { print(error) }
      """
    #expect(try found(["Other.swift": other]) == [])
    let words = """
      import Apollo
      /* ApolloClient
         InterceptorProvider */
      let text = "ApolloClient and clearCache", raw = #"GraphQLFile"#  // CachePolicy
      let long = \"\"\"
        ReadWriteTransaction
        \"\"\"
      """
    #expect(try found(["Words.swift": words]) == [])
  }

  @Test("a client and its store are no transactions")
  func store() throws {
    let code = """
      import Apollo
      let store = ApolloStore(cache: InMemoryNormalizedCache())
      let client = ApolloClient(networkTransport: transport, store: store)
      """
    #expect(
      try found(["Client.swift": code])
        == ["Client.swift:2 normalized caches", "Client.swift:3 ApolloClient"])
  }

  @Test(
    "an import of Apollo, of a part of it or of the generated module counts, however it is written",
    arguments: [
      "import Apollo", "  import ApolloAPI", "import class Apollo.ApolloClient", "import API",
      "@testable import API", "@preconcurrency public import ApolloSQLite",
      "import Foundation; import Apollo",
      "import\tApollo // the client",
    ])
  func imports(line: String) throws {
    let code = "\(line)\nlet client: ApolloClient\n"
    #expect(try found(["A.swift": code]) == ["A.swift:2 ApolloClient"])
    for other in ["import ApplePay", "import struct Missions.Apollo"] {
      #expect(try found(["A.swift": other + "\nlet client: ApolloClient\n"]) == [])
    }
  }

  @Test("a module that exports Apollo exports it to all files")
  func exports() throws {
    let code = "let policy: GraphQLEnum<Episode>\n"
    #expect(try found(["A.swift": code]) == [])
    #expect(
      try found(["A.swift": code, "B.swift": "@_exported import ApolloAPI\n"])
        == ["A.swift:1 GraphQLEnum<…>"])
    #expect(
      try found(["A.swift": code], moduleType: "embeddedInTarget") == ["A.swift:1 GraphQLEnum<…>"])
  }

  @Test("request configurations, errors of responses and names of generated types are found")
  func missing() throws {
    let code = """
      import Apollo
      let options = RequestConfiguration(requestTimeout: 5, writeResultsToCache: false)
      let response = try await client.fetch(query: HeroQuery(), requestConfiguration: options)
      if let error = response.errors?.first { throw error }
      print(response.data?.hero?.errors as Any)
      """
    let types = """
      func row(_ hero: HeroQuery.Data.Hero) -> HeroDetails.Friend? { hero.fragments.heroDetails.friends?.first }
      let all: HeroQuery.Data, details: HeroDetails, type = HeroDetails.self
      let other: Other.Data.Hero
      """
    #expect(
      try found(["Client.swift": code, "Types.swift": types]) == [
        "Client.swift:2 request configurations", "Client.swift:3 request configurations",
        "Client.swift:4 errors of a response", "Types.swift:1 names of generated types",
      ])
  }

  @Test("code that the app has written into a generated file is searched")
  func configuration() throws {
    let head = """
      // @generated
      // This file was automatically generated and can be edited to
      // provide custom configuration for a generated GraphQL schema.
      import ApolloAPI
      enum SchemaConfiguration: ApolloAPI.SchemaConfiguration {
        static func cacheKeyInfo(for type: ApolloAPI.Object, object: ApolloAPI.ObjectData) -> CacheKeyInfo? {

      """
    #expect(try found(["SchemaConfiguration.swift": head + "    nil\n  }\n}\n"]) == [])
    #expect(
      try found([
        "SchemaConfiguration.swift": head
          + "    try? CacheKeyInfo(jsonValue: object[\"code\"])\n  }\n}\n"
      ]) == [
        "SchemaConfiguration.swift:6 cacheKeyInfo(for:object:)",
        "SchemaConfiguration.swift:7 cacheKeyInfo(for:object:)",
      ])
  }

  @Test("a trailing comma, which Apollo's decoder accepts, is accepted")
  func trailingComma() throws {
    let project = try apolloProject(Self.documents, schema: Self.schema)
    try project.write([
      "app/apollo-codegen-config.json": """
      {
        "schemaNamespace": "API",
        "input": {"schemaSearchPaths": ["s.graphqls",], "operationSearchPaths": ["*.graphql" , ] ,},
      }
      """
    ])
    #expect(runImport(project).exitCode == .success)
    for text in ["{,}", "{\"schemaNamespace\": \"API\",,}", "{\"input\": [,]}"] {
      try project.write(["app/apollo-codegen-config.json": text])
      let result = runImport(project)
      #expect(result.exitCode == .usage && result.errors.contains("error: "), "\(text)")
    }
    // So does the decoder of the compiler's own configuration; its errors keep their locations.
    try project.write([
      "relay.config.json": "{\n  \"schema\": \"schema.graphql\",\n  \"src\": 1,\n}"
    ])
    #expect(project.run("validate").errors.contains("relay.config.json:3:"))
  }

  @Test("the error for a schema that is not committed says how to get it")
  func noSchema() throws {
    let project = try apolloProject(Self.documents, schema: Self.schema)
    try project.remove("app/s.graphqls")
    #expect(runImport(project).errors.contains("relay-compiler schema download"))
  }
}
