import GraphQLLanguage
import RelayCompiler
import Testing

/// Documents with awkward names. Their generated Swift must build under strict settings.
///
/// The tests run the Swift compiler, so the suite has 10 minutes.
@Suite(.timeLimit(.minutes(10))) struct NameTests {
  /// Names that collide with Swift, the standard library, Foundation, SwiftUI or generated code.
  private static let typeNames = [
    "Type", "Data", "Error", "Optional", "Result", "Fragment", "Fragments", "Task", "Set", "UUID",
    "Self", "Any", "Protocol", "Array", "Dictionary", "Bool", "Double", "Never", "Sendable",
    "Hashable", "Identifiable", "Mirror", "Schema", "Row", "Plan", "Slot", "Variables",
    "GraphQLList",
    "GraphQLView", "FragmentRef", "RawResponse", "Swift", "RelayStore", "Foundation", "View",
    "Operation", "Range", "Actor", "MainActor", "Codable", "Date", "URL", "Void", "Foo", "foo",
    "FOO",
    "_Foo", "class", "self", "init", "some", "any", "import", "each",
    "borrowing", "sending", "async", "await", "actor", "isolated", "_", "open", "package", "throws",
  ]

  private static let memberNames = [
    "class", "struct", "enum", "func", "var", "let", "in", "inout", "is", "as", "do", "try",
    "throw",
    "throws", "rethrows", "return", "repeat", "while", "switch", "default", "where", "guard",
    "defer",
    "init", "deinit", "self", "Self", "super", "nil", "true", "false", "Any", "Type", "Protocol",
    "extension", "protocol", "import", "operator", "precedencegroup", "associatedtype", "typealias",
    "static", "internal", "private", "fileprivate", "public", "open", "subscript", "await", "async",
    "actor", "some", "any", "borrowing", "consuming", "sending", "nonisolated", "get", "set",
    "willSet",
    "mutating", "dynamic", "weak", "lazy", "override", "macro", "package", "each", "then",
    "discard",
    "hash", "hashValue", "customMirror", "description", "debugDescription", "fragments",
    "Fragments",
    "name", "Name", "NAME", "_name", "_", "a_", "a", "A", "row", "Row", "plan", "Plan", "Slot",
    "String", "Int", "Double", "Bool", "GraphQLList", "FragmentRef", "Variables", "Data", "Schema",
    "asDog", "AsDog", "unsafeBitCast", "Swift", "variables", "value", "slot",
  ]

  private static let leaves = memberNames.map { "\($0): String" }.joined(separator: " ")
  private static let links = memberNames.map { "\($0): Node" }.joined(separator: " ")

  /// A schema and documents with every member name as a field, a link, a variable, an enum value
  /// and an input field.
  private static let members = (
    schema: """
    interface Node { \(leaves) }
    type Dog implements Node { \(leaves) id: ID! }
    type Links { \(links) list: [Links] id: ID! }
    enum Kind { \(memberNames.filter { !["true", "false", "null", "nil"].contains($0) }.joined(separator: " ")) }
    input Box { \(memberNames.map { "\($0): Box" }.joined(separator: " ")) id: ID! }
    type Query { node: Node links(box: Box, kind: Kind): Links kind: Kind }
    type Mutation { node: Node links: Links }
    """,
    documents: """
    query Members(\(memberNames.map { "$\($0): Int" }.joined(separator: ", ")), $box: Box, $kind: Kind = self) {
      \(memberNames.map { "l_\($0): thing(x: $\($0))" }.joined(separator: " "))
      kind
      node { \(memberNames.joined(separator: " ")) ... on Dog { id } ...Leaves_node ...Class }
      links(box: $box, kind: $kind) { \(memberNames.map { $0 + " { name ...Class ... on Dog { id } }" }.joined(separator: " ")) list { id } }
    }
    fragment Leaves_node on Node { \(memberNames.joined(separator: " ")) }
    fragment Class on Node { name }
    mutation Change { node { ...Leaves_node } links { \(memberNames.map { $0 + " { name }" }.joined(separator: " ")) } }
    """
  )

  private func files(
    schema: String, documents: String, options: EmissionOptions = .init()
  ) throws -> [(name: String, text: String)] {
    let compilation = Compiler.compile(
      CompilationInput(
        sources: [
          .init(
            path: "All.graphql", bytes: ContiguousArray(documents.utf8), output: "All.graphql.swift"
          )
        ],
        schema: [Source(path: "schema.graphql", bytes: ContiguousArray(schema.utf8))],
        options: options))
    let messages = compilation.diagnostics.filter { $0.severity == .error }.map(\.message)
    #expect(messages == [])
    return compilation.files.map { ($0.name, $0.text) }
  }

  /// Expects the files to build with main actor isolation by default, and as a module that `code`
  /// imports.
  private func expectToBuild(_ files: [(name: String, text: String)], using code: String)
    async throws
  {
    let problems = try await SwiftProgram.check(files, using: code)
    #expect(problems == "", "\(problems.prefix(3000))")
  }

  @Test("members may have any name: keywords and members of Hashable and Mirror, in any case")
  func memberNames() async throws {
    let schema = Self.members.schema.replacing(
      "type Query {", with: "type Query { thing(x: Int): Int")
    try await expectToBuild(
      files(schema: schema, documents: Self.members.documents),
      using: """
        import Types
        public func use(_ data: MembersQuery.Data) -> [String?] {
          [data.node?.class, data.node?.self_, data.node?.hashValue, data.node?.asDog_?.id, data.links?.in?.name]
        }
        """)
  }

  @Test(
    "types may have any name",
    arguments: ["object", "interface", "enum", "input", "scalar"])
  func typeNames(kind: String) async throws {
    let names = Self.typeNames
    let definitions = names.map { name in
      switch kind {
      case "object": "type \(name) { name: String \(name.lowercased()): \(name) }"
      case "interface":
        "interface \(name) { name: String } type Is\(name) implements \(name) { name: String x: Int }"
      case "enum": "enum \(name) { ONE none }"
      case "input": "input \(name) { a: \(name) b: [\(name)!] c: String }"
      default: "scalar \(name)"
      }
    }
    let isInput = kind == "input"
    let fields = names.map { name in
      isInput ? "f\(name)(x: \(name)): String" : "f\(name): \(name) g\(name): [\(name)]"
    }
    let inner =
      switch kind {
      case "object": " { name }"
      case "interface": " { name __typename }"
      default: ""
      }
    let selections = names.map { name in
      switch kind {
      case "input": "f\(name)(x: $v\(name))"
      case "interface": "f\(name) { name ... on Is\(name) { x } } g\(name) { name }"
      default: "f\(name)\(inner) g\(name)\(inner)"
      }
    }
    let variables =
      isInput ? "(" + names.map { "$v\($0): \($0)" }.joined(separator: ", ") + ")" : ""
    let all = selections.joined(separator: " ")
    try await expectToBuild(
      files(
        schema: (definitions + ["type Query { \(fields.joined(separator: " ")) }"])
          .joined(separator: "\n"),
        documents: "query All\(variables) { \(all) }"),
      using: """
        import Types
        public func use(_ data: AllQuery.Data) -> Swift.Bool { data == data }
        """)
  }

  @Test("fragments may have the names of members that their structs inherit")
  func inheritedNames() async throws {
    let names = ["hash", "hashValue", "customMirror", "fragments", "id", "description", "encode"]
    let fields = "hash hashValue customMirror fragments id description encode"
    let fragments = names.map { "fragment \($0) on User { \(fields) user { \(fields) } }" }
    let schema = """
      type Query { user: User }
      type User {
        user: User id: ID! hash: Int! hashValue: String! customMirror: [Int!]! fragments: String!
        description: Int! encode: Boolean!
      }
      """
    let spreads = names.map { "...\($0)" }.joined(separator: " ")
    try await expectToBuild(
      files(
        schema: schema,
        documents: (fragments + ["query All { user { \(fields) \(spreads) } }"])
          .joined(separator: "\n")),
      using: """
        import Types
        public func use(_ data: AllQuery.Data) -> Int? { data == data ? data.user?.hash : nil }
        """)
  }

  @Test("fragments and operations may have any name")
  func definitionNames() async throws {
    var types: Set<String> = ["Schema"]
    let names = (Self.typeNames + ["String", "Int", "Query"]).filter {
      types.insert($0.prefix(1).uppercased() + $0.dropFirst()).inserted
    }
    let schema = "type Query { user: User } type User { name: String id: ID! }"
    let fragments = names.map { "fragment \($0) on User { name id }" }
    let queries = names.map { "query Ask\($0) { user { ...\($0) } }" }
    try await expectToBuild(
      files(schema: schema, documents: (fragments + queries).joined(separator: "\n")),
      using: """
        import Types
        public func use(_ data: AskFooQuery.Data) -> Swift.Bool { data == data }
        """)
  }

  @Test(
    "no member shadows the schema enum, providers, inline fragments or the definition itself",
    arguments: ["Schema", "Backend", "AsDog", "Link_link"])
  func shadowedNames(schemaName: String) async throws {
    let names = [
      schemaName, "Provider", "Inline_node", "All", "AllQuery", "Leaves", "ConnectionInfo",
      "RefetchInfo", "GraphQLNullable",
    ]
    let fields = names.joined(separator: " ")
    let schema = """
      scalar Moment
      interface Node { at: Moment! \(names.map { "\($0): Int" }.joined(separator: " ")) id: ID! }
      type Dog implements Node { at: Moment! \(names.map { "\($0): Int" }.joined(separator: " ")) id: ID! }
      type \(schemaName) { link: \(schemaName) node: Node \(schemaName): \(schemaName) at: Moment dog(x: Int): Int id: ID! }
      input Box { \(names.map { "\($0): Moment" }.joined(separator: " ")) at: Moment! = 3 boxes: [Box] = [] }
      type List { edges: [Edge] pageInfo: PageInfo! }
      type Edge { node: Dog cursor: String }
      type PageInfo { hasNextPage: Boolean! endCursor: String hasPreviousPage: Boolean! startCursor: String }
      type Query {
        node(id: ID): Node link(\(names.map { "\($0): Moment" }.joined(separator: " ")) box: Box): \(schemaName)
        dog(x: Int): Int at: Moment list(first: Int, after: String): List
        \(names.map { "\($0): Int" }.joined(separator: " "))
      }
      type Mutation { link(box: Box): \(schemaName) }
      """
    let documents = """
      query All(\(names.map { "$\($0): Moment" }.joined(separator: ", ")), $box: Box) {
        \(fields) at node { \(fields) at ... on Dog { \(fields) at } ...Leaves }
        link(\(names.map { "\($0): $\($0)" }.joined(separator: ", ")), box: $box) {
          \(schemaName) { \(schemaName) { at } } link { at } ...Provided
        }
        ...Listed
      }
      mutation Change($box: Box, $\(schemaName): Box) @raw_response_type {
        link(box: $box) { \(schemaName) { node { \(fields) ... on Dog { at } } at } }
        other: link(box: $\(schemaName)) { at }
      }
      fragment Inline_node on Node @inline { \(fields) at }
      fragment Leaves on Node { \(fields) at ... on Dog { at } ...Inline_node }
      fragment Provided on \(schemaName) @argumentDefinitions(x: {type: "Int", provider: "Provider"}) {
        dog(x: $x) Provider: at Inline_node: at \(schemaName) { at } node { ... on Dog { at } ...Inline_node }
      }
      fragment Listed on Query @refetchable(queryName: "ListedQuery")
      @argumentDefinitions(first: {type: "Int", defaultValue: 1}, after: {type: "String"}) {
        \(fields) list(first: $first, after: $after) @connection(key: "Listed_list") { edges { node { \(fields) } } }
      }
      fragment Written on Node @updatable { \(fields) at }
      query Edit($\(schemaName): Int, $Edit: Int) @updatable {
        \(fields) node { \(fields) at ... on Dog { at } } a: dog(x: $\(schemaName)) b: dog(x: $Edit)
      }
      """
    let provider = """
      public nonisolated enum Provider { public static func get() -> Int? { 1 } }
      """
    let options = EmissionOptions(
      schemaName: schemaName, customScalarTypes: ["Moment": "Foundation.Date"])
    let files = try files(schema: schema, documents: documents, options: options)
    try await expectToBuild(
      files + [("Provider.swift", provider)],
      using: """
        public import Foundation
        public import Types
        public func use(_ data: AllQuery.Data) -> Foundation.Date? { data.link?.\(schemaName)_?.\(schemaName)_?.at }
        """)
  }
}
