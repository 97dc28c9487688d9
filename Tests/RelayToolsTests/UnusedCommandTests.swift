import Foundation
import Testing

@testable import RelayCompiler
@testable import RelayTools

@Suite("relay-compiler unused", .timeLimit(.minutes(1)))
struct UnusedCommandTests {
  private static let schema = """
    type Query { me: User user(id: ID!): User }
    type Mutation { rename(name: String): User }
    type User { id: ID! name: String! age: Int default: String friends(first: Int, after: ID): UserConnection }
    type UserConnection { edges: [UserEdge] pageInfo: PageInfo! totalCount: Int }
    type UserEdge { cursor: String! node: User }
    type PageInfo { endCursor: String hasNextPage: Boolean! }
    """

  /// Returns the warnings in a file: the line, the column and the message of each.
  private func found(_ swift: String, others: [String: String] = [:], _ arguments: String...) throws
    -> [String]
  {
    let files = ["schema.graphql": Self.schema, "src/A.swift": swift]
    let project = try TemporaryProject(files.merging(others) { $1 })
    let result = project.run(
      "unused", arguments.map { $0.replacing("FOLDER", with: project.folder.path) })
    let lines = result.errors.split(separator: "\n").filter { $0.contains(": warning: ") }
    #expect(result.exitCode == (lines.isEmpty ? .success : .errors), "\(result.errors)")
    #expect(result.output == "")
    return lines.map { line in
      String(line.split(separator: "A.swift:").last ?? "").replacing(": warning:", with: "")
    }
  }

  @Test("a field that no Swift file names is found, at its place in the tag")
  func fields() throws {
    let found = try found(
      #"""
      let row = graphql("""
        fragment Row_user on User {
          id __typename name age years: age default
          best: friends(first: 1) { totalCount edges { node { name } } }
        }
        """)
      func show(_ user: Row_user) { print(user.name, "\(user.best?.edges?.count ?? 0)", user.`default`) }
      """#)
    #expect(
      found == [
        "3:24 Field \"age\" of fragment \"Row_user\" is never read in Swift. [unused-field]",
        "3:28 Field \"years\" of fragment \"Row_user\" is never read in Swift. [unused-field]",
        "4:31 Field \"totalCount\" of fragment \"Row_user\" is never read in Swift. [unused-field]",
        "4:50 Field \"node\" of fragment \"Row_user\" is never read in Swift. [unused-field]",
      ])
  }

  @Test("fields that the store reads, or that change what is around them, are not found")
  func storeFields() throws {
    let found = try found(
      #"""
      graphql("""
        fragment List_user on User {
          age @required(action: NONE)
          friends(first: 10) @connection(key: "List_friends") {
            edges { cursor node { name default } } pageInfo { endCursor hasNextPage }
          }
        }
        """)
      graphql("mutation Rename { rename(name: \"a\") { name } }")
      graphql("query Write @updatable { me { name } }")
      func show(_ user: List_user) { _ = (user.friends, user.name, RenameMutation(), WriteQuery()) }
      """#)
    #expect(
      found == [
        "5:34 Field \"default\" of fragment \"List_user\" is never read in Swift. [unused-field]"
      ])
  }

  @Test(
    "definitions that nobody uses are found, and those of which nothing is read are not taken apart"
  )
  func definitions() throws {
    let found = try found(
      #"""
      graphql("fragment Used_user on User { name }")
      graphql("fragment Alone_user on User { name }")
      graphql("fragment Named_user on User { name }")
      graphql("query Feed { me { ...Used_user } }")
      graphql("query Other { me { name } }")
      graphql("query Warm { me { age } }")
      func show(_ user: Named_user) { _ = (FeedQuery(), WarmQuery()) }
      """#)
    #expect(
      found == [
        "2:19 Fragment \"Alone_user\" is never spread, and never used in Swift. "
          + "[unused-definition]",
        "5:16 Query \"Other\" is never used in Swift. [unused-definition]",
      ])
  }

  @Test("Swift and documents of other modules count, if their folder is given")
  func otherModules() throws {
    let swift = #"""
      graphql("fragment Shared_user on User { name age }")
      graphql("fragment Free_user on User { default }")
      """#
    let others = [
      "other/B.swift":
        #"graphql("fragment B_user on User { ...Shared_user }"); let a = user.name + user.age"#,
      "other/C.graphql": "fragment C_user on User { ...Free_user }",
    ]
    #expect(try found(swift, others: others).count == 2)
    #expect(try found(swift, others: others, "--swift", "FOLDER/other") == [])
  }

  @Test("an error of a document is reported, and so are wrong arguments")
  func errors() throws {
    let project = try TemporaryProject(["src/A.swift": #"graphql("query Feed { me { nam } }")"#])
    let result = project.run("unused")
    #expect(result.exitCode == .errors && result.errors.contains("Cannot query field \"nam\""))
    #expect(project.run("unused", ["--swift"]).exitCode == .usage)
    #expect(project.run("unused", ["src"]).exitCode == .usage)
    try project.write(["src/A.swift": #"graphql("query Feed { me { name } }")"#])
    let json = project.run("unused", ["--format", "json"])
    #expect(json.exitCode == .errors && json.output.contains("\"unused-definition\""))
  }
}
