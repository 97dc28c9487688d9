import Foundation
import Testing

@testable import RelayCompiler
@testable import RelayTools

@Suite("relay-compiler check: kinds of changes", .timeLimit(.minutes(1)))
struct CheckChangeTests {
  private static let schema = """
    type Query { me: User user(id: ID!, tag: Tag = A): User node(id: ID!): Node find: [Result!] }
    type Mutation { save(input: Save!): User }
    interface Node { id: ID! }
    type User implements Node { id: ID! name: String! email: String status: Status }
    type Post implements Node { id: ID! text: String }
    type Page { title: String }
    union Result = User | Post
    enum Status { ON OFF }
    enum Tag { A B }
    input Save { name: String! tag: Tag limit: Int = 1 }
    directive @cached(seconds: Int) on FIELD | QUERY
    """

  /// A change of the schema: the replaced text, an operation, and the finding.
  struct Change: CustomTestStringConvertible {
    let old: String
    let new: String
    let operation: String
    /// The criticality, the kind and the message; `nil` if the operation is not affected.
    let finding: String?
    var testDescription: String { "\(old) → \(new): \(operation)" }

    init(_ old: String, _ new: String, _ operation: String, _ finding: String?) {
      (self.old, self.new, self.operation, self.finding) = (old, new, operation, finding)
    }
  }

  private static let outputs = [
    Change(
      "name: String! email", "email", "query Q { me { name } }",
      "breaking FIELD_REMOVED Field \"User.name\" was removed."),
    Change("name: String! email", "email", "query Q { me { email } }", nil),
    Change(
      "name: String! email", "name: String email", "query Q { me { name } }",
      #"breaking FIELD_CHANGED_KIND Field "User.name" changed type from "String!" to "String"."#),
    Change(
      "email: String", "email: String!", "query Q { me { email } }",
      #"safe FIELD_CHANGED_KIND_SAFE Field "User.email" changed type from "String" to "String!"."#),
    Change(
      "email: String", "email: [String]", "query Q { me { email } }",
      #"breaking FIELD_CHANGED_KIND Field "User.email" changed type from "String" to "[String]"."#),
    Change(
      "[Result!]", "[Result]", "query Q { find { __typename } }",
      #"breaking FIELD_CHANGED_KIND Field "Query.find" changed type from "[Result!]" to "[Result]"."#
    ),
    Change(
      "email: String", "email: String @deprecated(reason: \"Use name.\")",
      "query Q { me { email } }",
      "safe DEPRECATED_ELEMENT_USED Field \"User.email\" is deprecated: Use name."),
    Change(
      "ON OFF", "ON", "query Q { me { status } }",
      "dangerous VALUE_REMOVED_FROM_ENUM Enum value \"Status.OFF\" was removed."),
    Change(
      "ON OFF", "ON OFF IDLE", "query Q { me { status } }",
      "dangerous VALUE_ADDED_TO_ENUM Enum value \"Status.IDLE\" was added."),
    Change("ON OFF", "ON OFF IDLE", "query Q { me { name } }", nil),
    Change(
      "union Result = User | Post", "union Result = User",
      "query Q { find { ... on Post { id } } }",
      "breaking TYPE_REMOVED_FROM_UNION Type \"Post\" was removed from union \"Result\"."),
    Change(
      "union Result = User | Post", "union Result = User",
      "query Q { find { ... on Node { id } } }",
      "dangerous TYPE_REMOVED_FROM_UNION Type \"Post\" was removed from union \"Result\"."),
    Change(
      "union Result = User | Post", "union Result = User",
      "query Q { find { ... on User { id } } }",
      nil),
    Change(
      "User | Post", "User | Post | Page", "query Q { find { __typename } }",
      "dangerous TYPE_ADDED_TO_UNION Type \"Page\" was added to union \"Result\"."),
    Change(
      "Post implements Node", "Post", "query Q { node(id: 1) { ... on Post { text } } }",
      "breaking IMPLEMENTED_INTERFACE_REMOVED Type \"Post\" no longer implements interface \"Node\"."
    ),
    Change(
      "type Page { title: String }", "type Page implements Node { id: ID! title: String }",
      "query Q { node(id: 1) { id } }",
      "dangerous IMPLEMENTED_INTERFACE_ADDED Type \"Page\" now implements interface \"Node\"."),
    Change(
      "enum Status { ON OFF }", "scalar Status", "query Q { me { status } }",
      "breaking TYPE_CHANGED_KIND Type \"Status\" changed from an enum to a scalar."),
    Change(
      "type Query {", "schema { query: Query } type Query {",
      "mutation M { save(input: {name: \"a\"}) { id } }",
      "breaking SCHEMA_MUTATION_TYPE_CHANGED The mutation root type \"Mutation\" was removed."),
  ]

  private static let inputs = [
    Change(
      "user(id: ID!, tag: Tag = A)", "user(tag: Tag = A)", "query Q { user(id: 1) { name } }",
      "breaking ARG_REMOVED Argument \"Query.user(id:)\" was removed."),
    Change(", tag: Tag = A)", ")", "query Q { user(id: 1) { name } }", nil),
    Change(
      "tag: Tag = A)", "tag: Tag = A, at: Int!)", "query Q { user(id: 1) { name } }",
      "breaking REQUIRED_ARG_ADDED A required argument \"Query.user(at:)\" was added."),
    Change(
      "tag: Tag = A)", "tag: Tag = A, at: Int)", "query Q { user(id: 1) { name } }",
      "dangerous OPTIONAL_ARG_ADDED An optional argument \"Query.user(at:)\" was added."),
    Change(
      "Tag = A", "Tag = B", "query Q { user(id: 1) { name } }",
      "dangerous ARG_DEFAULT_VALUE_CHANGE "
        + "The default value of argument \"Query.user(tag:)\" changed from A to B."),
    Change(
      "tag: Tag = A", "tag: Int = 2", "query Q { user(id: 1) { name } }",
      "dangerous ARG_DEFAULT_VALUE_CHANGE "
        + "The default value of argument \"Query.user(tag:)\" changed from A to 2."),
    Change("Tag = A", "Tag = B", "query Q { user(id: 1, tag: A) { name } }", nil),
    Change(
      "Tag = A", "Tag = B", "query Q($t: Tag) { user(id: 1, tag: $t) { name } }",
      "dangerous ARG_DEFAULT_VALUE_CHANGE "
        + "The default value of argument \"Query.user(tag:)\" changed from A to B."),
    Change(
      "Tag = A", "Tag!", "query Q { user(id: 1) { name } }",
      #"breaking ARG_CHANGED_KIND Argument "Query.user(tag:)" changed type from "Tag" to "Tag!"."#),
    Change(
      "id: ID!, tag", "id: Int!, tag", "query Q($i: ID!) { user(id: $i) { name } }",
      #"breaking ARG_CHANGED_KIND Argument "Query.user(id:)" changed type from "ID!" to "Int!"."#),
    Change(
      "id: ID!, tag", "id: ID, tag", "query Q($i: ID!) { user(id: $i) { name } }",
      #"safe ARG_CHANGED_KIND_SAFE Argument "Query.user(id:)" changed type from "ID!" to "ID"."#),
    Change(
      "A B", "A", "query Q { user(id: 1, tag: B) { name } }",
      "breaking VALUE_REMOVED_FROM_ENUM Enum value \"Tag.B\" was removed."),
    Change(
      "A B", "A", "query Q($t: Tag) { user(id: 1, tag: $t) { name } }",
      "breaking VALUE_REMOVED_FROM_ENUM Enum value \"Tag.B\" was removed."),
    Change("A B", "A", "query Q { user(id: 1, tag: A) { name } }", nil),
    Change(
      "name: String! tag", "tag", "mutation M($i: Save!) { save(input: $i) { id } }",
      "breaking FIELD_REMOVED Input field \"Save.name\" was removed."),
    Change("tag: Tag limit", "limit", "mutation M { save(input: {name: \"a\"}) { id } }", nil),
    Change(
      "limit: Int = 1", "limit: Int = 1 more: Int!",
      "mutation M($i: Save!) { save(input: $i) { id } }",
      "breaking REQUIRED_INPUT_FIELD_ADDED A required input field \"Save.more\" was added."),
    Change(
      "limit: Int = 1", "limit: Int = 1 more: Int",
      "mutation M($i: Save!) { save(input: $i) { id } }",
      "dangerous OPTIONAL_INPUT_FIELD_ADDED An optional input field \"Save.more\" was added."),
    Change(
      "limit: Int = 1", "limit: Int! = 1",
      "mutation M { save(input: {name: \"a\", limit: 2}) { id } }",
      #"safe FIELD_CHANGED_KIND_SAFE Input field "Save.limit" changed type from "Int" to "Int!"."#),
    Change(
      "limit: Int = 1", "limit: Int! = 1", "mutation M($i: Save!) { save(input: $i) { id } }",
      #"breaking FIELD_CHANGED_KIND Input field "Save.limit" changed type from "Int" to "Int!"."#),
    Change(
      "limit: Int = 1", "limit: [Float!] = 1", "mutation M($i: Save!) { save(input: $i) { id } }",
      "safe FIELD_CHANGED_KIND_SAFE "
        + #"Input field "Save.limit" changed type from "Int" to "[Float!]"."#),
    Change(
      "name: String! tag: Tag limit", "name: Int! tag: Tag limit",
      "mutation M($i: Save!) { save(input: $i) { id } }",
      #"breaking FIELD_CHANGED_KIND Input field "Save.name" changed type from "String!" to "Int!"."#
    ),
    Change(
      "limit: Int = 1", "limit: [Int]! = 1", "mutation M($i: Save!) { save(input: $i) { id } }",
      #"breaking FIELD_CHANGED_KIND Input field "Save.limit" changed type from "Int" to "[Int]!"."#),
    Change(
      "id: ID!, tag", "id: Int!, tag", "query Q { user(id: 1) { name } }",
      #"safe ARG_CHANGED_KIND_SAFE Argument "Query.user(id:)" changed type from "ID!" to "Int!"."#),
    Change(
      "id: ID!, tag", "id: Int!, tag", "query Q { user(id: \"1\") { name } }",
      #"breaking ARG_CHANGED_KIND Argument "Query.user(id:)" changed type from "ID!" to "Int!"."#),
    Change(
      "tag: Tag = A", "tag: Tag!", "query Q($t: Tag!) { user(id: 1, tag: $t) { name } }",
      #"safe ARG_CHANGED_KIND_SAFE Argument "Query.user(tag:)" changed type from "Tag" to "Tag!"."#),
    Change(
      "tag: Tag = A", "tag: [Tag] = A", "query Q($t: Tag!) { user(id: 1, tag: $t) { name } }",
      #"breaking ARG_CHANGED_KIND Argument "Query.user(tag:)" changed type from "Tag" to "[Tag]"."#),
    Change(
      "(seconds: Int)", "(seconds: Int!)", "query Q { me @cached(seconds: 1) { name } }",
      #"safe ARG_CHANGED_KIND_SAFE Argument "@cached(seconds:)" changed type from "Int" to "Int!"."#
    ),
    Change(
      "limit: Int = 1", "limit: Int", "mutation M { save(input: {name: \"a\"}) { id } }",
      "dangerous INPUT_FIELD_DEFAULT_VALUE_CHANGE "
        + "The default value of input field \"Save.limit\", 1, was removed."),
    Change(
      "directive @cached(seconds: Int) on FIELD | QUERY", "", "query Q { me @cached { name } }",
      "breaking DIRECTIVE_REMOVED Directive \"@cached\" was removed."),
    Change(
      "on FIELD | QUERY", "on QUERY", "query Q { me @cached { name } }",
      "breaking DIRECTIVE_LOCATION_REMOVED Directive \"@cached\" is no longer allowed on FIELD."),
    Change(
      "(seconds: Int)", "", "query Q { me @cached(seconds: 1) { name } }",
      "breaking DIRECTIVE_ARG_REMOVED Argument \"@cached(seconds:)\" was removed."),
    Change(
      "(seconds: Int)", "(seconds: Int, key: ID!)", "query Q { me @cached { name } }",
      "breaking REQUIRED_DIRECTIVE_ARG_ADDED A required argument \"@cached(key:)\" was added."),
  ]

  @Test("a change is found in the operations that it affects", arguments: outputs + inputs)
  func change(_ change: Change) throws {
    try #require(Self.schema.contains(change.old))
    let (findings, code) = try Self.check(
      [change.operation], schema: Self.schema,
      new: Self.schema.replacingOccurrences(of: change.old, with: change.new))
    #expect(findings == [change.finding].compactMap(\.self))
    let isBreaking = change.finding?.hasPrefix("breaking") == true
    #expect(code == (isBreaking ? .errors : .success))
  }

  @Test("a removed type breaks the operations that select from it, once for each of its fields")
  func removedType() throws {
    let new = Self.schema
      .replacingOccurrences(of: "type Post implements Node { id: ID! text: String }", with: "")
      .replacingOccurrences(of: " | Post", with: "")
    let (findings, _) = try Self.check(
      ["query Q { node(id: 1) { ... on Post { id text } } }", "query R { find { __typename } }"],
      schema: Self.schema, new: new)
    #expect(findings == ["breaking TYPE_REMOVED Type \"Post\" was removed."])
  }

  // MARK: Default values, scalars and root types

  private static let defaults = """
    type Query { i: I n(x: Float = 1, s: String = "a", l: [Int] = 1): Int }
    interface I { f(x: Int = 1): Int }
    type A implements I { f(x: Int = 1, y: Int = 5): Int }
    type B implements I { f(x: Int = 1): Int }
    """

  @Test("on an interface, the default values of the objects' own arguments count")
  func interfaceDefaults() throws {
    func found(_ old: String, _ new: String, _ operation: String) throws -> [String] {
      try #require(Self.defaults.contains(old))
      let changed = Self.defaults.replacingOccurrences(of: old, with: new)
      return try Self.check([operation], schema: Self.defaults, new: changed).findings
    }
    let (object, operation) = ("type A implements I { f(x: Int = 1", "query Q { i { f } }")
    let change = "dangerous ARG_DEFAULT_VALUE_CHANGE The default value of argument "
    #expect(
      try found(object, "type A implements I { f(x: Int = 2", operation)
        == [change + "\"A.f(x:)\" changed from 1 to 2."])
    #expect(
      try found("y: Int = 5", "y: Int = 6", operation)
        == [change + "\"A.f(y:)\" changed from 5 to 6."])
    #expect(try found("interface I { f(x: Int = 1", "interface I { f(x: Int = 2", operation) == [])
    #expect(try found(object, "type A implements I { f(x: Int = 2", "query Q{i{f(x: 1)}}") == [])
    let onB = "query Q { i { ... on B { f } } }"
    #expect(try found(object, "type A implements I { f(x: Int = 2", onB) == [])
  }

  @Test(
    "default values are compared as their type reads them",
    arguments: [
      ("x: Float = 1", "x: Float = 1.0", true), ("x: Float = 1", "x: Float = 1.5", false),
      (#"s: String = "a""#, ##"s: String = """a""""##, true),
      ("l: [Int] = 1", "l: [Int] = [1]", true), ("l: [Int] = 1", "l: [Int] = [1, 1]", false),
    ])
  func equalDefaults(old: String, new: String, isEqual: Bool) throws {
    try #require(Self.defaults.contains(old))
    let changed = Self.defaults.replacingOccurrences(of: old, with: new)
    let (findings, _) = try Self.check(["query Q { n }"], schema: Self.defaults, new: changed)
    #expect(findings.isEmpty == isEqual, "\(findings)")
  }

  @Test("a standard scalar that the new schema does not mention is not removed")
  func standardScalar() throws {
    let old = "type Query { a(id: ID): Int b(x: Float): Int }"
    let (findings, code) = try Self.check(
      ["query Q { a(id: 1) }", "query R($i: ID) { a(id: $i) }"], schema: old,
      new: "type Query { a(id: Int): Int }")
    let change = #"Argument "Query.a(id:)" changed type from "ID" to "Int"."#
    // The unknown type of the variable is a consequence.
    #expect(
      findings == ["breaking ARG_CHANGED_KIND " + change, "safe ARG_CHANGED_KIND_SAFE " + change])
    #expect(code == .errors)
  }

  @Test("a renamed root type breaks only the operations that name it")
  func renamedRoot() throws {
    let old = "type Query { a: Int b: String }"
    let new = "schema { query: Root } type Root { a: Int b: Int }"
    let renamed = #"SCHEMA_QUERY_TYPE_CHANGED The query root type "Query" changed to "Root"."#
    #expect(
      try Self.check(["query Q { a }"], schema: old, new: new).findings == ["safe " + renamed])
    #expect(
      try Self.check(["query Q { b }"], schema: old, new: new).findings == [
        #"breaking FIELD_CHANGED_KIND Field "Query.b" changed type from "String" to "Int"."#,
        "safe " + renamed,
      ])
    #expect(
      try Self.check(["query Q { ... on Query { a } }"], schema: old, new: new).findings
        == [#"breaking TYPE_REMOVED Type "Query" was removed."#, "safe " + renamed])
    // The old type is still there, but it is not the root.
    #expect(
      try Self.check(["query Q { a }"], schema: old, new: new + " " + old).findings
        == ["breaking " + renamed])
  }

  @Test("an operation that is invalid for another reason is breaking")
  func invalid() throws {
    // Two fields with one response key may differ in type only if they never meet.
    let new = Self.schema.replacingOccurrences(of: "text: String", with: "text: String!")
    let operation =
      "query Q { find { ... on User { value: email } ... on Post { value: text } } }"
    let (findings, code) = try Self.check([operation], schema: Self.schema, new: new)
    #expect(code == .errors)
    #expect(findings.count == 2)
    #expect(findings.first?.hasPrefix("breaking OPERATION_INVALID Fields \"value\"") == true)
  }

  @Test("an argument that loses its default value and is required makes operations invalid")
  func requiredArgument() throws {
    let old = "type Query { a(n: Int! = 1): Int }"
    let (findings, code) = try Self.check(
      ["query Q { a }", "query R { a(n: 2) }"], schema: old, new: "type Query { a(n: Int!): Int }")
    #expect(
      findings == [
        "breaking ARG_DEFAULT_VALUE_CHANGE "
          + "The default value of argument \"Query.a(n:)\", 1, was removed."
      ])
    #expect(code == .errors)
  }

  /// Checks a manifest of operations. Returns the criticality, kind and message of each finding.
  private static func check(
    _ operations: [String], schema: String, new: String
  ) throws -> (findings: [String], code: CommandResult.ExitCode) {
    let entries = operations.map { "\"\(SHA256.hexadecimal($0))\": \(ValuePrinter.quoted($0))" }
    let project = try TemporaryProject([
      "schema.graphql": schema, "new.graphql": new, "src/Empty.swift": "",
      "operations.json": "{\(entries.joined(separator: ","))}",
    ])
    let path = project.folder.path
    let result = project.run(
      "check",
      [
        "--schema", path + "/new.graphql", "--operations", "1=\(path)/operations.json",
        "--format", "json",
      ])
    #expect(result.errors == "")
    let json = try JSONSerialization.jsonObject(with: Data(result.output.utf8)) as? [String: Any]
    let findings = try #require(json?["findings"] as? [[String: Any]])
    let texts = findings.map { finding in
      ["criticality", "kind", "message"].map { finding[$0] as? String ?? "" }
        .joined(separator: " ")
    }
    return (texts, result.exitCode)
  }
}
