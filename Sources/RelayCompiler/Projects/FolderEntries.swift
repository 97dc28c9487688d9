import Foundation
import GraphQLLanguage

/// Returns whether a path exists and is not a regular file: a pipe, a device, or a link to a
/// folder.
package func isIrregular(_ path: String) -> Bool {
  var status = stat()
  return stat(path, &status) == 0 && status.st_mode & S_IFMT != S_IFREG
}

/// Returns the warning for a file that is skipped because it is not regular.
package func irregularFileWarning(_ path: String) -> Diagnostic {
  Diagnostic(
    severity: .warning, rule: "regular-files",
    message: "\"\(path)\" is not a regular file and was skipped.", at: .none)
}

/// Returns whether a path is a folder or a symbolic link to one.
package func isFolder(_ path: String) -> Bool {
  var status = stat()
  return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
}

/// Returns whether a path exists, even as a broken symbolic link.
package func itemExists(_ path: String) -> Bool {
  var status = stat()
  return lstat(path, &status) == 0
}

/// Returns whether a path is a folder and not a symbolic link to one. Following links could loop.
package func isRealFolder(_ path: String) -> Bool {
  var status = stat()
  return lstat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
}

/// Returns the names of a folder's entries, including `.` and `..`, in no particular order.
package func fileNames(in folder: String) throws(FileError) -> [String] {
  guard let stream = opendir(folder) else {
    throw FileError("read", folder)
  }
  defer { closedir(stream) }
  var names: [String] = []
  while let entry = readdir(stream) {
    // The field is longer on macOS, where names can be longer too.
    let name = withUnsafeBytes(of: &entry.pointee.d_name) { Array($0.prefix { $0 != 0 }) }
    names.append(String(decoding: name, as: UTF8.self))
  }
  return names
}
