import Foundation
import RelayStore

/// The names in a directory into which others may have put anything.
extension FileSystem {
  /// A name as the file system has it, with the zero byte at its end. It may be no UTF-8.
  typealias RawName = [CChar]

  /// Returns the names of the entries of a directory; none if there is no directory.
  ///
  /// - Throws: ``StorageFailure``.
  static func rawNames(in directory: String) throws -> [RawName] {
    let file = openFile(directory, O_RDONLY | O_CLOEXEC | O_DIRECTORY)
    if file < 0, errno == ENOENT { return [] }
    if file < 0 { throw failure("The directory \"\(directory)\" cannot be read") }
    defer { close(file) }
    return try rawNames(in: file, at: directory)
  }

  /// Returns the names of the entries of an open directory, which stays open.
  ///
  /// - Parameter path: The path for the message of an error.
  /// - Throws: ``StorageFailure``.
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

  /// Returns a name as text, with replacement characters for what is not UTF-8.
  static func text(_ name: RawName) -> String {
    String(decoding: name.dropLast().lazy.map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  /// Renames an entry whose name is not UTF-8, and which no path can name therefore.
  ///
  /// - Returns: Its name as text, the old one with replacement characters if it could not be renamed.
  /// - Throws: What ``willCall`` throws.
  func makeReadable(_ name: RawName, in directory: String) throws -> String {
    let text = Self.text(name)
    let bytes = name.dropLast().lazy.map { UInt8(bitPattern: $0) }
    if text.utf8.elementsEqual(bytes) { return text }
    let path = freePath(for: text, in: directory)
    try willCall(.rename, path)
    let old = directory.utf8CString.dropLast() + [CChar(bitPattern: UInt8(ascii: "/"))] + name
    return systemRename(Array(old), path) == 0 ? Self.split(path).name : text
  }

  /// Returns a path in a directory at which there is nothing, with a name if it is free, and otherwise with
  /// a random number after it.
  func freePath(for name: String, in directory: String) -> String {
    let path = "\(directory)/\(name)"
    if name.utf8.count < 256, Self.kind(of: path) == nil { return path }
    return "\(directory)/\(Self.shortened(name)).\(Self.randomText())"
  }

  /// Returns the type of what is at a path, such as `S_IFREG`, without following a link; `nil` if nothing is.
  static func kind(of path: String) -> mode_t? {
    var status = stat()
    return lstat(path, &status) == 0 ? status.st_mode & S_IFMT : nil
  }

  /// Whether there is a directory at a path, and not a link to one.
  package static func isDirectory(_ path: String) -> Bool { kind(of: path) == S_IFDIR }

  static func randomText() -> String { String(UInt64.random(in: 0 ... .max), radix: 16) }
}

private func systemRename(_ old: [CChar], _ new: String) -> CInt { rename(old, new) }
