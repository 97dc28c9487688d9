import Foundation
import RelayStore

extension FileSystem {
  /// Removes a directory's contents durably; a no-op if the directory does not exist.
  ///
  /// Links are not followed, and an entry that cannot be removed does not prevent the rest from
  /// being removed. Nested folders are moved up before their contents are removed, so any depth
  /// works.
  ///
  /// - Throws: The first ``PersistenceFailure``, after everything was tried; of kind `rejected` if
  ///   the directory is a link.
  func removeContents(of directory: String) throws {
    try willCall(.list, directory)
    let top = Self.openDirectory(AT_FDCWD, directory)
    if top < 0, errno == ENOENT { return }
    if top < 0 {
      let failure = Self.failure("The directory \"\(directory)\" cannot be read")
      try checkIsNoLink(directory)
      throw failure
    }
    defer { close(top) }
    var removal = Removal(top: top, path: directory, willCall: willCall)
    removal.empty(top, at: directory)
    removal.removeFolders()
    removal.attempt { _ in try synchronize(directory: directory) }
    if let failure = removal.failure { throw failure }
  }

  /// Checks that a directory is not a symbolic link. Its parents may be links.
  ///
  /// - Throws: ``PersistenceFailure`` of kind `rejected` if it is a link.
  func checkIsNoLink(_ directory: String) throws {
    if Self.kind(of: directory) == S_IFLNK {
      throw PersistenceFailure(.rejected, "The directory \"\(directory)\" is a link.")
    }
  }

  /// Opens a directory, unless it is a link.
  fileprivate static func openDirectory(_ parent: CInt, _ path: UnsafePointer<CChar>) -> CInt {
    while true {
      let file = openat(parent, path, O_RDONLY | O_CLOEXEC | O_DIRECTORY | O_NOFOLLOW)
      if file >= 0 || errno != EINTR { return file }
    }
  }
}

/// A removal of a directory's contents through an open descriptor, so it cannot be swapped.
private struct Removal {
  let top: CInt
  let path: String
  let willCall: @Sendable (FileSystem.Call, String) throws -> Void
  /// The folders still to be removed from the directory.
  var folders: [FileSystem.RawName] = []
  private(set) var failure: (any Error)?

  mutating func attempt(_ body: (inout Removal) throws -> Void) {
    do { try body(&self) } catch { failure = failure ?? error }
  }

  /// Removes a directory's entries. Folders that are not empty are added to ``folders``.
  mutating func empty(_ directory: CInt, at path: String) {
    var names: [FileSystem.RawName] = []
    attempt { _ in names = try FileSystem.rawNames(in: directory, at: path) }
    for name in names {
      attempt { try $0.remove(name, from: directory, at: "\(path)/\(FileSystem.text(name))") }
    }
  }

  private mutating func remove(
    _ name: FileSystem.RawName, from directory: CInt, at path: String
  ) throws {
    try willCall(.remove, path)
    if unlinkat(directory, name, 0) == 0 || errno == ENOENT { return }
    let failure = FileSystem.failure("The file \"\(path)\" cannot be removed")
    if unlinkat(directory, name, AT_REMOVEDIR) == 0 || errno == ENOENT { return }
    if errno == ENOTDIR { throw failure }
    folders.append(try moveUp(name, from: directory, at: path))
  }

  /// Moves a nested folder to the top directory.
  ///
  /// - Returns: Its name there.
  private func moveUp(
    _ name: FileSystem.RawName, from directory: CInt, at path: String
  ) throws -> FileSystem.RawName {
    if directory == top { return name }
    let new = FileSystem.temporaryName(for: "folder").utf8CString
    guard new.withUnsafeBufferPointer({ renameat(directory, name, top, $0.baseAddress) }) == 0
    else { throw FileSystem.failure("The directory \"\(path)\" cannot be removed") }
    return Array(new)
  }

  mutating func removeFolders() {
    while let name = folders.popLast() {
      let text = "\(path)/\(FileSystem.text(name))"
      attempt { try $0.willCall(.list, text) }
      let folder = FileSystem.openDirectory(top, name)
      if folder >= 0 {
        empty(folder, at: text)
        close(folder)
      }
      attempt { removal in
        if unlinkat(removal.top, name, AT_REMOVEDIR) != 0, errno != ENOENT {
          throw FileSystem.failure("The directory \"\(text)\" cannot be removed")
        }
      }
    }
  }
}
