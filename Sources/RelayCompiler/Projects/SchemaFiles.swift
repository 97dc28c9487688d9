import Foundation

/// The files of a schema, which may be in a folder of documents and are none themselves.
package struct SchemaFiles {
  /// The identity of a file, which is the same for every path that leads to the file.
  private struct Identity: Hashable {
    let device: dev_t
    let inode: ino_t

    init?(_ path: String) {
      var status = stat()
      guard stat(path, &status) == 0 else { return nil }
      device = status.st_dev
      inode = status.st_ino
    }
  }

  private let identities: Set<Identity>
  /// The paths of files that do not exist.
  private let missing: Set<String>

  package init(_ paths: [String]) {
    identities = Set(paths.compactMap(Identity.init))
    missing = Set(paths.filter { Identity($0) == nil })
  }

  /// Whether the file at a path is one of the schema's.
  package func contains(_ path: String) -> Bool {
    // A schema is not a Swift file, and most files are.
    if path.hasSuffix(".swift") { return false }
    return Identity(path).map(identities.contains) ?? missing.contains(path)
  }
}
