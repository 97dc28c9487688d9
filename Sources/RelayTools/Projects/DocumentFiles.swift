import Foundation
import GraphQLLanguage
import RelayCompiler

/// Finds the files that contain documents.
///
/// The path of a file is returned unchanged. The path of a folder is replaced by the `.graphql` and
/// `.swift` files inside it, sorted by path. Files and folders whose names start with a dot are
/// skipped, as are the schema's files, which are often in the same folder.
///
/// - Returns: The files, and a warning for each folder entry that has such a suffix but is not a
///   regular file.
/// - Throws: ``FileError`` when a path does not exist or a folder cannot be read.
func documentFiles(
  _ paths: [String], schemas: [String]
) throws(FileError) -> (files: [String], warnings: [Diagnostic]) {
  let schemas = SchemaFiles(schemas)
  var files: [String] = []
  var warnings: [Diagnostic] = []
  for path in paths {
    guard isFolder(path) else {
      if access(path, F_OK) != 0 { throw FileError("read", path) }
      if !schemas.contains(path) { files.append(path) }
      continue
    }
    var found: [String] = []
    var folders = [path]
    while let folder = folders.popLast() {
      for name in try fileNames(in: folder) where !name.hasPrefix(".") {
        let path = folder.hasSuffix("/") ? folder + name : folder + "/" + name
        if isRealFolder(path) {
          folders.append(path)
        } else if name.hasSuffix(".graphql") || name.hasSuffix(".swift") {
          found.append(path)
        }
      }
    }
    let sorted = found.filter { !schemas.contains($0) }.sorted()
    files += sorted.filter { !isIrregular($0) }
    warnings += sorted.filter(isIrregular).map(irregularFileWarning)
  }
  return (files, warnings)
}
