import Foundation
import GraphQLLanguage
import Testing

@testable import RelayCompiler
@testable import RelayTools

@Suite("relay-compiler mcp: long results", .timeLimit(.minutes(1)))
struct ContextLimitTests {
  private static let count = 700
  private static let names = (0..<count).map { "changeNumber\($0)" }

  private static let schema =
    "type Query { me: User }\n"
    + "type User { id: ID! name: String friends: [User] }\n"
    + "\"\(String(repeating: "Very long. ", count: 4_000))\"\nscalar Endless\n"
    + "type Mutation {\n"
    + names.map { "  \"Changes what is called \($0).\"\n  \($0)(id: ID!): User\n" }.joined() + "}\n"

  private static let wrong =
    "query Wrong { me {\n" + names.map { "  \($0): nam\n" }.joined() + "} }\n"
  private static let right =
    "query Right { me {\n" + names.map { "  \($0): name\n" }.joined() + "} }\n"

  private let project: TemporaryProject

  init() throws {
    project = try TemporaryProject([
      "schema.graphql": Self.schema, "src/Right.graphql": Self.right,
    ])
  }

  /// Calls a tool until no elements are left out, following the advice in each result.
  ///
  /// - Returns: The results without their last lines.
  private func pages(_ tool: String, _ arguments: JSON) -> [String] {
    var client = ContextClient(project)
    var pages: [String] = []
    var offset = 0
    while pages.count < 100 {
      let text = client.text(tool, arguments.adding("offset", .int(offset)))
      #expect(text.unicodeScalars.count <= 20_000)
      let pattern = #/\n… and (\d+) more(?: characters)?\. Call \w+ with .*offset (\d+)/#
      guard let rest = text.firstMatch(of: pattern), let next = Int(rest.2), next > offset else {
        #expect(!text.contains("\n… and "), "\(text.suffix(200))")
        return pages + [text]
      }
      pages.append(String(text[..<rest.range.lowerBound]) + "\n")
      offset = next
    }
    Issue.record("There are too many pages.")
    return pages
  }

  @Test("the fields of a type are on several pages, each of them once, and the limit counts them")
  func search() {
    let pages = pages("search_schema", ["query": "Mutation"])
    #expect(pages.count > 2)
    let lines = pages.joined().split(separator: "\n")
    for name in Self.names {
      #expect(lines.count { $0.hasPrefix("  Mutation.\(name)(") } == 1, "\(name)")
    }
    var client = ContextClient(project)
    let five = client.text("search_schema", ["query": "Mutation", "limit": 5])
    #expect(five.matches(of: #/Mutation\.changeNumber\d+\(/#).count == 4, "\(five)")
    #expect(five.contains("Call search_schema with offset 5 for them"), "\(five)")
  }

  @Test("problems and usages are on several pages, each of them once")
  func lists() throws {
    let usages = pages("usages", ["of": "User.name", "limit": 1_000])
    #expect(usages.count > 1)
    let places = usages.joined().matches(of: #/(?m)^src/Right\.graphql:(\d+):\d+: User\.name$/#)
    #expect(Set(places.map(\.1)).count == Self.count && places.count == Self.count)
    try project.write(["src/Wrong.graphql": Self.wrong])
    let problems = pages("validate", ["limit": 1_000])
    #expect(problems.count > 2 && problems.allSatisfy { $0.hasPrefix("700 errors, 0 warnings\n") })
    let found = problems.joined().matches(of: #/(?m)^src/Wrong\.graphql:(\d+):\d+: error: /#)
    #expect(Set(found.map(\.1)).count == Self.count && found.count == Self.count)
    var client = ContextClient(project)
    let first = client.text("validate")
    #expect(first.matches(of: #/(?m)^src/Wrong\.graphql:\d+:\d+: error: /#).count == 100)
    #expect(first.contains("offset 100"), "\(first.suffix(200))")
  }

  @Test("an offset past the end returns the number of all elements")
  func pastEnd() throws {
    var client = ContextClient(project)
    let past: JSON = ["offset": 1_000_000]
    let search = client.text("search_schema", past.adding("query", "Mutation").adding("limit", 1))
    #expect(search.contains(#/^No more: the result has 70\d results in all\.$/#), "\(search)")
    #expect(
      client.text("usages", past.adding("of", "User.name"))
        == "No more: the result has 700 places in all.")
    let explained = client.text("explain", past.adding("name", "Right"))
    #expect(
      explained.contains(#/^No more: the result has \d+ characters in all\.$/#), "\(explained)")
    try project.write(["src/Wrong.graphql": Self.wrong])
    #expect(
      client.text("validate", ["offset": 700])
        == "700 errors, 0 warnings\nNo more: the result has 700 problems in all.")
  }

  @Test("the pages of an explanation are the whole one")
  func explain() {
    let pages = pages("explain", ["name": "Right"])
    #expect(pages.count > 2)
    let command = project.run("explain", ["Right"]).output
    #expect(
      pages.joined().split(separator: "\n").dropFirst().joined()
        == command.split(separator: "\n").dropFirst().joined())
  }

  @Test("the pages of a corrected text are the whole one")
  func document() throws {
    var client = ContextClient(project)
    let comment = String(repeating: "# A line of forty characters, to be long.\n", count: 300)
    let document = comment + Self.right.replacing("} }", with: "  nam\n} }")
    let text = client.text("validate", ["document": .string(document)])
    let fix = try #require(text.firstMatch(of: #/(fix\d+): Change to "name"/#)?.1)
    var offset = 0
    var parts: [String] = []
    while parts.count < 100 {
      let text = client.text("apply_fix", ["fix": .string(String(fix)), "offset": .int(offset)])
      #expect(text.unicodeScalars.count <= 20_000)
      let start = text.firstRange(of: "The corrected document:\n")?.upperBound ?? text.startIndex
      guard let rest = text.firstMatch(of: #/… and \d+ more characters\. .* offset (\d+) for/#)
      else {
        parts.append(String(text[start...]))
        break
      }
      parts.append(String(text[start..<rest.range.lowerBound]))
      offset = try #require(Int(rest.1))
    }
    #expect(parts.count > 1)
    #expect(parts.joined() == document.replacing("  nam\n", with: "  name\n"))
  }

  @Test("an element and a message that are longer than a page are cut, and say so")
  func cut() throws {
    var client = ContextClient(project)
    let text = client.text("search_schema", ["query": "Endless"])
    #expect(text.unicodeScalars.count <= 20_000)
    #expect(text.contains(#/\(\d+ more characters are left out\)/#), "\(text.suffix(200))")
    let name = String(repeating: "x", count: 30_000)
    let failed = client.text("explain", ["name": .string(name)])
    #expect(failed.hasPrefix("failed: ") && failed.hasSuffix("more characters are left out)"))
    #expect(failed.unicodeScalars.count <= 20_008)
  }

  @Test("a result has one form, and no tool announces another")
  func form() {
    var client = ContextClient(project)
    let result = client.call("validate")
    guard case .object(let members)? = result else {
      Issue.record("\(result.debugDescription)")
      return
    }
    #expect(members.map(\.name) == ["content"])
    let tools = client.request("tools/list")?["result"]?["tools"]?.items ?? []
    #expect(tools.count == 5 && tools.allSatisfy { $0["outputSchema"] == nil })
  }
}
