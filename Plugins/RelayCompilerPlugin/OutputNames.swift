/// The names of generated files.
///
/// The rule is that of `RelayCompiler/Output/OutputNames.swift`, which a plugin cannot import.
struct OutputNames {
  static let suffix = ".graphql.swift"
  static let shared = "Schema" + suffix

  private var taken: Set<String> = [folded(shared)]

  mutating func name(for file: String) -> String {
    let stem = file.lastIndex(of: ".").map { String(file[..<$0]) } ?? file
    var name = stem + Self.suffix
    var number = 2
    while !taken.insert(Self.folded(name)).inserted {
      name = "\(stem)-\(number)\(Self.suffix)"
      number += 1
    }
    return name
  }

  /// Returns a name without its case, as the file systems of macOS compare names: "ß" equals "SS".
  private static func folded(_ name: String) -> String { name.lowercased().uppercased() }
}
