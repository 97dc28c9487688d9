/// A shell-like pattern for relative paths.
///
/// `*` matches any characters within a path component, `?` matches one such character, and `**`
/// matches any number of components.
package struct PathPattern {
  private let parts: [[UInt8]]

  package init(_ pattern: String) {
    parts = pattern.utf8.split(separator: UInt8(ascii: "/")).map(Array.init)
  }

  /// Returns whether the pattern matches the entire path.
  package func matches(_ path: String) -> Bool {
    matches(path.utf8.split(separator: UInt8(ascii: "/")))
  }

  /// Returns whether the pattern matches the entire path with these components.
  func matches(_ path: [Substring.UTF8View]) -> Bool { Self.matches(parts[...], path[...]) }

  private static func matches(
    _ parts: ArraySlice<[UInt8]>, _ path: ArraySlice<Substring.UTF8View>
  ) -> Bool {
    guard let part = parts.first else { return path.isEmpty }
    if part.elementsEqual("**".utf8) {
      let rest = parts.dropFirst()
      return (path.startIndex...path.endIndex).contains { matches(rest, path[$0...]) }
    }
    guard let name = path.first, matches(part[...], name) else { return false }
    return matches(parts.dropFirst(), path.dropFirst())
  }

  private static func matches(
    _ pattern: ArraySlice<UInt8>, _ name: Substring.UTF8View
  ) -> Bool {
    guard let first = pattern.first else { return name.isEmpty }
    let rest = pattern.dropFirst()
    switch first {
    case UInt8(ascii: "*"):
      if matches(rest, name) { return true }
      return !name.isEmpty && matches(pattern, name.dropFirst())
    case UInt8(ascii: "?"):
      // One character: its first byte plus any continuation bytes.
      return !name.isEmpty && matches(rest, name.dropFirst().drop { $0 & 0xC0 == 0x80 })
    default: return name.first == first && matches(rest, name.dropFirst())
    }
  }
}
