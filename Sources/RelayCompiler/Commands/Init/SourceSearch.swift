import Foundation

/// The search for the folder of a project's sources.
struct SourceSearch {
  private let folder: ProjectFolder

  init(_ folder: ProjectFolder) { self.folder = folder }

  /// Returns the path of the folder whose code will have tags.
  ///
  /// - Throws: ``ConfigurationError`` when a package has no target or several may be meant.
  func path() throws(ConfigurationError) -> String {
    switch folder.kind {
    case .package(let manifest): return try targetPath(manifest)
    case .xcode(let name):
      let candidates = topFolders.filter { !$0.hasSuffix("Tests") }
      return candidates.contains(name) ? name : only(of: candidates) ?? "."
    case .other: return only(of: topFolders) ?? "."
    }
  }

  /// The folders directly inside that have Swift files.
  private var topFolders: [String] { subfolders(of: "") }

  /// The folders directly inside of another one that have Swift files, each once and sorted.
  private func subfolders(of parent: String) -> [String] {
    let names = files(in: parent).compactMap { path -> Substring? in
      let parts = path.dropFirst(parent.count).split(separator: "/", maxSplits: 1)
      return parts.count > 1 ? parts[0] : nil
    }
    return Set(names).map { parent + $0 }.sorted(byText: \.self)
  }

  /// The Swift files in a folder, whose path ends with a slash unless it is empty.
  private func files(in folder: String) -> [String] {
    self.folder.files.filter { $0.hasPrefix(folder) && $0.hasSuffix(".swift") }
  }

  // MARK: Targets of a package

  private func targetPath(_ manifest: String) throws(ConfigurationError) -> String {
    // The folders in which SwiftPM looks for targets.
    let parent = ["Sources/", "Source/", "src/", "srcs/"].first { !files(in: $0).isEmpty }
    guard let parent else {
      throw ConfigurationError(
        "There are no Swift files in \"Sources\". Name the folder of the target with --src.")
    }
    let targets = subfolders(of: parent)
    // A package of one target may have its files there, without a folder for the target.
    guard !targets.isEmpty else { return String(parent.dropLast()) }
    let withTags = targets.filter { files(in: $0 + "/").contains(where: hasTag) }
    let apps = targets.filter { isApp($0, manifest) }
    let candidates = [withTags, apps, targets].first { !$0.isEmpty } ?? []
    if let target = only(of: candidates) { return target }
    throw ConfigurationError(
      "Several targets may use GraphQL. Name the folder of one with --src:"
        + candidates.map { "\n  \($0)" }.joined())
  }

  private func only(of paths: [String]) -> String? { paths.count == 1 ? paths[0] : nil }

  private func hasTag(_ path: String) -> Bool {
    !TagScanner.scan(folder.bytes(of: path)).tags.isEmpty
  }

  /// Whether a target is executable or has views.
  private func isApp(_ target: String, _ manifest: String) -> Bool {
    let name = OutputNames.fileName(of: target)
    let text = manifest.filter { !$0.isWhitespace }
    if text.contains("executableTarget(name:\"\(name)\"") { return true }
    return files(in: target + "/").contains { path in
      if OutputNames.fileName(of: path) == "main.swift" { return true }
      return folder.bytes(of: path).withUnsafeBufferPointer {
        $0.firstRange(ofWord: "import SwiftUI") != nil || $0.firstRange(ofWord: "@main") != nil
      }
    }
  }
}
