import RelayCompiler

/// The changes that a `Package.swift` still needs to build one of its targets with RelayStore and
/// the build plugin.
struct ManifestAdditions {
  private let manifest: PackageManifest
  private let target: PackageManifest.Target?
  /// The target in words.
  private let place: String

  /// Determines the missing parts of a manifest.
  ///
  /// - Parameter folder: The folder of the target's sources, relative to the package.
  init(_ manifest: PackageManifest, folder: String) {
    self.manifest = manifest
    let products = manifest.targets.filter(\.isProduct)
    let only = products.count == 1 && !manifest.hasUnreadTargets ? products[0] : nil
    target = manifest.target(around: folder) ?? only
    // A target that the manifest does not name is in the folder of that name in "Sources".
    let parts = folder.split(separator: "/")
    let guess = parts.count == 2 && manifest.targets.isEmpty ? String(parts[1]) : nil
    let name = target?.name ?? guess
    place = name.map { "the target \"\($0)\"" } ?? "the target of your sources"
  }

  /// The message for a terminal; empty if the manifest is complete.
  ///
  /// - Parameter file: The path of the manifest.
  func text(file: String) -> String {
    let added = [forPackage, forTarget].flatMap(\.self).map { section in
      "to \(section.place):\n\n" + section.lines.map { "  \($0)\n" }.joined() + "\n"
    }
    let path = manifest.relayStoreName == nil ? ", with the path of your clone of RelayStore" : ""
    var text = ""
    if !added.isEmpty {
      text = "Add to \(file)\(path), \(added.joined(separator: "and "))"
      text += "Each build then generates the Swift code.\n"
    }
    let platforms = manifest.oldPlatforms
    if !platforms.isEmpty {
      if !text.isEmpty { text += "\n" }
      text += "The platforms in \(file) are too old for RelayStore. Change:\n\n"
      text += platforms.map { "  \($0.old) to \($0.new)\n" }.joined()
    }
    return text
  }

  /// Lines, and where in the manifest they belong.
  private typealias Section = (place: String, lines: [String])

  private var forPackage: [Section] {
    var section: Section = ("the package", [])
    // Without a platform, a package is built for versions older than the store supports.
    if manifest.package?.argument("platforms") == nil, let first = RelayStorePackage.platforms.first
    {
      section.lines.append("platforms: [.\(first.name)(.v\(first.version))],")
    }
    var element: [Section] = []
    if manifest.relayStoreName == nil {
      let line = ".package(name: \"\(RelayStorePackage.name)\", path: \"../RelayStore\")"
      if manifest.package?.argument("dependencies") == nil {
        section.lines.append("dependencies: [\(line)],")
      } else {
        element = [("the package's dependencies", [line])]
      }
    }
    return (section.lines.isEmpty ? [] : [section]) + element
  }

  private var forTarget: [Section] {
    let package = "package: \"\(manifest.relayStoreName ?? RelayStorePackage.name)\""
    let call = target.map { manifest.calls[$0.call] }
    var section: Section = (place, [])
    var elements: [Section] = []
    func add(_ element: String, to list: String) {
      if call?.argument(list) == nil {
        section.lines.append("\(list): [\(element)],")
      } else {
        elements.append(("the \(list) of \(place)", [element]))
      }
    }
    if !manifest.hasProduct(target) {
      add(".product(name: \"\(RelayStorePackage.product)\", \(package))", to: "dependencies")
    }
    if !manifest.hasPlugin(target) {
      add(".plugin(name: \"\(RelayStorePackage.plugin)\", \(package))", to: "plugins")
    }
    // The plug-ins are a target's last argument.
    if let last = section.lines.last, last.hasPrefix("plugins") {
      section.lines[section.lines.count - 1] = String(last.dropLast())
    }
    return (section.lines.isEmpty ? [] : [section]) + elements
  }
}
