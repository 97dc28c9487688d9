import Foundation
import GraphQLLanguage

/// The file next to a plugin's output that caches the schema index.
///
/// It can be deleted at any time; the next build recreates it.
struct SchemaCache {
  static let name = "schema.index"
  private let file: URL

  init(nextTo output: URL) { file = output.appendingPathComponent(Self.name) }

  /// Returns the cached index, or `nil` when the file is missing, damaged, or for another schema.
  func index(of schema: Source) -> SchemaIndex? {
    (try? readFile(file.path)).flatMap { SchemaIndex($0, of: schema.bytes) }
  }

  /// Writes an index to the file. A failure is ignored: the next build tries again.
  func keep(_ bytes: ContiguousArray<UInt8>) {
    let folder = file.deletingLastPathComponent()
    try? FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    try? Data(bytes).write(to: file, options: .atomic)
  }
}
