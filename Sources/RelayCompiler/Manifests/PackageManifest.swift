/// The targets of a `Package.swift`, to the extent that its source spells them out.
///
/// A manifest is a program, but it is not executed. Only calls with string literals as arguments
/// are read, such as `.target(name: "App", path: "App")`.
package struct PackageManifest: Equatable {
  /// A call that declares a target.
  package struct Target: Equatable {
    /// The name of the function: `target`, `executableTarget`, `testTarget`, ….
    package let kind: String
    package let name: String
    /// The `path` argument without redundant `.` and `..` components.
    package let path: String?
    /// The index of the call in the manifest's calls.
    package let call: Int

    /// Whether the path leads outside the package. SwiftPM rejects such a target.
    package var isOutside: Bool {
      guard let path else { return false }
      return path == ".." || path.hasPrefix("../") || path.hasPrefix("/")
    }

    /// Whether the target's code may use a store.
    package var isProduct: Bool { kind == "target" || kind == "executableTarget" }
  }

  private static let kinds: Set = [
    "target", "executableTarget", "testTarget", "macro", "plugin", "systemLibrary", "binaryTarget",
  ]

  /// The calls in the manifest, each before its nested calls.
  package let calls: [ManifestCall]
  /// For each call, the index of the target declaration whose arguments contain it.
  package let targetCalls: [Int?]
  package let targets: [Target]
  /// Whether a target's name or path is not a string literal.
  package let hasUnreadTargets: Bool
  /// Whether a statement after the package declaration may change the targets.
  let hasLaterChanges: Bool

  /// Reads a manifest. If it is not valid Swift, reads the targets before the mistake.
  package init(_ bytes: ContiguousArray<UInt8>) {
    let calls = ManifestCallReader.calls(in: bytes)
    var targetCalls: [Int?] = []
    var targets: [Target] = []
    var hasUnreadTargets = false
    for (index, call) in calls.enumerated() {
      let parent = call.parent.flatMap { targetCalls[$0] ?? (Self.isTarget(calls[$0]) ? $0 : nil) }
      targetCalls.append(parent)
      // A dependency `.target(name:)` inside the call is not another target.
      guard parent == nil, Self.isTarget(call) else { continue }
      let path = call.argument("path")
      guard let name = call.argument("name")?.literal, (path == nil) == (path?.literal == nil)
      else {
        hasUnreadTargets = true
        continue
      }
      targets.append(
        Target(
          kind: call.name, name: name, path: path?.literal.map(Self.standardized), call: index))
    }
    self.calls = calls
    self.targetCalls = targetCalls
    self.targets = targets
    self.hasUnreadTargets = hasUnreadTargets
    hasLaterChanges = bytes.withUnsafeBufferPointer { text in
      text.firstRange(ofWord: ".targets") != nil || text.firstRange(ofWord: ".dependencies") != nil
    }
  }

  /// Returns whether a call declares a target, assuming that it is not nested in another target's
  /// declaration.
  package static func isTarget(_ call: ManifestCall) -> Bool {
    call.isMember && kinds.contains(call.name)
  }

  private static func standardized(_ path: String) -> String {
    var parts: [Substring] = []
    for part in path.split(separator: "/") where part != "." {
      if part == "..", let last = parts.last, last != ".." {
        parts.removeLast()
      } else {
        parts.append(part)
      }
    }
    if path.hasPrefix("/") { return "/" + parts.joined(separator: "/") }
    return parts.isEmpty ? "." : parts.joined(separator: "/")
  }

  // MARK: Folders

  /// The folders where SwiftPM looks for targets without a path.
  package static let parents = ["Sources", "Source", "src", "srcs"]

  /// Returns the target whose source folder is or contains a folder.
  ///
  /// - Parameter folder: The path of the folder relative to the package.
  package func target(around folder: String) -> Target? {
    let found = targets.filter(\.isProduct).compactMap { target in
      folders(of: target).first { $0 == "." || isInside(folder, $0) }.map {
        (target, length: $0.utf8.count)
      }
    }
    return found.max { $0.length < $1.length }?.0
  }

  /// Returns whether a folder contains a target's source folder.
  package func hasTarget(below folder: String) -> Bool {
    targets.contains { target in
      target.isProduct && folders(of: target).contains { folder == "." || isInside($0, folder) }
    }
  }

  /// Returns the possible source folders of a target.
  package func folders(of target: Target) -> [String] {
    let parents = target.kind == "testTarget" ? ["Tests"] + Self.parents : Self.parents
    return target.path.map { [$0] } ?? parents.map { $0 + "/" + target.name }
  }
}
