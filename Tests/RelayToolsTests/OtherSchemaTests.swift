import Foundation
import Testing

@testable import RelayCompiler
@testable import RelayTools

@Suite("Modules with another schema", .timeLimit(.minutes(1)))
struct OtherSchemaTests {
  private static let orders = """
    enum Status { paid shipped } type Order { id: ID! status: Status! } type Query { order: Order }
    """
  private static let users = """
    enum Status { online } type User { id: ID! status: Status! } type Query { user: User }
    """
  private static let row = "fragment OrderRow_order on Order { id }"

  /// A package whose target Users depends on Orders.
  private func project(_ more: [String: String] = [:]) throws -> TemporaryProject {
    let project = try TemporaryProject([:])
    try project.remove("relay.config.json")
    try project.write([
      "Package.swift": """
      // swift-tools-version: 6.1
      import PackageDescription
      let package = Package(
        name: "Shop", targets: [.target(name: "Orders"), .target(name: "Users", dependencies: ["Orders"])])
      """,
      "Sources/Orders/schema.graphql": Self.orders,
      "Sources/Orders/relay.config.json": #"{"schema": "schema.graphql"}"#,
      "Sources/Orders/Order.graphql": "query OrderQuery { order { id status } } " + Self.row,
      "Sources/Users/schema.graphql": Self.users,
      "Sources/Users/relay.config.json": #"{"schema": "schema.graphql"}"#,
      "Sources/Users/User.graphql": "query UserQuery { user { id status } }",
    ])
    try project.write(more)
    return project
  }

  private func run(_ project: TemporaryProject, _ arguments: String...) -> CommandResult {
    let file = project.folder.appendingPathComponent("Sources/Users/relay.config.json").path
    return runRelayCompiler([arguments[0], "--config", file] + arguments.dropFirst())
  }

  /// The arguments that the plugin uses to compile Users.
  private func pluginArguments(_ project: TemporaryProject, hasConfiguration: Bool = true)
    -> [String]
  {
    func path(_ name: String) -> String { project.folder.path + "/Sources/" + name }
    let schema = ["--import-schema", "Orders", path("Orders/schema.graphql")]
    let configuration = ["--import", "Orders", path("Orders/relay.config.json")]
    return [
      "compile", "--config", path("Users/relay.config.json"), "--output",
      project.folder.path + "/out", "--module", "Users",
    ] + (hasConfiguration ? configuration : schema)
      + ["--import", "Orders", path("Orders/Order.graphql")]
      + ["--file", path("Users/User.graphql"), "User.graphql.swift"]
  }

  @Test("a module with another schema takes no part: neither its fragments nor its types")
  func apart() throws {
    let project = try project()
    #expect(run(project, "validate") == CommandResult(.success))
    #expect(run(project, "compile", "--output", project.folder.path + "/out").exitCode == .success)
    for hasConfiguration in [true, false] {
      try? FileManager.default.removeItem(atPath: project.folder.path + "/out")
      let compiled = runRelayCompiler(
        pluginArguments(project, hasConfiguration: hasConfiguration))
      #expect(compiled.exitCode == .success, "\(compiled.errors)")
      let text = try #require(project.read("out/User.graphql.swift"))
      #expect(!text.contains("Orders"))
      #expect(project.read("out/Schema.graphql.swift")?.contains("case online") == true)
    }
  }

  @Test("servers treat it alike")
  func servers() throws {
    let project = try project()
    var editor = EditorSession(project.folder)
    editor.rest()
    #expect(!editor.diagnostics.values.contains { !$0.isEmpty }, "\(editor.diagnostics)")
    let file = project.folder.appendingPathComponent("Sources/Users/relay.config.json").path
    var assistant = ContextClient(project, configuration: file)
    #expect(assistant.text("validate") == "No errors or warnings.")
  }

  @Test("schemas are compared by their definitions, not by layout, order or path")
  func sameDefinitions() throws {
    let project = try project([
      "Sources/Users/schema.graphql": """
      # The same server.
      type Query { order: Order }
      type Order {
        id: ID!
        status: Status!
      }
      enum Status { paid shipped }
      """,
      "Sources/Users/client.graphql": "extend type Order { isNew: Boolean }",
      "Sources/Users/relay.config.json":
        #"{"schema": "schema.graphql", "schemaExtensions": ["client.graphql"]}"#,
      "Sources/Users/User.graphql": "query UserQuery { order { isNew ...OrderRow_order } }",
    ])
    #expect(run(project, "validate") == CommandResult(.success))
  }

  @Test("a reference that crosses is one error, which names the module and the key")
  func crossing() throws {
    let project = try project([
      "Sources/Users/User.graphql": "query UserQuery { user { id ...OrderRow_order } }"
    ])
    let message =
      "Fragment \"OrderRow_order\" belongs to module \"Orders\", which has a different schema."
    for result in [run(project, "validate"), runRelayCompiler(pluginArguments(project))] {
      #expect(result.exitCode == .errors)
      #expect(result.errors.components(separatedBy: "error:").count == 2, "\(result.errors)")
      #expect(result.errors.contains(message), "\(result.errors)")
      #expect(result.errors.contains(#""sameSchema": {"Orders": true}"#), "\(result.errors)")
    }
    var editor = EditorSession(project.folder)
    editor.rest()
    let found = editor.diagnostics[project.uri("Sources/Users/User.graphql")]
    #expect(found?.count == 1, "\(editor.diagnostics)")
  }

  @Test("a module of another schema cannot have all shared types")
  func schemaModule() throws {
    let project = try project([
      "Sources/Users/relay.config.json": #"{"schema": "schema.graphql", "schemaModule": "Orders"}"#
    ])
    let result = run(project, "validate")
    #expect(result.exitCode == .errors)
    #expect(
      result.errors.contains(
        "\"schemaModule\" names module \"Orders\", which has a different schema."),
      "\(result.errors)")
  }

  @Test("a key says that a schema is the same, or another one")
  func key() throws {
    func configuration(_ isSame: Bool) -> String {
      "{\"schema\": \"schema.graphql\", \"sameSchema\": {\"Orders\": \(isSame)}}"
    }
    // A later version of the same schema.
    let project = try project([
      "Sources/Users/schema.graphql": Self.orders.replacing("paid", with: "paid lost"),
      "Sources/Users/relay.config.json": configuration(true),
      "Sources/Users/User.graphql": "query UserQuery { order { ...OrderRow_order } }",
    ])
    #expect(run(project, "validate") == CommandResult(.success))
    try project.write(["Sources/Users/relay.config.json": configuration(false)])
    #expect(run(project, "validate").errors.contains("belongs to module \"Orders\""))
    // The same schema source for two servers.
    try project.write([
      "Sources/Users/schema.graphql": Self.orders,
      "Sources/Users/User.graphql": "query UserQuery { order { id status } }",
    ])
    #expect(runRelayCompiler(pluginArguments(project)).exitCode == .success)
    #expect(project.read("out/User.graphql.swift")?.contains("Orders") == false)
    try project.write(["Sources/Users/relay.config.json": #"{"schema": "schema.graphql"}"#])
    #expect(runRelayCompiler(pluginArguments(project)).exitCode == .success)
    #expect(project.read("out/User.graphql.swift")?.contains("import Orders") == true)
  }

  @Test("the configuration's own modules are compared too")
  func modules() throws {
    let project = try project([
      "Sources/Users/relay.config.json":
        #"{"schema": "schema.graphql", "modules": {"Orders": "../Orders"}}"#
    ])
    #expect(run(project, "validate") == CommandResult(.success))
  }
}
