/// The initializers of generated structs, parsed from their Swift source.
///
/// Only labels and types come from the source. The values are computed from the documents.
struct GeneratedStructs {
  struct Parameter {
    let label: String
    let type: String

    /// Whether a call writes the argument without a label.
    var isUnlabelled: Bool { label.hasPrefix("_ ") }
    /// The label without backquotes, or the inner name of an unlabelled parameter.
    var name: String {
      (isUnlabelled ? label.dropFirst(2) : label[...]).filter { $0 != "`" }
    }
  }

  struct Struct {
    var initializers: [[Parameter]] = []
    /// The cases of an enum and their parameters, by name.
    var cases: [String: [Parameter]] = [:]
    /// The parameters of the initializers that take the view of one type condition.
    var views: [Parameter] {
      initializers.compactMap { parameters in
        guard parameters.count == 1, parameters[0].label.hasPrefix("as"),
          parameters[0].type.hasPrefix("As")
        else { return nil }
        return parameters[0]
      }
    }

    /// The memberwise initializer.
    var members: [Parameter]? {
      initializers.first { parameters in
        parameters.count != 1 || !parameters[0].type.hasPrefix("As")
      }
    }
  }

  /// The structs by fully qualified name.
  private(set) var structs: [String: Struct] = [:]

  init(_ text: String) {
    var path: [(name: String, depth: Int)] = []
    var depth = 0
    var pending = ""
    for line in text.split(separator: "\n", omittingEmptySubsequences: true) {
      if pending.isEmpty, let name = Self.structName(String(line)) {
        path.append((name, depth))
        structs[path.map(\.name).joined(separator: ".")] = Struct()
      } else if !pending.isEmpty || Self.opensInitializer(line) || Self.opensCase(line) {
        pending += line + " "
        let name = path.map(\.name).joined(separator: ".")
        if let parameters = Self.parameters(pending) {
          if let label = Self.caseName(pending) {
            structs[name]?.cases[label] = parameters
          } else {
            structs[name]?.initializers.append(parameters)
          }
          pending = ""
        }
      }
      for character in line { depth += character == "{" ? 1 : character == "}" ? -1 : 0 }
      while let last = path.last, depth <= last.depth { path.removeLast() }
    }
  }

  /// Returns the full name of the struct that `name` refers to in the scope of `path`.
  func resolve(_ name: String, in path: String) -> String? {
    var scope = path.split(separator: ".").map(String.init)
    while true {
      let full = (scope + [name]).joined(separator: ".")
      if structs[full] != nil { return full }
      if scope.isEmpty { return nil }
      scope.removeLast()
    }
  }

  private static func structName(_ line: String) -> String? {
    if line.contains("///") { return nil }
    let isEnum = line.contains(": GraphQLCases {")
    guard let range = line.range(of: isEnum ? "enum " : "struct ") else { return nil }
    let before = line[..<range.lowerBound].filter { $0 != " " }
    guard ["public", "publicnonisolated", "publicindirect"].contains(before) else { return nil }
    return String(line[range.upperBound...].prefix { $0 != ":" && $0 != " " })
  }

  private static func opensInitializer(_ line: Substring) -> Bool {
    line.contains("public init(") && !line.contains("init(__row")
  }

  /// Whether a line starts a case of an optimistic response's enum.
  ///
  /// Only these enums are nested in structs, so an indented case is one of theirs.
  private static func opensCase(_ line: Substring) -> Bool {
    let text = line.drop { $0 == " " }
    return line.hasPrefix("    ") && text.hasPrefix("case ") && !text.hasPrefix("case .")
  }

  private static func caseName(_ text: String) -> String? {
    let trimmed = text.drop { $0 == " " }
    guard trimmed.hasPrefix("case ") else { return nil }
    return trimmed.dropFirst(5).prefix { $0 != "(" && $0 != " " }.filter { $0 != "`" }
  }

  /// Returns the parameters of an initializer or a case; `nil` while `text` ends before their end.
  private static func parameters(_ text: String) -> [Parameter]? {
    guard let start = text.firstIndex(of: "(") else { return caseName(text).map { _ in [] } }
    var depth = 0
    var parts = [""]
    for character in text[text.index(after: start)...] {
      if character == ")", depth == 0 {
        return parts.compactMap(parameter)
      }
      if "(<[".contains(character) { depth += 1 }
      if ")>]".contains(character) { depth -= 1 }
      if character == ",", depth == 0 {
        parts.append("")
      } else {
        parts[parts.count - 1].append(character)
      }
    }
    return nil
  }

  private static func parameter(_ text: String) -> Parameter? {
    guard let colon = text.firstIndex(of: ":") else { return nil }
    let rest = text[text.index(after: colon)...].split(separator: "=", maxSplits: 1)
    func trimmed(_ text: some StringProtocol) -> String {
      String(text.drop { $0 == " " }.reversed().drop { $0 == " " }.reversed())
    }
    return Parameter(label: trimmed(text[..<colon]), type: trimmed(rest.first ?? ""))
  }
}

extension StringProtocol {
  /// Returns the range of the first occurrence of `other`.
  func range(of other: String) -> Range<Index>? { firstRange(of: other) }
}
