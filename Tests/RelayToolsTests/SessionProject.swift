import GraphQLLanguage
import SeededRandom

@testable import RelayCompiler
@testable import RelayTools

/// A small project whose files change at random, with mistakes for every stage.
struct SessionProject {
  static let schema = """
    type Query { me: User users(first: Int, after: String): [User] node(id: ID!): Node }
    type Subscription { changed: User }
    interface Node { id: ID! }
    enum Status { ACTIVE AWAY }
    input Filter { name: String status: Status }
    type User implements Node {
      id: ID! name: String! status: Status friends(first: Int, filter: Filter): [User] best: User
    }
    type Post implements Node { id: ID! title: String author: User }
    """
  static let extensions = """
    extend type User { initials: String @derived(fragment: "Initials") }
    """
  static let configuration = """
    {"maxAge": {"Q0": 10, "User": 20, "Refetch1": 30}}
    """

  private var random: SeededGenerator
  private(set) var files: [String: String] = [:]
  private(set) var modules: [String: String] = [:]
  private let hasExtensions: Bool
  private let hasMaxAges: Bool
  /// The number of the file being generated.
  private var current = 0
  /// The percentage of possible mistakes that are made.
  private let mistakes: Int

  /// - Parameter mistakes: The percentage of possible mistakes that are made; `nil` for a random
  ///   choice.
  init(seed: UInt64, mistakes: Int? = nil) {
    random = SeededGenerator(seed: seed)
    hasExtensions = .random(using: &random)
    hasMaxAges = .random(using: &random)
    let chosen = [0, 3, 30, 100].randomElement(using: &random) ?? 0
    self.mistakes = mistakes ?? chosen
    for index in 0..<14 { files[path(index)] = text(of: path(index)) }
    files["src/Initials.graphql"] = "fragment Initials on User { name }"
    for index in 0..<2 { modules["other/M\(index).graphql"] = module(index) }
  }

  var input: CompilationInput {
    func sources(_ files: [String: String]) -> [CompilationInput.SourceFile] {
      files.sorted { $0.key < $1.key }.map {
        .init(path: $0.key, bytes: ContiguousArray($0.value.utf8), output: $0.key + ".swift")
      }
    }
    var options = EmissionOptions()
    if hasMaxAges, mistakes > 0 { options.maxAges = ["Q0": 10, "User": 20, "Refetch1": 30] }
    return CompilationInput(
      sources: sources(files), modules: [ImportedModule(name: "Other", sources: sources(modules))],
      schema: [Source(path: "schema.graphql", Self.schema)],
      extensions: hasExtensions ? [Source(path: "client.graphql", Self.extensions)] : [],
      options: options, configuration: Source(path: "relay.config.json", Self.configuration),
      makesFiles: true)
  }

  /// Changes, adds or removes one or two files.
  mutating func edit() {
    for _ in 0..<(chance(20) ? 2 : 1) {
      let path = path(random(14))
      switch random(12) {
      case 0: if mistakes > 0 { files[path] = nil }
      case 1:
        let index = random(2)
        modules["other/M\(index).graphql"] = module(errs(30) ? random(3) : index)
      case 2: files[path] = (files[path] ?? text(of: path)) + "\n# \(random(100))\n"
      case 3:
        // A keystroke: one character is removed.
        var text = Array((files[path] ?? text(of: path)))
        if mistakes > 0, !text.isEmpty { text.remove(at: random(text.count)) }
        files[path] = String(text)
      default: files[path] = text(of: path)
      }
    }
  }

  // MARK: Sources

  private mutating func random(_ count: Int) -> Int { .random(in: 0..<count, using: &random) }

  /// Whether an event with a probability in percent happens.
  private mutating func chance(_ percent: Int) -> Bool { random(100) < percent }

  /// Whether to make a mistake with a probability in percent.
  private mutating func errs(_ percent: Int) -> Bool { chance(mistakes) && chance(percent) }

  private func path(_ index: Int) -> String {
    "src/File\(index)" + (index.isMultiple(of: 3) ? ".swift" : ".graphql")
  }

  private mutating func text(of path: String) -> String {
    // Without mistakes the names depend on the path, which makes them unique.
    let number = path.filter(\.isNumber)
    current = Int(number) ?? 0
    var documents = (0..<(1 + random(2))).map { index in
      if errs(30) { return chance(60) ? fragment("F\(random(10))") : operation("Q\(random(5))") }
      return index == 0 ? fragment("F\(number)") : operation("Q\(number)")
    }
    if mistakes > 0, chance(3) { documents.append("fragment Status on User { status }") }
    if errs(3) { documents.append("type Local { a: Int }") }
    if errs(3) { documents.append("directive @local on FIELD") }
    if errs(6) { documents[0] = String(documents[0].dropLast(1 + random(12))) }
    guard path.hasSuffix(".swift") else { return documents.joined(separator: "\n") }
    var text = documents.enumerated().map { index, document in
      let name = chance(20) ? "shared" : "tag_\(path.filter(\.isNumber))_\(index)"
      return "let \(name) = graphql(\"\"\"\n\(document)\n\"\"\")\n"
    }.joined()
    if chance(30) {
      text +=
        "\(errs(80) ? "" : "nonisolated ")enum Provider\(random(2)) { static func get() -> Int { 1 } }\n"
    }
    if errs(4) { text += "let open = graphql(\"\"\"\nquery" }
    return text
  }

  private mutating func module(_ index: Int) -> String {
    current = 20
    return fragment("M\(index)")
  }

  private mutating func operation(_ name: String) -> String {
    let variables =
      errs(60)
      ? ["", "($n: Int)", "($n: Int, $flag: Boolean!)", "($n: String)"][random(4)]
      : "($n: Int, $flag: Boolean!)"
    let used = "users(first: $n) @include(if: $flag) { id }"
    if !errs(50) { return "query \(name)\(variables) { \(used) me { \(selections(2)) } }" }
    switch random(10) {
    case 0:
      return
        "subscription \(name)\(variables) { changed { \(selections(2)) } other: changed { id } }"
    case 1: return "query { me { id } }"
    case 2:
      return
        "query \(name)\(variables) { users(first: 1) { \(selections(2)) } me { \(selections(1)) } }"
    default: return "query \(name)\(variables) { me { \(selections(2)) } }"
    }
  }

  private mutating func fragment(_ name: String) -> String {
    var directives = ""
    if errs(50) {
      directives +=
        " @argumentDefinitions(n: {type: \"Int\"\(chance(50) ? ", defaultValue: 1" : "")})"
    }
    if directives.isEmpty, chance(10) {
      directives += " @argumentDefinitions(p: {type: \"Int\", provider: \"Provider\(random(2))\"})"
    }
    if chance(12) {
      directives +=
        " @refetchable(queryName: \"\(errs(50) ? "Q" : "Refetch")\(errs(50) ? String(random(3)) : name)\")"
    }
    if errs(10) { directives += " @inline" }
    let type = !errs(20) ? "User" : chance(50) ? "Post" : "Missing"
    let provided = directives.contains("provider") ? "by\(name): friends(first: $p) { id } " : ""
    return "fragment \(name) on \(type)\(directives) { \(provided)\(selections(2)) }"
  }

  private mutating func selections(_ depth: Int) -> String {
    (0..<(1 + random(3))).map { _ in selection(depth) }.joined(separator: " ")
  }

  private mutating func selection(_ depth: Int) -> String {
    errs(40) ? mistake(depth) : correct(depth)
  }

  /// A selection that is correct, unless it completes a cycle of fragments.
  private mutating func correct(_ depth: Int) -> String {
    switch random(13) {
    case 0, 1, 2:
      // Without mistakes a fragment only spreads later ones.
      if chance(mistakes) { return "...F\(random(14))" }
      return current < 13 ? "...F\(current + 1 + random(13 - current))" : "name"
    case 3: return current < 20 ? "...M\(random(2))" : "name"
    case 4, 5: return depth > 0 ? "best { \(selections(depth - 1)) }" : "status"
    case 6: return depth > 0 ? "friends(first: 1) { \(selections(depth - 1)) }" : "id"
    case 7: return hasExtensions && current > 0 ? "initials" : "name"
    case 8: return chance(50) ? "... on Node { id }" : "a\(random(3)): status @include(if: true)"
    case 9: return errs(50) ? "status @required(action: LOG)" : "id"
    case 10: return "... \(chance(50) ? "on Node " : "")@include(if: true) { id }"
    default: return "name"
    }
  }

  private mutating func mistake(_ depth: Int) -> String {
    switch random(14) {
    case 0: return "...F\(random(12)) @arguments(n: \(random(3)))"
    case 1: return "...M\(random(3))"
    case 2: return depth > 0 ? "friends(first: $n) { \(selections(depth - 1)) }" : "name"
    case 3: return depth > 0 ? "friends(first: \(random(3))) { \(selections(depth - 1)) }" : "id"
    case 4: return "x: \(chance(50) ? "name" : "id")"
    case 5: return "initials"
    case 6: return "id: name"
    case 7: return "nam"
    case 8: return "name @match"
    case 9: return "name @include(if: $flag)"
    case 10: return "name @local"
    case 11: return "... on Local { id }"
    case 12: return "...F\(random(10)) @alias(as: \"a\(random(2))\")"
    default: return "...F\(random(10))"
    }
  }
}
