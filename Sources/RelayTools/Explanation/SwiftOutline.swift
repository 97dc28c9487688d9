/// An outline of generated Swift: the types and properties that an app uses, without bodies or
/// runtime-only declarations. Optimistic response types also show how they are created, because apps
/// never read them.
enum SwiftOutline {
  private static let kinds = ["struct ", "enum ", "indirect enum ", "case ", "func ", "var "]
  private static let initializers = ["init(", "static func complete"]

  /// Returns the lines of the declarations, indented as in the source.
  static func lines(of source: String) -> [String] {
    // The indentation of the enclosing optimistic response type.
    var response: Int?
    return unwrapped(source).compactMap { line in
      let indentation = line.prefix { $0 == " " }
      if let outer = response, indentation.count <= outer { response = nil }
      var declaration = line.dropFirst(indentation.count)
      for modifier in ["@_alwaysEmitIntoClient ", "public ", "package ", "nonisolated "]
      where declaration.hasPrefix(modifier) {
        declaration = declaration.dropFirst(modifier.count)
      }
      if declaration.hasPrefix("struct RawResponse:") { response = indentation.count }
      if response != nil, initializers.contains(where: declaration.hasPrefix) {
        return indentation + head(of: declaration)
      }
      guard let kind = kinds.first(where: declaration.hasPrefix) else { return nil }
      let name = declaration.dropFirst(kind.count)
      // A name with a dot is a case of a `switch`.
      if name.hasPrefix(".") || !isType(kind) && name.hasPrefix("__") { return nil }
      return indentation + head(of: declaration)
    }
  }

  /// The lines of a source, with wrapped parameter lists joined into one line.
  private static func unwrapped(_ source: String) -> [Substring] {
    var lines: [Substring] = []
    var open: Substring?
    for line in source.split(separator: "\n") {
      guard let start = open else {
        let isOpen = line.last == "(" && !line.contains(" = ")
        if isOpen { open = line } else { lines.append(line) }
        continue
      }
      let text = line.drop { $0 == " " }
      let isEnd = text.first == ")"
      let gap = start.last == "(" || isEnd ? "" : " "
      open = isEnd ? nil : start + gap + text
      if isEnd { lines.append(start + text) }
    }
    return lines + [open].compactMap(\.self)
  }

  private static func isType(_ kind: String) -> Bool { kind.hasSuffix("struct ") }

  /// The declaration without its body and, for a type, without its conformances.
  private static func head(of declaration: Substring) -> String {
    let end = declaration.firstRange(of: " {")?.lowerBound ?? declaration.endIndex
    let head = declaration[..<end]
    let isMember = ["var ", "case ", "func ", "init(", "static "].contains(where: head.hasPrefix)
    return String(isMember ? head : head.prefix { $0 != ":" })
  }
}
