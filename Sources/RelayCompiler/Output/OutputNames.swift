/// The generated file of each source file.
///
/// `Feed.swift` gives `Feed.graphql.swift`, as does `Feed.graphql`. A name that is taken, also if
/// only the case differs, gets a number: `Feed-2.graphql.swift`. The build-tool plugin has the same
/// rule, because it must know the names before the compiler runs.
package struct OutputNames {
  package static let suffix = ".graphql.swift"
  /// The file of shared types.
  package static let shared = "Schema" + suffix

  private var taken: Set<String> = [shared.lowercased()]

  package init() {}

  /// A path without its folders.
  static func fileName(of path: String) -> String {
    let slash = path.utf8.lastIndex(of: UInt8(ascii: "/"))
    return slash.map { String(path[path.utf8.index(after: $0)...]) } ?? path
  }

  /// The name for a source file; sources are named in the order of their paths.
  package mutating func name(for path: String) -> String {
    let file = Self.fileName(of: path)
    let stem = file.utf8.lastIndex(of: UInt8(ascii: ".")).map { String(file[..<$0]) } ?? file
    var name = stem + Self.suffix
    var number = 2
    while !taken.insert(name.lowercased()).inserted {
      name = "\(stem)-\(number)\(Self.suffix)"
      number += 1
    }
    return name
  }
}
