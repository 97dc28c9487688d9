/// The names of generated files, unique within one output directory.
///
/// The generated file for `Feed.swift` or `Feed.graphql` is `Feed.graphql.swift`. A number makes a
/// name unique: `Feed-2.graphql.swift`. Names that differ only in case count as equal. The
/// build-tool plugin repeats this rule, because it must declare the names before the compiler runs.
package struct OutputNames {
  package static let suffix = ".graphql.swift"
  /// The name of the shared types file.
  package static let shared = "Schema" + suffix

  private var taken: Set<String> = [folded(shared)]

  package init() {}

  /// Returns the last component of a path.
  package static func fileName(of path: String) -> String {
    let slash = path.utf8.lastIndex(of: UInt8(ascii: "/"))
    return slash.map { String(path[path.utf8.index(after: $0)...]) } ?? path
  }

  /// Claims a name for a source file's generated file. Call this for the sources in path order.
  package mutating func name(for path: String) -> String {
    let file = Self.fileName(of: path)
    let stem = file.utf8.lastIndex(of: UInt8(ascii: ".")).map { String(file[..<$0]) } ?? file
    var name = stem + Self.suffix
    var number = 2
    while !taken.insert(Self.folded(name)).inserted {
      name = "\(stem)-\(number)\(Self.suffix)"
      number += 1
    }
    return name
  }

  /// Folds a name's case like the macOS file systems, where "ß" equals "SS".
  private static func folded(_ name: String) -> String { name.lowercased().uppercased() }
}
