/// The names of generated files.
///
/// Follows the same rule as `RelayCompiler/Output/OutputNames.swift`. A plugin cannot import that
/// module.
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

  /// Returns a name with its case folded the way macOS file systems compare names: "ß" equals "SS".
  private static func folded(_ name: String) -> String { name.lowercased().uppercased() }
}
