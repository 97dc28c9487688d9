import GraphQLLanguage
import Testing

/// A document with a `^` before each expected error location, and the rules that report the errors.
/// A document without marks and rules is valid.
struct MarkedCase: Sendable, CustomTestStringConvertible {
  let marked: String
  let rules: Set<String>

  init(_ marked: String, _ rules: String...) { self.init(marked, rules: Set(rules)) }

  init(_ marked: String, rules: Set<String>) {
    self.marked = marked
    self.rules = rules
  }

  var testDescription: String { marked }

  /// The document without its marks.
  var text: String { marked.filter { $0 != "^" } }

  /// Checks reported errors, in the form `rule line:column …`, against the marks and rules.
  func check(_ reported: [String], sourceLocation: Testing.SourceLocation = #_sourceLocation) {
    let parts = reported.map { $0.split(separator: " ").map(String.init) }
    #expect(Set(parts.compactMap(\.first)) == rules, sourceLocation: sourceLocation)
    #expect(
      Set(parts.flatMap { $0.dropFirst() }) == markedLocations, sourceLocation: sourceLocation)
  }

  /// The positions of the marks in the document without marks, as `line:column`.
  private var markedLocations: Set<String> {
    var (line, column) = (1, 1)
    var found: Set<String> = []
    for character in marked {
      switch character {
      case "^": found.insert("\(line):\(column)")
      case "\n": (line, column) = (line + 1, 1)
      default: column += 1
      }
    }
    return found
  }
}
