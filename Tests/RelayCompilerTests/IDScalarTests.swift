import Foundation
import GraphQLLanguage
import Testing

@testable import RelayCompiler

@Suite("Ids of other types than ID", .timeLimit(.minutes(1)))
struct IDScalarTests {
  private func compile(
    _ document: String, schema: String, _ options: EmissionOptions = EmissionOptions()
  ) -> Compilation {
    Compiler.compile(
      CompilationInput(
        sources: [
          .init(path: "a.graphql", bytes: ContiguousArray(document.utf8), output: "a.swift")
        ],
        schema: [Source(path: "schema.graphql", schema)], options: options))
  }

  private func sent(
    _ document: String, schema: String, _ options: EmissionOptions = EmissionOptions()
  ) throws -> String {
    let compilation = compile(document, schema: schema, options)
    let programs = try #require(compilation.stages.transformed)
    return try OperationPrinter(program: programs.sent)
      .document(of: #require(programs.sent.operations.first)).text
  }

  private static let rows = """
    type Query { agg: Agg device: Device owned: Owned }
    type Agg { max: Row avg: Avg nodes: [Row!]! }
    type Row { id: Int view: String }
    type Avg { id: Float view: Float }
    scalar UUID
    type Device implements Owned { id: UUID! name: String }
    interface Owned { id: UUID! }
    """

  @Test("id is added if it is of type ID, or of a scalar or type that the configuration names")
  func added() throws {
    let document = "query AggQuery { agg { max { view } avg { view } nodes { view } } }"
    #expect(
      try sent(document, schema: Self.rows)
        == "query AggQuery{agg{max{view} avg{view} nodes{view}}}")
    var options = EmissionOptions()
    options.idScalars = ["Int"]
    #expect(
      try sent(document, schema: Self.rows, options)
        == "query AggQuery{agg{max{id view} avg{view} nodes{id view}}}")
    options = EmissionOptions(keyFields: ["Device": ["id"]])
    let device = "query Q { device { name } owned { __typename } }"
    #expect(try sent(device, schema: Self.rows) == "query Q{device{name} owned{__typename}}")
    #expect(
      try sent(device, schema: Self.rows, options)
        == "query Q{device{id name} owned{__typename ...on Device{id}}}")
    options = EmissionOptions()
    options.idScalars = ["UUID"]
    #expect(
      try sent(device, schema: Self.rows, options)
        == "query Q{device{id name} owned{__typename id}}")
  }

  @Test("a possible type whose id is of another type gets none")
  func possibleTypes() throws {
    let schema = """
      type Query { ev: Ev } interface Ev { at: String }
      type C implements Ev { at: String id: ID } type D implements Ev { at: String id: String! }
      """
    #expect(
      try sent("query EvQuery { ev { at } }", schema: schema)
        == "query EvQuery{ev{__typename ...on C{id} at}}")
  }

  @Test("plans mark an id of a scalar that the configuration names")
  func plans() throws {
    var options = EmissionOptions()
    options.idScalars = ["UUID"]
    let text = try #require(
      compile("query Q { device { name } }", schema: Self.rows, options).files.first?.text)
    #expect(text.contains("device Device{##id UUID! name String}"))
  }

  // MARK: The warning

  private func warnings(
    _ document: String, _ options: EmissionOptions = EmissionOptions()
  ) -> [String] {
    compile(document, schema: Self.rows, options).diagnostics.map {
      let place = document.utf8.dropFirst(Int($0.primarySpan.start)).prefix(
        Int($0.primarySpan.end - $0.primarySpan.start))
      return "\($0.severity) \($0.rule) \(String(Substring(place))): \($0.message)"
    }
  }

  private static func warning(_ place: String, _ type: String, _ scalar: String) -> String {
    "warning unkeyed-id \(place): The \"id\" of type \"\(type)\" does not identify its objects, because it is "
      + "of type \"\(scalar)\": the store keeps a copy of the object for each place in a response."
  }

  @Test("each type whose id identifies nothing is reported once, where its id is selected")
  func warned() {
    #expect(
      warnings("query Q { device { name again: name } more: device { id name } }")
        == [Self.warning("id", "Device", "UUID")])
    #expect(
      warnings(
        "fragment F on Device { name } query Q { agg { nodes { id } max { id } } device { ...F } }")
        == [Self.warning("Device", "Device", "UUID"), Self.warning("id", "Row", "Int")])
    #expect(
      warnings("query Q { owned { ... on Device { name } } }") == [
        Self.warning("owned", "Owned", "UUID"), Self.warning("Device", "Device", "UUID"),
      ])
    // An unselected id of an aggregate, and an average.
    #expect(warnings("query Q { agg { max { view } avg { id view } } }") == [])
  }

  @Test("the warning says what to add to the configuration, after which it is not given")
  func settled() throws {
    let document = "query Q { device { id name } }"
    let found = try #require(compile(document, schema: Self.rows).diagnostics.first)
    let help = try #require(found.help)
    var options = EmissionOptions()
    for line in [
      #""idScalars": ["UUID"]"#, #""keyFields": {"Device": "id"}"#,
      #""keyFields": {"Device": null}"#,
    ] {
      #expect(help.contains(line))
      let file = URL(fileURLWithPath: "/nowhere/relay.config.json")
      let text = "{\"schema\": \"schema.graphql\", \(line)}"
      options = try Configuration(file: file, bytes: ContiguousArray(text.utf8)).emission
      #expect(warnings(document, options) == [])
    }
    // The last one is null, so the id remains a plain field.
    #expect(
      try sent("query Q { device { name } }", schema: Self.rows, options) == "query Q{device{name}}"
    )
  }

  @Test("mistakes in the configuration are reported at their place")
  func mistakes() throws {
    let schema = Self.rows + "\ntype Person { id: ID! }"
    func report(_ members: String) throws -> String {
      let text = "{\"schema\": \"s.graphql\", \(members)}"
      let file = URL(fileURLWithPath: "/nowhere/relay.config.json")
      let options = try Configuration(file: file, bytes: ContiguousArray(text.utf8)).emission
      var input = CompilationInput(
        sources: [], schema: [Source(path: "schema.graphql", schema)], options: options)
      input.configuration = Source(path: "relay.config.json", text)
      return Compiler.compile(input).diagnostics.map { diagnostic in
        let span = diagnostic.primarySpan
        let place = Substring(
          text.utf8.dropFirst(Int(span.start)).prefix(Int(span.end - span.start)))
        return "\(place): \(diagnostic.message) \(diagnostic.help ?? "")"
      }.joined(separator: "\n")
    }
    #expect(
      try report(#""idScalars": ["UID"]"#)
        == #"UID: "UID" in "idScalars" is not a scalar of the schema. Did you mean "ID" or "UUID"?"#
    )
    #expect(
      try report(#""idScalars": ["Row"]"#).hasPrefix(
        #"Row: "Row" in "idScalars" is not a scalar of the schema."#))
    #expect(
      try report(#""keyFields": {"Person": null}"#)
        == #"Person: "keyFields" has null for "Person", but its "id" is of type "ID" and identifies objects. Remove it, or name its key fields. "#
    )
    #expect(
      try report(#""keyFields": {"Devise": null}"#)
        == #"Devise: "Devise" in "keyFields" is not an object type or interface. Did you mean "Device"?"#
    )
    #expect(throws: ConfigurationError.self) { try report(#""idScalars": "UUID""#) }
  }

  // MARK: A plain field

  @Test("an id that identifies nothing is a field like others: aliases, updaters, refetching")
  func plain() throws {
    let document = """
      query Q { device { id: name } }
      query Write @updatable { device { id name } }
      """
    #expect(warnings(document).filter { !$0.hasPrefix("warning") } == [])
    var text = compile(document, schema: Self.rows).files.map(\.text).joined()
    #expect(text.contains("nonmutating set { __record[0] = newValue }"))
    var options = EmissionOptions()
    options.idScalars = ["UUID"]
    text = compile("query Write @updatable { device { id name } }", schema: Self.rows, options)
      .files
      .map(\.text).joined()
    #expect(!text.contains("nonmutating set { __record[0] = newValue }"))
    #expect(
      warnings("query Q { device { id: name } }", options).map { $0.prefix(18) } == [
        "error key-alias id"
      ])
  }

  // MARK: What writes a configuration
}
