import Foundation
import GraphQLLanguage

/// The comparison of the server's schema of a module with those of the modules that it uses.
///
/// Schemas are the same if they have the same definitions, in any order and layout. The extensions
/// of the client do not count: modules of one app may extend its schema differently.
struct SchemaComparison {
  private let url: URL
  private let files: FileAccess
  /// The results by path.
  private var results: [String: Bool] = [:]
  /// The definitions of the schema; `nil` before they were needed.
  private var definitions: [String]?

  /// - Parameter url: The schema of the module that is compiled.
  init(_ url: URL, _ files: FileAccess) {
    self.url = url.standardizedFileURL
    self.files = files
  }

  /// Whether another schema is the same. One that cannot be read is taken as the same: the module
  /// that has it reports the error.
  mutating func isSame(_ other: URL) -> Bool {
    let path = other.standardizedFileURL.path
    if path == url.path { return true }
    if let result = results[path] { return result }
    let result = compare(path)
    results[path] = result
    return result
  }

  private mutating func compare(_ path: String) -> Bool {
    guard let other = try? files.read(path), let own = try? files.read(url.path) else {
      return true
    }
    if own == other { return true }
    let mine = definitions ?? Self.definitions(of: Source(path: url.path, bytes: own))
    definitions = mine
    return mine == Self.definitions(of: Source(path: path, bytes: other))
  }

  /// Returns the canonical texts of a schema's definitions, sorted.
  private static func definitions(of source: Source) -> [String] {
    let workspace = Workspace()
    let document = workspace.parseSchema(source).document
    return document.definitions.map { workspace.symbols.text(of: $0) }.sorted()
  }
}
