/// The outline of generated Swift: the types and properties that an app uses, without their bodies
/// and what only the runtime uses.
enum SwiftOutline {
  private static let kinds = ["struct ", "enum ", "indirect enum ", "case ", "func ", "var "]

  /// Returns the lines of the declarations, indented as in the source.
  static func lines(of source: String) -> [String] {
    source.split(separator: "\n").compactMap { line in
      let indentation = line.prefix { $0 == " " }
      var declaration = line.dropFirst(indentation.count)
      for modifier in ["public ", "package ", "nonisolated "] where declaration.hasPrefix(modifier)
      {
        declaration = declaration.dropFirst(modifier.count)
      }
      guard let kind = kinds.first(where: declaration.hasPrefix),
        !declaration.dropFirst(kind.count).hasPrefix("__")
      else { return nil }
      return indentation + head(of: declaration)
    }
  }

  /// The declaration without its body, and a type without its conformances.
  private static func head(of declaration: Substring) -> String {
    let end = declaration.firstRange(of: " {")?.lowerBound ?? declaration.endIndex
    let head = declaration[..<end]
    if head.hasPrefix("var ") || head.hasPrefix("case ") || head.hasPrefix("func ") {
      return String(head)
    }
    return String(head.prefix { $0 != ":" })
  }
}
