import Foundation
import RelayCompiler

/// The search for the folder of a project's sources.
struct SourceSearch {
  private let folder: ProjectFolder

  init(_ folder: ProjectFolder) { self.folder = folder }

  /// Returns the path of the folder whose code will have tags.
  ///
  /// - Throws: ``ConfigurationError`` when a package has no target or the choice is ambiguous.
  func path() throws(ConfigurationError) -> String {
    switch folder.kind {
    case .package(let manifest, _):
      guard let path = folder.pathInPackage, !path.isEmpty else { return try targetPath(manifest) }
      if manifest.target(around: path) != nil || !manifest.hasTarget(below: path) { return "." }
      throw ConfigurationError(
        "This folder has several targets of a package. Run init next to Package.swift, or in the "
          + "folder of one target."
      )
    case .xcode(let name):
      let candidates = topFolders.filter { !$0.hasSuffix("Tests") }
      return candidates.contains(name) ? name : only(of: candidates) ?? "."
    case .other:
      try checkIsNoXcodeProject()
      return only(of: topFolders) ?? "."
    }
  }

  /// Rejects the parent folder of an Xcode project, because the build plugin does not look for a
  /// configuration there.
  private func checkIsNoXcodeProject() throws(ConfigurationError) {
    guard folder.xcodeFolders.count == 1 else { return }
    let name = folder.xcodeFolders[0]
    // A search in the project's folder does not find a schema next to that folder.
    let found = try? SchemaSearch.path(in: folder)
    let schema = found.flatMap { $0.hasPrefix(name + "/") ? nil : " --schema ../\($0)" } ?? ""
    throw ConfigurationError(
      "The Xcode project is in \"\(name)\". Run relay-compiler init\(schema) there, where the build plugin looks for the "
        + "configuration. To run relay-compiler compile here instead, name the folder of the sources with --src."
    )
  }

  /// The direct subfolders that contain Swift files.
  private var topFolders: [String] { subfolders(of: "") }

  /// The direct subfolders of `parent` that contain Swift files, sorted and without duplicates.
  private func subfolders(of parent: String) -> [String] {
    let names = files(in: parent).compactMap { path -> Substring? in
      let parts = path.dropFirst(parent.count).split(separator: "/", maxSplits: 1)
      return parts.count > 1 ? parts[0] : nil
    }
    return Set(names).map { parent + $0 }.sorted(byText: \.self)
  }

  /// The Swift files in a folder. The folder's path ends with a slash unless it is empty.
  private func files(in folder: String) -> [String] {
    self.folder.files.filter { $0.hasPrefix(folder) && $0.hasSuffix(".swift") }
  }

  // MARK: Targets of a package

  private func targetPath(_ manifest: PackageManifest) throws(ConfigurationError) -> String {
    let declared = manifest.targets.filter { $0.isProduct && !$0.isOutside }
    // SwiftPM uses the first folder that exists.
    var targets = declared.compactMap { target in
      manifest.folders(of: target).first { !files(in: prefix($0)).isEmpty }
    }
    let parent = PackageManifest.parents.first { !files(in: $0 + "/").isEmpty }
    if let parent, manifest.hasUnreadTargets || declared.isEmpty {
      let others = subfolders(of: parent + "/").filter { folder in
        !manifest.targets.contains { manifest.folders(of: $0).contains(folder) }
      }
      targets = (targets + others).sorted(byText: \.self)
    }
    if targets.isEmpty, let parent, subfolders(of: parent + "/").isEmpty {
      // A package with one target may have its files there, without a folder for the target.
      return parent
    }
    guard !targets.isEmpty else { throw missingSources(manifest, declared) }
    let withTags = targets.filter { own($0, among: targets).contains(where: hasTag) }
    let apps = targets.filter { isApp($0, files: own($0, among: targets), in: manifest) }
    let candidates = [withTags, apps, targets].first { !$0.isEmpty } ?? []
    if let target = only(of: candidates) { return target }
    throw ConfigurationError(
      "Several targets may use GraphQL. Name the folder of one with --src:"
        + candidates.map { "\n  \($0)" }.joined() + unread(manifest))
  }

  /// The error for a package without Swift files in the folders of its targets.
  private func missingSources(
    _ manifest: PackageManifest, _ declared: [PackageManifest.Target]
  ) -> ConfigurationError {
    let outside = manifest.targets.first { $0.isProduct && $0.isOutside }
    if let outside, let path = outside.path {
      return ConfigurationError(
        "The path \"\(path)\" of target \"\(outside.name)\" leads outside of the package. SwiftPM "
          + "rejects such a target: move its sources into the package, and run init again.")
    }
    let paths = declared.isEmpty ? ["Sources"] : Set(declared.map { $0.path ?? "Sources" })
    let list = paths.sorted().map { "\"\($0)\"" }.joined(separator: ", ")
    return ConfigurationError(
      "No Swift files found in \(list). Name the folder of the target with "
        + "--src.\(unread(manifest))"
    )
  }

  /// A sentence about targets that were not read; empty if all were.
  private func unread(_ manifest: PackageManifest) -> String {
    manifest.hasUnreadTargets
      ? " The name or the path of a target in Package.swift is not a string literal, so it was not "
        + "read."
      : ""
  }

  private func prefix(_ folder: String) -> String { folder == "." ? "" : folder + "/" }

  /// A target's Swift files, except files of targets nested in its folder.
  private func own(_ target: String, among targets: [String]) -> [String] {
    let inner = targets.map(prefix).filter { $0 != prefix(target) && $0.hasPrefix(prefix(target)) }
    return files(in: prefix(target)).filter { file in !inner.contains { file.hasPrefix($0) } }
  }

  private func only(of paths: [String]) -> String? { paths.count == 1 ? paths[0] : nil }

  private func hasTag(_ path: String) -> Bool {
    !TagScanner.scan(folder.bytes(of: path)).tags.isEmpty
  }

  /// Whether a target is executable or has views.
  private func isApp(_ target: String, files: [String], in manifest: PackageManifest) -> Bool {
    if manifest.target(around: target)?.kind == "executableTarget" { return true }
    return files.contains { path in
      if OutputNames.fileName(of: path) == "main.swift" { return true }
      return folder.bytes(of: path).withUnsafeBufferPointer {
        $0.firstRange(ofWord: "import SwiftUI") != nil || $0.firstRange(ofWord: "@main") != nil
      }
    }
  }
}
