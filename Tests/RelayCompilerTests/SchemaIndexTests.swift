import Foundation
import GraphQLLanguage
import Testing

@testable import RelayCompiler

@Suite("The schema index of plugin builds", .timeLimit(.minutes(1)))
struct SchemaIndexTests {
  private let schema = """
    "Where all begins." schema { query: Root }
    directive @cost(by: Unit) on FIELD_DEFINITION
    enum Unit { ONE }
    type Root { "Who asks." me: User node(id: ID!): Node find(in: Search): [Result!] other: Other }
    interface Node { id: ID! }
    "Somebody." type User implements Node & Named { id: ID! "The name." name: String! @cost(by: ONE) age: Int friends: [User] }
    interface Named { name: String! }
    type Bot implements Node { id: ID! version: Version }
    type Other { id: ID! }
    extend type User { mood: Mood }
    enum Mood { CALM }
    scalar Version
    union Result = User | Bot
    input Search { text: String nested: Search kind: Kind }
    enum Kind { A B }
    type Unused { a: Unused }
    """

  private var bytes: ContiguousArray<UInt8> {
    let workspace = Workspace()
    let source = Source(schema)
    let document = workspace.parse(source).document
    return SchemaIndex.bytes(
      of: source.bytes, document: document, schema: Schema.build(from: [document], in: workspace))
  }

  private func index() throws -> SchemaIndex {
    try #require(SchemaIndex(bytes, of: Source(schema).bytes))
  }

  private func part(_ names: [String]) throws -> String {
    String(decoding: try index().subset(for: names), as: UTF8.self)
  }

  @Test("the subset for a set of names has the types reachable through them")
  func parts() throws {
    let me = try part(["me", "name"])
    #expect(me.contains("\"Who asks.\" me: User") && me.contains("\"The name.\" name: String!"))
    #expect(!me.contains("age") && !me.contains("Unused") && !me.contains("Other"))
    #expect(!me.contains("Search") && me.contains("directive @cost"))
    let find = try part(["find", "User", "mood"])
    #expect(find.contains("input Search { text") && find.contains("enum Kind { A B }"))
    #expect(find.contains("type Bot implements Node") && find.contains("extend type User"))
    #expect(!find.contains("Version"))
    #expect(Workspace().parse(Source(find)).diagnostics.isEmpty)
  }

  @Test("an index of another schema, or a damaged one, is rejected")
  func damage() throws {
    let (source, bytes) = (Source(schema), bytes)
    #expect(SchemaIndex(bytes, of: Source(schema + " ").bytes) == nil)
    #expect(SchemaIndex(bytes, of: Source(schema.replacing("Root", with: "Boot")).bytes) == nil)
    var refused = 0
    for position in bytes.indices {
      var damaged = bytes
      damaged[position] ^= 0x41
      if SchemaIndex(damaged, of: source.bytes) == nil { refused += 1 }
    }
    #expect(refused == bytes.count)
    for count in stride(from: 0, to: bytes.count, by: 7) {
      #expect(SchemaIndex(ContiguousArray(bytes.prefix(count)), of: source.bytes) == nil)
    }
  }

  @Test("an index with wrong numbers and the right checksum is read without what they name")
  func wrongNumbers() throws {
    let (source, bytes) = (Source(schema), bytes)
    func word(_ index: Int) -> UInt32 {
      bytes.withUnsafeBytes { $0.loadUnaligned(fromByteOffset: index * 4, as: UInt32.self) }
    }
    let count = Int(word(2))
    let textStart = count * 4 + Int(word(3))
    // No name and no type has the counts of names and types as its index.
    for value in [word(4), word(5), .max] {
      for index in SchemaIndex.headerCount..<count {
        var wrong = bytes
        wrong.withUnsafeMutableBytes {
          $0.storeBytes(of: value, toByteOffset: index * 4, as: UInt32.self)
        }
        let checksum = SchemaIndex.checksum(of: wrong, words: count, textStart: textStart)
        wrong.withUnsafeMutableBytes {
          $0.storeBytes(of: checksum, toByteOffset: 24, as: UInt32.self)
        }
        let read = try #require(SchemaIndex(wrong, of: source.bytes))
        // An index beyond the last one would end the process.
        _ = read.subset(for: ["me", "find", "name", "friends", "text"])
      }
    }
  }

  private func compile(_ project: TemporaryProject, _ output: String) -> CommandResult {
    let source = project.folder.appendingPathComponent("src/A.swift").path
    return project.compile(
      "--output", project.folder.appendingPathComponent(output).path, "--file", source,
      "A.graphql.swift")
  }

  @Test("the index changes neither the generated code nor the diagnostics")
  func same() throws {
    let documents = [
      "query A($in: Search) { me { ...F } node(id: 1) { ... on Bot { version } } find(in: $in) { ... on User { mood } } }",
      "query A { me { name ... on Node { id } ... on Named { name } } }",
      "query A { other { id } }", "query A { me { nam } }", "query A($x: Serch) { other { id } }",
    ]
    let project = try TemporaryProject(["schema.graphql": schema])
    for text in documents {
      let source = "graphql(\"\(text) fragment F on User { name friends { age } }\")"
      try project.write(["src/A.swift": source])
      let cached = compile(project, "cached")
      try? FileManager.default.removeItem(at: project.folder.appendingPathComponent("fresh"))
      let fresh = compile(project, "fresh")
      #expect(cached == fresh)
      for file in ["A.graphql.swift", "Schema.graphql.swift"] where fresh.exitCode == .success {
        #expect(project.read("cached/" + file) == project.read("fresh/" + file), "\(text)")
      }
      let kept = project.folder.appendingPathComponent("cached/schema.index").path
      #expect(FileManager.default.fileExists(atPath: kept))
    }
    try project.write([
      "cached/schema.index": "damaged", "src/A.swift": "graphql(\"query A { me { id } }\")",
    ])
    #expect(compile(project, "cached").exitCode == .success)
  }
}
