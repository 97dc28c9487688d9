import GraphQLLanguage

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// Finds the files that hold documents.
///
/// A path of a file is returned as it is. A path of a folder is replaced by the `.graphql` and
/// `.swift` files inside it, sorted by path. Files and folders whose names begin with a dot are
/// skipped, and so are the schema's files, which are often in the same folder.
///
/// - Returns: The files, and a warning for each entry of a folder that has such a name and is not a
///   regular file.
/// - Throws: ``FileError`` when a path does not exist or a folder cannot be read.
func documentFiles(
  _ paths: [String], schemas: [String]
) throws(FileError) -> (files: [String], warnings: [Diagnostic]) {
  let schemas = SchemaFiles(schemas)
  var files: [String] = []
  var warnings: [Diagnostic] = []
  for path in paths {
    guard try isFolder(path) else {
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

/// Whether the item at a path exists and is not a regular file: a pipe, a device, or a link to a
/// folder.
func isIrregular(_ path: String) -> Bool {
  var status = stat()
  return stat(path, &status) == 0 && status.st_mode & S_IFMT != S_IFREG
}

/// The warning about a file that is skipped because it is not a regular file.
func irregularFileWarning(_ path: String) -> Diagnostic {
  Diagnostic(
    severity: .warning, rule: "regular-files",
    message: "\"\(path)\" is not a regular file and was skipped.", at: .none)
}

private func isFolder(_ path: String) throws(FileError) -> Bool {
  var status = stat()
  guard stat(path, &status) == 0 else {
    throw FileError("read", path)
  }
  return status.st_mode & S_IFMT == S_IFDIR
}

/// Whether a path is a folder and not a symbolic link to one. Following links could loop.
func isRealFolder(_ path: String) -> Bool {
  var status = stat()
  return lstat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
}

/// The names of a folder's entries in no particular order, including `.` and `..`.
func fileNames(in folder: String) throws(FileError) -> [String] {
  guard let stream = opendir(folder) else {
    throw FileError("read", folder)
  }
  defer { closedir(stream) }
  var names: [String] = []
  while let entry = readdir(stream) {
    // The field is longer on macOS, whose names may be, too.
    let name = withUnsafeBytes(of: &entry.pointee.d_name) { Array($0.prefix { $0 != 0 }) }
    names.append(String(decoding: name, as: UTF8.self))
  }
  return names
}
