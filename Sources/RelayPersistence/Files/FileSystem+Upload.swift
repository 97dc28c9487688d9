import Foundation
import RelayStore

/// A new file that is written in parts.
final class UploadFile: Sendable {
  private let descriptor: CInt
  private let path: String
  private let files: FileSystem

  fileprivate init(_ descriptor: CInt, path: String, files: FileSystem) {
    (self.descriptor, self.path, self.files) = (descriptor, path, files)
  }

  deinit { close(descriptor) }

  /// - Throws: ``PersistenceFailure``.
  func write(_ bytes: [UInt8]) throws {
    try files.write(bytes, to: descriptor, at: path)
  }

  /// Waits until the file is on disk.
  ///
  /// - Throws: ``PersistenceFailure``.
  func synchronize() throws { try files.synchronize(descriptor, at: path) }
}

extension FileSystem {
  /// Creates a file that only the process owner can read.
  ///
  /// - Throws: ``PersistenceFailure``, also if the file exists.
  func makeUpload(_ path: String) throws -> UploadFile {
    try willCall(.open, path)
    let file = Self.openFile(path, O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC)
    if file < 0 { throw Self.failure("The file \"\(path)\" cannot be created") }
    return UploadFile(file, path: path, files: self)
  }

  /// Waits until a file that another program has written is on disk.
  ///
  /// - Throws: ``PersistenceFailure``.
  func synchronize(file path: String) throws {
    try willCall(.open, path)
    let file = Self.openFile(path, O_RDONLY | O_CLOEXEC)
    if file < 0 { throw Self.failure("The file \"\(path)\" cannot be opened") }
    defer { close(file) }
    try synchronize(file, at: path)
  }
}
