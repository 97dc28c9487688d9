/// A shell-like pattern for relative paths: `*` and `?` stay inside a folder, `**` does not.
struct PathPattern {
  private let parts: [Substring]

  init(_ pattern: String) { parts = pattern.split(separator: "/") }

  /// Whether the whole path matches.
  func matches(_ path: String) -> Bool {
    Self.matches(parts[...], path.split(separator: "/")[...])
  }

  private static func matches(_ parts: ArraySlice<Substring>, _ path: ArraySlice<Substring>) -> Bool
  {
    guard let part = parts.first else { return path.isEmpty }
    if part == "**" {
      let rest = parts.dropFirst()
      return (path.startIndex...path.endIndex).contains { matches(rest, path[$0...]) }
    }
    guard let name = path.first, matches(Array(part)[...], Array(name)[...]) else { return false }
    return matches(parts.dropFirst(), path.dropFirst())
  }

  private static func matches(
    _ pattern: ArraySlice<Character>, _ name: ArraySlice<Character>
  ) -> Bool {
    guard let first = pattern.first else { return name.isEmpty }
    switch first {
    case "*":
      let rest = pattern.dropFirst()
      return (name.startIndex...name.endIndex).contains { matches(rest, name[$0...]) }
    case "?": return !name.isEmpty && matches(pattern.dropFirst(), name.dropFirst())
    default: return name.first == first && matches(pattern.dropFirst(), name.dropFirst())
    }
  }
}
