import Foundation

/// The files of a project's folder that `init` looks at.
struct ProjectFolder {
  /// The way in which a project is built.
  enum Kind: Equatable {
    /// By SwiftPM, with the text of `Package.swift`.
    case package(manifest: String)
    /// By Xcode, with the name of the project.
    case xcode(name: String)
    /// By something else.
    case other
  }

  let url: URL
  let kind: Kind
  /// The paths of the Swift files and of those that may be a schema, relative to the folder and
  /// sorted.
  let files: [String]

  private static let suffixes = [".swift", ".graphql", ".graphqls", ".gql", ".json"]
  /// Folders with files that are not the project's own.
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
      kind = .package(manifest: String(decoding: manifest, as: UTF8.self))
    } else if let project = names.filter({ $0.hasSuffix(".xcodeproj") }).min() {
      kind = .xcode(name: String(project.dropLast(".xcodeproj".count)))
    } else {
      kind = .other
    }
    var folders: [String] = []
    var folder = ""
    while true {
      for name in names where !name.hasPrefix(".") && !Self.skipped.contains(name) {
        let path = folder + name
        if isRealFolder(url.path + "/" + path) {
          if !name.contains(".xc") { folders.append(path + "/") }
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
  }

  /// Reads a file; returns no bytes if it cannot be read.
  func bytes(of path: String) -> ContiguousArray<UInt8> {
    (try? readFile(url.path + "/" + path)) ?? []
  }

  /// Returns the URL of a path that an argument names.
  func url(of path: String) -> URL {
    path.hasPrefix("/") ? URL(fileURLWithPath: path) : url.appendingPathComponent(path)
  }

  /// Returns the path of a file or folder relative to this one.
  func relativePath(of other: URL) -> String {
    let own = url.standardizedFileURL.path.split(separator: "/")
    let parts = other.standardizedFileURL.path.split(separator: "/")
    let common = zip(own, parts).prefix { $0 == $1 }.count
    let path =
      repeatElement("..", count: own.count - common) + parts.dropFirst(common).map(String.init)
    return path.isEmpty ? "." : path.joined(separator: "/")
  }
}
