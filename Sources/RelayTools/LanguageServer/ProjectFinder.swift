import Foundation
import RelayCompiler

/// Finds the configuration files of projects.
enum ProjectFinder {
  private static let skipped: Set<String> = ["node_modules", "DerivedData"]
  private static let depthLimit = 8
  private static let folderLimit = 20_000

  /// Returns the paths of the configurations in a folder and below it, sorted. Hidden folders,
  /// links to folders and tools' folders are skipped.
  static func configurations(in folder: String) -> [String] {
    var found: [String] = []
    var waiting = [(path: folder, depth: 0)]
    var count = 0
    while let next = waiting.popLast(), count < folderLimit {
      count += 1
      guard let names = try? fileNames(in: next.path) else { continue }
      for name in names where !name.hasPrefix(".") {
        let path = next.path.hasSuffix("/") ? next.path + name : "\(next.path)/\(name)"
        if name == Project.configurationName {
          if !isIrregular(path) { found.append(path) }
        } else if next.depth < depthLimit, !skipped.contains(name), isRealFolder(path) {
          waiting.append((path, next.depth + 1))
        }
      }
    }
    return found.sorted()
  }

  /// Returns the path of the configuration in the nearest folder above a file; `nil` if none
  /// exists.
  static func configuration(above file: String) -> String? {
    foldersAround(file).dropFirst().first { exists(Project.configurationName, in: $0) }
      .map { $0 + "/" + Project.configurationName }
  }

  /// Returns the nearest folder with a package: the folder itself or one above it in the same
  /// repository. Returns the folder itself if there is no package.
  static func root(around path: String) -> String {
    for folder in foldersAround(path) {
      if exists(PackageModules.manifestName, in: folder) { return folder }
      if exists(".git", in: folder) { break }
    }
    return path
  }

  /// Returns the configurations around another one: in the folders above it, and in its repository
  /// or package. Their projects may use its sources.
  ///
  /// - Parameter searched: The folders that need not be searched.
  static func configurations(around configuration: String, except searched: [String]) -> [String] {
    var found: [String] = []
    for folder in foldersAround(configuration).dropFirst() {
      if exists(Project.configurationName, in: folder) {
        found.append(folder + "/" + Project.configurationName)
      }
      if exists(".git", in: folder) { break }
    }
    guard let package = package(around: configuration),
      !searched.contains(where: { isInside(package, $0) })
    else { return found }
    return found + configurations(in: package)
  }

  /// Returns the repository of a file, or without one the outermost package; `nil` outside both.
  static func package(around file: String) -> String? {
    let folders = foldersAround(file).dropFirst()
    return folders.first { exists(".git", in: $0) }
      ?? folders.last { exists(PackageModules.manifestName, in: $0) }
  }

  private static func exists(_ name: String, in folder: String) -> Bool {
    FileManager.default.fileExists(atPath: folder + "/" + name)
  }
}
