import GraphQLLanguage

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// The files that hold documents: those named, and the `.graphql` and `.swift` files in the folders named, sorted by path.
///
/// Folders whose names begin with a dot are passed over.
///
/// - Returns: The files, and a warning for each other thing in a folder that is called like one.
/// - Throws: ``FileError`` when a path does not exist or a folder cannot be read.
func documentFiles(
  _ paths: [String]
) throws(FileError) -> (files: [String], warnings: [Diagnostic]) {
  var files: [String] = []
  var warnings: [Diagnostic] = []
  for path in paths {
    guard try isFolder(path) else {
      files.append(path)
      continue
    }
    var found: [String] = []
    var waiting = [path]
    while let folder = waiting.popLast() {
      for name in try fileNames(in: folder) where !name.hasPrefix(".") {
        let path = folder.hasSuffix("/") ? folder + name : folder + "/" + name
        if isRealFolder(path) {
          waiting.append(path)
        } else if name.hasSuffix(".graphql") || name.hasSuffix(".swift") {
          found.append(path)
        }
      }
    }
    let sorted = found.sorted()
    files += sorted.filter { !isIrregular($0) }
    warnings += sorted.filter(isIrregular).map(irregularFileWarning)
  }
  return (files, warnings)
}

/// Whether something is at a path that is no regular file: a pipe, a device, or a link to a folder.
func isIrregular(_ path: String) -> Bool {
  var status = stat()
  return stat(path, &status) == 0 && status.st_mode & S_IFMT != S_IFREG
}

func irregularFileWarning(_ path: String) -> Diagnostic {
  Diagnostic(
    severity: .warning, rule: "regular-files",
    message: "\"\(path)\" is not a regular file and was left out.", at: .none)
}

private func isFolder(_ path: String) throws(FileError) -> Bool {
  var status = stat()
  guard stat(path, &status) == 0 else {
    throw FileError("read", path)
  }
  return status.st_mode & S_IFMT == S_IFDIR
}

/// True for a folder that is not a symbolic link, which could lead in a circle.
func isRealFolder(_ path: String) -> Bool {
  var status = stat()
  return lstat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
}

/// The names of what is in a folder, in no order; `.` and `..` among them.
func fileNames(in folder: String) throws(FileError) -> [String] {
  guard let stream = opendir(folder) else {
    throw FileError("read", folder)
  }
  defer { closedir(stream) }
  var names: [String] = []
  while let entry = readdir(stream) {
    let name = withUnsafePointer(to: &entry.pointee.d_name) { pointer in
      pointer.withMemoryRebound(to: CChar.self, capacity: Int(NAME_MAX) + 1) { String(cString: $0) }
    }
    names.append(name)
  }
  return names
}
