import Foundation
import GraphQLLanguage
import Testing

@testable import RelayCompiler
@testable import RelayTools

/// Searches of GitHub's schema, which is next to the package.
@Suite("Questions about a large schema", .timeLimit(.minutes(1)))
struct SearchQuestionTests {
  private struct Question: Decodable {
    let question: String
    let expected: [String]
  }

  private static let schema = RealProject.package
    .appendingPathComponent("../shared/schemas/github.graphql").standardizedFileURL
  private static let hasSchema = FileManager.default.fileExists(atPath: schema.path)

  private static func questions() throws -> [Question] {
    let file = RealProject.package.appendingPathComponent(
      "Tests/RelayToolsTests/search-questions.jsonl")
    return try String(contentsOf: file, encoding: .utf8).split(separator: "\n")
      .map { try JSONDecoder().decode(Question.self, from: Data($0.utf8)) }
  }

  private static func index() throws -> ElementIndex {
    let text = try String(contentsOf: schema, encoding: .utf8)
    return ElementIndex(LanguageProject([:], schema: text).session.languageContext)
  }

  @Test(
    "questions find what they ask for among the first five results, each in less than 50 ms",
    .enabled(if: hasSchema, "the schema is not next to the package"))
  func questions() throws {
    let index = try Self.index()
    let questions = try Self.questions()
    var (found, times) = (0, [Int]())
    for question in questions {
      let start = Self.nanoseconds()
      let results = ElementSearch(question.question, in: index).results()
      times.append(Self.nanoseconds() - start)
      let rank = results.firstIndex { item in
        question.expected.contains { Self.isFound($0, by: item) }
      }
      if let rank, rank < 5 {
        found += 1
      } else {
        let first = results.prefix(5).map(\.coordinate).joined(separator: ", ")
        let place = rank.map { "\($0 + 1)" } ?? "no place"
        print("\(question.question) is at \(place), after \(first)")
      }
    }
    times.sort()
    let median = try #require(times.isEmpty ? nil : times[times.count / 2]) / 1_000_000
    print("\(found) of \(questions.count) questions, median \(median) ms")
    #expect(found >= 26 && questions.count == 30)
    #expect(median < 50)
  }

  @Test(
    "a word does not find longer ones, and a kind next to a name finds that element first",
    .enabled(if: hasSchema, "the schema is not next to the package"))
  func names() throws {
    let index = try Self.index()
    for (query, expected, limit) in [
      ("star a repository", "Mutation.addStar", 8), ("unstar a repo", "Mutation.removeStar", 8),
      ("star", "Mutation.addStar", 8), ("add a star", "Mutation.addStar", 2),
      ("type Repository", "Repository", 1), ("type repository", "Repository", 1),
      ("the enum IssueState", "IssueState", 1), ("IssueState enum values", "IssueState", 1),
      ("mutation addStar", "Mutation.addStar", 1), ("interface Starrable", "Starrable", 1),
      ("how to use a PullRequestReview", "PullRequestReview", 3),
    ] {
      let results = ElementSearch(query, in: index).results().prefix(12).map(\.coordinate)
      let rank = results.firstIndex(of: expected) ?? 99
      #expect(rank < limit, "\(query): \(results.joined(separator: ", "))")
    }
  }

  /// Whether an element is the expected one: it has the coordinate, or the argument of
  /// `Type.field(argument:)`, which the result lists.
  private static func isFound(_ expected: String, by item: ElementSearch.Item) -> Bool {
    let parts = expected.split(separator: "(")
    guard item.coordinate == parts[0] else { return false }
    return parts.count == 1 || item.entry.declaration.contains(parts[1].dropLast(2) + ": ")
  }

  /// The processor time of the thread, which the load of the machine does not change.
  private static func nanoseconds() -> Int {
    var time = timespec()
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return time.tv_sec * 1_000_000_000 + time.tv_nsec
  }
}
