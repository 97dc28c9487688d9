/// The targets of a `Package.swift`, as far as its text says them.
///
/// The manifest is a program, which is not run: only calls such as `.target(name: "App", path: "App")`
/// are read, with string literals as arguments.
package struct PackageManifest: Equatable {
  /// A call that declares a target.
  package struct Target: Equatable {
    /// The name of the function: `target`, `executableTarget`, `testTarget`, ….
    package let kind: String
    package let name: String
    /// The argument `path`, without parts `.` and `..` that can be left out.
    package let path: String?
    /// The index of the call in those of the manifest.
    package let call: Int

    /// Whether the path leads outside of the package. SwiftPM refuses such a target.
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

  /// The calls in the manifest, each before those in its arguments.
  package let calls: [ManifestCall]
  /// For each call, the index of the call that declares the target in whose arguments it is.
  package let targetCalls: [Int?]
  package let targets: [Target]
  /// Whether the name or the path of a target is no string literal.
  package let hasUnreadTargets: Bool
  /// Whether a statement may change the targets after the call that declares the package.
  let hasLaterChanges: Bool

  /// Reads a manifest. A manifest that is not Swift has the targets before the mistake.
  package init(_ bytes: ContiguousArray<UInt8>) {
    let calls = ManifestCallReader.calls(in: bytes)
    var targetCalls: [Int?] = []
    var targets: [Target] = []
    var hasUnreadTargets = false
    for (index, call) in calls.enumerated() {
      let parent = call.parent.flatMap { targetCalls[$0] ?? (Self.isTarget(calls[$0]) ? $0 : nil) }
      targetCalls.append(parent)
      // A dependency `.target(name:)` inside of the call is not another target.
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

  /// Whether a call declares a target, unless it is in the arguments of one that does.
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

  /// The folders in which SwiftPM looks for targets without a path.
  package static let parents = ["Sources", "Source", "src", "srcs"]

  /// Returns the target whose sources a folder has, or a folder around it.
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

  /// Whether a folder is around the sources of a target.
  package func hasTarget(below folder: String) -> Bool {
    targets.contains { target in
      target.isProduct && folders(of: target).contains { folder == "." || isInside($0, folder) }
    }
  }

  /// The folders in which the sources of a target may be.
  package func folders(of target: Target) -> [String] {
    let parents = target.kind == "testTarget" ? ["Tests"] + Self.parents : Self.parents
    return target.path.map { [$0] } ?? parents.map { $0 + "/" + target.name }
  }
}
