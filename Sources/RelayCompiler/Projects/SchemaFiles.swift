import Foundation

/// The files of a schema. They may be in a folder of documents without being documents.
package struct SchemaFiles {
  /// The identity of a file, the same for every path to the file.
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

  /// Returns whether the file at a path belongs to the schema.
  package func contains(_ path: String) -> Bool {
    // Skips a system call for most files: a schema is never a Swift file.
    if path.hasSuffix(".swift") { return false }
    return Identity(path).map(identities.contains) ?? missing.contains(path)
  }
}
