import Foundation
import RelayCompiler

/// The files in a project's folder that `init` looks at.
struct ProjectFolder {
  /// The build system of a project.
  enum Kind: Equatable {
    /// SwiftPM. `folder` is the absolute path of the package that contains the project's folder.
    case package(PackageManifest, folder: String)
    /// Xcode, with the name of the project.
    case xcode(name: String)
    /// Something else.
    case other
  }

  let url: URL
  let kind: Kind
  /// The paths of the Swift files and of possible schema files, relative to the folder and sorted.
  let files: [String]
  /// The names of the direct subfolders that contain an Xcode project or workspace, sorted.
  let xcodeFolders: [String]

  private static let suffixes = [".swift", ".graphql", ".graphqls", ".gql", ".json"]
  /// Folders whose files do not belong to the project.
  private static let skipped: Set = [
    "node_modules", "__generated__", "Pods", "Carthage", "DerivedData", "build",
  ]

  /// Reads the names of the files. Hidden folders, build folders and links to folders are skipped.
  ///
  /// - Throws: ``FileError`` when the folder itself cannot be read.
  init(_ url: URL) throws {
    self.url = url
    var files: [String] = []
    var names = try fileNames(in: url.path)
    if names.contains("Package.swift") {
      let manifest = try readFile(url.path + "/Package.swift")
      kind = .package(PackageManifest(manifest), folder: url.standardizedFileURL.path)
    } else if let project = names.filter({ $0.hasSuffix(".xcodeproj") }).min() {
      kind = .xcode(name: String(project.dropLast(".xcodeproj".count)))
    } else {
      kind = Self.package(around: url) ?? .other
    }
    var folders: [String] = []
    var xcodeFolders: Set<String> = []
    var folder = ""
    while true {
      for name in names where !name.hasPrefix(".") && !Self.skipped.contains(name) {
        let path = folder + name
        if isRealFolder(url.path + "/" + path) {
          if !name.contains(".xc") { folders.append(path + "/") }
          let isXcode = name.hasSuffix(".xcodeproj") || name.hasSuffix(".xcworkspace")
          if isXcode, folder.firstIndex(of: "/") == folder.indices.last {
            xcodeFolders.insert(String(folder.dropLast()))
          }
        } else if Self.suffixes.contains(where: name.hasSuffix),
          !isIrregular(url.path + "/" + path)
        {
          files.append(path)
        }
      }
      guard let next = folders.popLast() else { break }
      folder = next
      names = (try? fileNames(in: url.path + "/" + folder)) ?? []
    }
    self.files = files.sorted(byText: \.self)
    self.xcodeFolders = xcodeFolders.sorted(byText: \.self)
  }

  /// The nearest enclosing package, if the folder contains sources of its targets.
  private static func package(around url: URL) -> Kind? {
    let own = url.standardizedFileURL.path
    for folder in foldersAround(own).dropFirst() {
      guard let bytes = try? readFile(folder + "/Package.swift") else { continue }
      let manifest = PackageManifest(bytes)
      let path = String(own.utf8.dropFirst(folder.utf8.count + 1)) ?? ""
      let isSource = manifest.target(around: path) != nil || manifest.hasTarget(below: path)
      let isPlaced = PackageManifest.parents.contains { isInside(path, $0) }
      return isSource || isPlaced ? .package(manifest, folder: folder) : nil
    }
    return nil
  }

  /// The path of the project's folder relative to its package: empty for the package's root, `nil`
  /// without a package.
  var pathInPackage: String? {
    guard case .package(_, let folder) = kind else { return nil }
    return String(
      url.standardizedFileURL.path.dropFirst(folder.count).drop { $0 == "/" })
  }

  /// Reads a file; returns no bytes if it cannot be read.
  func bytes(of path: String) -> ContiguousArray<UInt8> {
    (try? readFile(url.path + "/" + path)) ?? []
  }

  /// Returns the URL of a path given as an argument.
  func url(of path: String) -> URL {
    path.hasPrefix("/") ? URL(fileURLWithPath: path) : url.appendingPathComponent(path)
  }

  /// Returns the path of another file or folder relative to this one.
  func relativePath(of other: URL) -> String {
    let (own, path) = (url.standardizedFileURL.path, other.standardizedFileURL.path)
    return own == path ? "." : RelayCompiler.relativePath(path, from: own)
  }
}
