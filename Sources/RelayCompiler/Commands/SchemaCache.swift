import Foundation
import GraphQLLanguage

/// The file beside a plugin's output that keeps the index of the schema. Deleting it costs the next
/// build the time to make it again, nothing else.
struct SchemaCache {
  static let name = "schema.index"
  private let file: URL

  init(beside output: URL) { file = output.appendingPathComponent(Self.name) }

  /// The index of exactly this schema, if it is kept.
  func index(of schema: Source) -> SchemaIndex? {
    (try? readFile(file.path)).flatMap { SchemaIndex($0, of: schema.bytes) }
  }

  /// Keeps an index. That it cannot be written is no error: the next build makes it again.
  func keep(_ bytes: ContiguousArray<UInt8>) {
    let folder = file.deletingLastPathComponent()
    try? FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    try? Data(bytes).write(to: file, options: .atomic)
  }
}
