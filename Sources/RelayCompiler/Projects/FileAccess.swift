import Foundation
import GraphQLLanguage

/// The way in which the files of a project are read, and named in diagnostics.
package struct FileAccess {
  /// Reads a file.
  var read: (_ path: String) throws(FileError) -> ContiguousArray<UInt8>
  /// Returns the path of a file in diagnostics.
  package var shownPath: (URL) -> String
  /// Returns the paths, relative to a folder, of the texts below it that can be read and are not on the
  /// disk.
  var unsaved: (_ folder: String) -> [String]
  /// Returns what SwiftPM says of the package in a folder; `nil` if that cannot be asked.
  var packageDescription: (_ folder: String) -> Data?

  package init(
    read: @escaping (_ path: String) throws(FileError) -> ContiguousArray<UInt8>,
    shownPath: @escaping (URL) -> String,
    unsaved: @escaping (_ folder: String) -> [String] = { _ in [] },
    packageDescription: @escaping (_ folder: String) -> Data? = PackageDescriber.describe
  ) {
    self.read = read
    self.shownPath = shownPath
    self.unsaved = unsaved
    self.packageDescription = packageDescription
  }

  /// Reads from the disk; paths are relative to the current directory.
  static var disk: FileAccess {
    FileAccess(read: readFile, shownPath: Project.shownPath)
  }

  /// Reads a configuration file.
  package func configuration(_ url: URL) throws -> Configuration {
    try Configuration(file: url, bytes: read(url.path))
  }

  /// Reads a file as a source text.
  func source(_ url: URL) throws(FileError) -> Source {
    Source(path: shownPath(url), bytes: try read(url.path))
  }
}
