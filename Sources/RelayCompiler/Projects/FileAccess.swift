import Foundation
import GraphQLLanguage

/// A project's access to files: how they are read, and named in diagnostics.
package struct FileAccess {
  /// Reads a file.
  var read: (_ path: String) throws(FileError) -> ContiguousArray<UInt8>
  /// Returns the path of a file as shown in diagnostics.
  package var shownPath: (URL) -> String
  /// Returns the paths, relative to a folder, of unsaved documents below it: readable, but not on
  /// disk.
  var unsaved: (_ folder: String) -> [String]
  /// Returns SwiftPM's description of the package in a folder; `nil` if it is unavailable.
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

  /// Access to the disk. Paths are relative to the current directory.
  static var disk: FileAccess {
    FileAccess(read: readFile, shownPath: Project.shownPath)
  }

  /// Reads a configuration file.
  package func configuration(_ url: URL) throws -> Configuration {
    try Configuration(file: url, bytes: read(url.path))
  }

  /// Reads a file as a source.
  func source(_ url: URL) throws(FileError) -> Source {
    Source(path: shownPath(url), bytes: try read(url.path))
  }
}
