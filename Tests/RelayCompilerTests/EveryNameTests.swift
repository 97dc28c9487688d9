import Foundation
import GraphQLLanguage
import Testing

@testable import RelayCompiler

/// Type-checks generated code in which schemas and documents use every reserved word of Swift, and
/// every name that generated code itself uses, in every position.
///
/// Each case runs the Swift compiler, so the suite has 20 minutes.
@Suite("Every name", .timeLimit(.minutes(20)))
struct EveryNameTests {
  /// The words of Swift's grammar, including contextual ones.
  static let words: Set<String> = [
    "Any", "Protocol", "Self", "Type", "actor", "any", "as", "associatedtype", "associativity",
    "async", "await", "borrowing", "break", "case", "catch", "class", "consuming", "continue",
    "convenience", "copy", "default", "defer", "deinit", "didSet", "discard", "distributed", "do",
    "dynamic", "each", "else", "enum", "extension", "fallthrough", "false", "fileprivate", "final",
    "for", "func", "get", "guard", "if", "import", "in", "indirect", "infix", "init", "inout",
    "internal", "is", "isolated", "lazy", "left", "let", "macro", "mutating", "nil", "none",
    "nonisolated", "nonmutating", "of", "open", "operator", "optional", "override", "package",
    "postfix", "precedence", "precedencegroup", "prefix", "private", "protocol", "public", "repeat",
    "required", "rethrows", "return", "right", "self", "sending", "set", "some", "static", "struct",
    "subscript", "super", "switch", "then", "throw", "throws", "true", "try", "typealias",
    "unowned", "unsafe", "var", "weak", "where", "while", "willSet", "yield", "_", "_x", "__x",
    "Swift", "Foundation", "App", "Schema", "Query", "Mutation", "hash", "hashValue", "description",
  ]

  /// The names in the code that is generated for one declaration of each kind.
  static let namesInUse: Set<String> = {
    let everything = NameProject.everything.compile()
    #expect(everything.diagnostics.map(\.message) == [])
    let sources = everything.files.map(\.text)
    var names: Set<String> = []
    for source in sources {
      for name in source.split(whereSeparator: { !($0.isLetter || $0.isNumber || $0 == "_") })
      where name.first?.isNumber == false && !name.hasPrefix("zz") && name.allSatisfy(\.isASCII) {
        names.insert(String(name))
      }
    }
    return names
  }()

  @Test(
    "generated code compiles with every name in every position", arguments: NamePosition.allCases)
  func compiles(position: NamePosition) async throws {
    let used = Self.namesInUse
    try #require(used.count > 60)
    // Names with two underscores belong to introspection.
    let names = Self.words.union(used).filter { !$0.hasPrefix("__") }.sorted()
    let result = position.project(names).compile()
    #expect(result.diagnostics.map(\.message) == [])
    let project = try TemporaryProject([:])
    defer { withExtendedLifetime(project) {} }
    var paths: [String] = []
    for file in result.files where file.name.hasSuffix(".swift") {
      let url = project.folder.appendingPathComponent(file.name)
      try Data(file.text.utf8).write(to: url)
      paths.append(url.path)
    }
    let output = try await SwiftTypeCheck.check(
      paths, modules: #require(SwiftTypeCheck.modules))
    #expect(output == "")
  }
}
