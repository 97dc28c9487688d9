import Foundation

/// The folder with the sources of a module.
package struct ModuleFolder: Sendable, Equatable {
  package let name: String
  package let folder: URL
  /// The folders that may have the module's configuration or schema, nearest first.
  var settings: [URL]
  /// The absolute paths of the files and folders in the folder that belong to no module, or to others.
  var excluded: Set<String> = []

  init(name: String, folder: URL) {
    self.name = name
    self.folder = folder
    settings = [folder]
  }

  /// The first item with a name in the folders that may have settings.
  func setting(_ name: String) -> URL? {
    settings.map { $0.appendingPathComponent(name) }
      .first { FileManager.default.fileExists(atPath: $0.path) }
  }
}
