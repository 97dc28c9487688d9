import Foundation
import RelayStore

/// Names in directories that other programs may have filled with anything.
extension FileSystem {
  /// A name as stored by the file system, zero-terminated and possibly not UTF-8.
  typealias RawName = [CChar]

  /// Returns the names of a directory's entries; empty if the directory does not exist.
  ///
  /// - Throws: ``PersistenceFailure``.
  static func rawNames(in directory: String) throws -> [RawName] {
    let file = openFile(directory, O_RDONLY | O_CLOEXEC | O_DIRECTORY)
    if file < 0, errno == ENOENT { return [] }
    if file < 0 { throw failure("The directory \"\(directory)\" cannot be read") }
    defer { close(file) }
    return try rawNames(in: file, at: directory)
  }

  /// Returns the names of an open directory's entries. The directory remains open.
  ///
  /// - Parameter path: The path for error messages.
  /// - Throws: ``PersistenceFailure``.
  static func rawNames(in file: CInt, at path: String) throws -> [RawName] {
    let copy = fcntl(file, F_DUPFD_CLOEXEC, 0)
    guard copy >= 0, let stream = fdopendir(copy) else {
      let failure = failure("The directory \"\(path)\" cannot be read")
      if copy >= 0 { close(copy) }
      throw failure
    }
    defer { closedir(stream) }
    var names: [RawName] = []
    errno = 0
    while let entry = readdir(stream) {
      let name = withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
        bytes.prefix { $0 != 0 }.map { CChar(bitPattern: $0) } + [0]
      }
      if text(name) != ".", text(name) != ".." { names.append(name) }
      errno = 0
    }
    if errno != 0 { throw failure("The directory \"\(path)\" cannot be read") }
    return names
  }

  /// Returns a name as a string, with replacement characters for invalid UTF-8.
  static func text(_ name: RawName) -> String {
    String(decoding: name.dropLast().lazy.map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  /// Renames an entry whose name is not UTF-8, because no path can refer to it.
  ///
  /// - Returns: The entry's name as a string: the old name with replacement characters if renaming
  ///   failed.
  /// - Throws: Any error thrown by ``willCall``.
  func makeReadable(_ name: RawName, in directory: String) throws -> String {
    let text = Self.text(name)
    let bytes = name.dropLast().lazy.map { UInt8(bitPattern: $0) }
    if text.utf8.elementsEqual(bytes) { return text }
    let path = freePath(for: text, in: directory)
    try willCall(.rename, path)
    let old = directory.utf8CString.dropLast() + [CChar(bitPattern: UInt8(ascii: "/"))] + name
    return systemRename(Array(old), path) == 0 ? Self.split(path).name : text
  }

  /// Returns an unused path in a directory: with `name` if that is free, otherwise with a random
  /// number appended.
  func freePath(for name: String, in directory: String) -> String {
    let path = "\(directory)/\(name)"
    if name.utf8.count < 256, Self.kind(of: path) == nil { return path }
    return "\(directory)/\(Self.shortened(name)).\(Self.randomText())"
  }

  /// Returns the file type at a path, such as `S_IFREG`, without following links; `nil` if the path
  /// does not exist.
  static func kind(of path: String) -> mode_t? {
    var status = stat()
    return lstat(path, &status) == 0 ? status.st_mode & S_IFMT : nil
  }

  /// Whether a path is a directory, not a link to one.
  package static func isDirectory(_ path: String) -> Bool { kind(of: path) == S_IFDIR }

  static func randomText() -> String { String(UInt64.random(in: 0 ... .max), radix: 16) }
}

private func systemRename(_ old: [CChar], _ new: String) -> CInt { rename(old, new) }
