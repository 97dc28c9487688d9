import Foundation
import GraphQLLanguage

/// The file beside a plugin's output that caches the index of the schema.
///
/// It can be deleted at any time; the next build makes it again.
struct SchemaCache {
  static let name = "schema.index"
  private let file: URL

  init(beside output: URL) { file = output.appendingPathComponent(Self.name) }

  /// The cached index, or `nil` when the file is absent, damaged, or of another schema.
  func index(of schema: Source) -> SchemaIndex? {
    (try? readFile(file.path)).flatMap { SchemaIndex($0, of: schema.bytes) }
  }

  /// Writes an index to the file. Failing to write is not an error: the next build tries again.
  func keep(_ bytes: ContiguousArray<UInt8>) {
    let folder = file.deletingLastPathComponent()
    try? FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    try? Data(bytes).write(to: file, options: .atomic)
  }
}
