import GraphQLLanguage
import Testing

@testable import RelayCompiler
@testable import RelayTools

/// A session over files; one position in them is marked with `‸`.
struct LanguageProject: CustomTestStringConvertible {
  static let schema = """
    type Query { me: User node(id: ID!): Node users(filter: Filter, first: Int = 10): [User!]! }
    type Mutation { rename(input: RenameInput!): User }
    "What has an id."
    interface Node { id: ID! }
    "A state."
    enum Status { "Is here." ACTIVE AWAY @deprecated(reason: "Use ACTIVE.") }
    input Filter { name: String = "x" status: Status friends: Filter }
    input RenameInput { id: ID! name: String! }
    union Owner = User | Team
    type Team implements Node { id: ID! title: String owner: Owner }
    "Somebody."
    type User implements Node {
      id: ID!
      "How one is called."
      name: String!
      login: String @deprecated(reason: "Use name.")
      status: Status
      friends(first: Int, filter: Filter, "In what state." status: Status = ACTIVE): [User]
      best: User
      team: Team
      owner: Owner
    }
    """

  let session: Session
  /// The marked position.
  private(set) var position = FilePosition(path: "", offset: 0)
  private var texts: [String: String] = [:]

  init(_ files: KeyValuePairs<String, String>, schema: String = Self.schema) {
    var plain: [(path: String, bytes: ContiguousArray<UInt8>)] = []
    for (path, text) in files.map({ ($0.key, $0.value) }) + [("schema.graphql", schema)] {
      var bytes = ContiguousArray(text.utf8)
      let mark = Array("‸".utf8)
      if let start = bytes.firstRange(of: mark)?.lowerBound {
        bytes.removeSubrange(start..<start + mark.count)
        position = FilePosition(path: path, offset: start)
      }
      texts[path] = String(decoding: bytes, as: UTF8.self)
      plain.append((path, bytes))
    }
    let sources = plain.dropLast().sorted { $0.path < $1.path }
    session = Session(
      CompilationInput(
        sources: sources.map { .init(path: $0.path, bytes: $0.bytes, output: $0.path + ".swift") },
        schema: plain.suffix(1).map { Source(path: $0.path, bytes: $0.bytes) }))
  }

  /// Returns ranges as `path:text`, or `path:line:column` with `places`.
  func texts(_ ranges: [FileRange]) -> [String] {
    ranges.map { "\($0.path):\(text($0))" }
  }

  func text(_ range: FileRange) -> String {
    guard let bytes = texts[range.path].map({ Array($0.utf8) }),
      range.bytes.upperBound <= bytes.count
    else { return "?" }
    return String(decoding: bytes[range.bytes], as: UTF8.self)
  }

  /// Returns a file's contents with edits applied.
  func text(of path: String, after edits: [FileEdit]) -> String {
    var bytes = Array((texts[path] ?? "").utf8)
    let own = edits.filter { $0.range.path == path }
    for edit in own.sorted(by: { $0.range.bytes.lowerBound > $1.range.bytes.lowerBound }) {
      bytes.replaceSubrange(edit.range.bytes, with: Array(edit.text.utf8))
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  var testDescription: String { "\(position.path):\(position.offset)" }

  func hover() -> Hover? { session.hover(at: position) }
  func definitions() -> [FileRange] { session.definitions(at: position) }
  func references(includesDefinitions: Bool) -> [FileRange] {
    session.references(at: position, includesDefinitions: includesDefinitions)
  }
  func rename(to name: String) throws(RenameError) -> [FileEdit] {
    try session.rename(at: position, to: name)
  }
  func codeActions(in range: FileRange) -> [CodeAction] { session.codeActions(in: range) }
  func inlayHints(in range: FileRange) -> [InlayHint] { session.inlayHints(in: range) }
  func outline(of path: String) -> [OutlineItem] { session.outline(of: path) }
  func foldingRanges(in path: String) -> [FileRange] { session.foldingRanges(in: path) }
  func operationText() -> String? { session.operationText(at: position) }
  var items: [Completion] { session.completions(at: position) }
  var completions: [String] { items.map(\.label) }
}
