import Foundation

/// The source folder of a module.
package struct ModuleFolder: Sendable, Equatable {
  package let name: String
  package let folder: URL
  /// The folders to search for the module's configuration or schema, nearest first.
  var settings: [URL]
  /// The absolute paths of files and folders inside this folder that belong to other modules or to
  /// none.
  var excluded: Set<String> = []

  init(name: String, folder: URL) {
    self.name = name
    self.folder = folder
    settings = [folder]
  }

  /// Returns the first file or folder with a given name in the ``settings`` folders.
  func setting(_ name: String) -> URL? {
    settings.map { $0.appendingPathComponent(name) }
      .first { FileManager.default.fileExists(atPath: $0.path) }
  }
}
