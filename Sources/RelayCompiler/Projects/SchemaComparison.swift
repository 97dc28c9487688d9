import Foundation
import GraphQLLanguage

/// A comparison of a module's server schema with the schemas of the modules it uses.
///
/// Schemas are the same if they have the same definitions, in any order and layout. Client
/// extensions are ignored, because modules of one app may extend its schema differently.
struct SchemaComparison {
  private let url: URL
  private let files: FileAccess
  /// The results by path.
  private var results: [String: Bool] = [:]
  /// The definitions of the schema; `nil` until they are needed.
  private var definitions: [String]?

  /// - Parameter url: The schema of the compiled module.
  init(_ url: URL, _ files: FileAccess) {
    self.url = url.standardizedFileURL
    self.files = files
  }

  /// Returns whether another schema is the same. An unreadable schema counts as the same, because
  /// its own module reports the error.
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

  /// Returns a schema's definitions in canonical form, sorted.
  private static func definitions(of source: Source) -> [String] {
    let workspace = Workspace()
    let document = workspace.parseSchema(source).document
    return document.definitions.map { workspace.symbols.text(of: $0) }.sorted()
  }
}
