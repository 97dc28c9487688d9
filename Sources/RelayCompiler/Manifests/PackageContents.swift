import Foundation
import GraphQLLanguage

/// A package's targets, products and package dependencies.
struct PackageContents: Equatable {
  /// A target with Swift sources.
  struct Target: Equatable {
    let name: String
    /// The possible source folders, relative to the package. The first one that exists contains the
    /// sources.
    let folders: [String]
    /// The files and folders that are not sources, relative to the target's folder.
    var excluded: [String] = []
    var dependencies: [Dependency] = []
  }

  /// A dependency of a target.
  enum Dependency: Equatable {
    case target(String)
    /// - package: The name of the package; `nil` if it is unknown.
    case product(String, package: String?)
    /// A target in the same package, or a product of another one.
    case byName(String)
  }

  /// A package that this one depends on.
  struct Package: Equatable {
    /// The lowercase names by which a product dependency can refer to the package.
    let names: [String]
    /// The path of a local package, absolute or relative to this one.
    let path: String?
  }

  var targets: [Target] = []
  /// The targets of each library.
  var products: [String: [String]] = [:]
  var packages: [Package] = []

  /// Returns the target named `name`.
  func target(named name: String) -> Target? { targets.first { $0.name == name } }
}

// MARK: From a manifest

extension PackageContents {
  private static let kinds: Set = ["target", "executableTarget", "testTarget", "macro"]

  /// Reads the calls of a manifest.
  init(_ manifest: PackageManifest) {
    targets = manifest.targets.filter { Self.kinds.contains($0.kind) }.map {
      Self.target($0, in: manifest)
    }
    for call in manifest.calls where call.isMember {
      if call.name == "library", let name = call.argument("name")?.literal {
        products[name] = call.argument("targets")?.literals ?? []
      } else if call.name == "package", call.label == "dependencies" || call.label == nil {
        packages.append(Self.package(call))
      }
    }
  }

  /// Returns whether a manifest's calls spell out all dependencies of its targets, so that
  /// ``init(_:)`` finds all of them.
  static func isComplete(_ manifest: PackageManifest) -> Bool {
    if manifest.hasUnreadTargets || manifest.hasLaterChanges { return false }
    let calls = manifest.calls
    return calls.indices.allSatisfy { index in
      let call = calls[index]
      if manifest.targetCalls[index] == nil, PackageManifest.isTarget(call) {
        return call.argument("dependencies")?.isPlain ?? true
      }
      if call.name == "library", call.isMember {
        return call.argument("name")?.literal != nil && call.argument("targets")?.isPlain == true
      }
      guard let parent = call.parent, parent == manifest.targetCalls[index],
        call.label == "dependencies"
      else { return true }
      return call.isMember && ["target", "product", "byName"].contains(call.name)
        && call.argument("name")?.literal != nil
    }
  }

  private static func target(_ target: PackageManifest.Target, in manifest: PackageManifest)
    -> Target
  {
    let call = manifest.calls[target.call]
    var result = Target(
      name: target.name, folders: manifest.folders(of: target),
      excluded: call.argument("exclude")?.literals ?? [])
    result.dependencies = (call.argument("dependencies")?.literals ?? []).map { .byName($0) }
    for call in manifest.calls where call.parent == target.call && call.label == "dependencies" {
      guard let name = call.argument("name")?.literal else { continue }
      switch call.name {
      case "target": result.dependencies.append(.target(name))
      case "product":
        result.dependencies.append(.product(name, package: call.argument("package")?.literal))
      case "byName": result.dependencies.append(.byName(name))
      default: continue
      }
    }
    return result
  }

  private static func package(_ call: ManifestCall) -> Package {
    let path = call.argument("path")?.literal
    let location = path ?? call.argument("url")?.literal ?? call.argument("id")?.literal
    return Package(
      names: names(call.argument("name")?.literal, location), path: path)
  }

  /// Returns the lowercase names by which a product dependency can refer to a package.
  private static func names(_ name: String?, _ location: String?) -> [String] {
    var last = location?.split { $0 == "/" || $0 == ":" }.last.map(String.init)
    if let text = last, text.hasSuffix(".git") { last = String(text.dropLast(4)) }
    return [name, last].compactMap { $0?.lowercased() }
  }
}

// MARK: From the output of SwiftPM

extension PackageContents {
  /// Reads the output of `swift package describe --type json`.
  ///
  /// - Returns: `nil` if the output has a different form.
  init?(described data: Data) {
    guard let json = try? JSONReader.read(ContiguousArray(data)), let targets = json["targets"]
    else { return nil }
    func names(_ list: InputValue?) -> [String] { list?.items.compactMap(\.text) ?? [] }
    self.targets = targets.items.compactMap { target in
      guard target["module_type"]?.text == "SwiftTarget", let name = target["name"]?.text,
        let path = target["path"]?.text
      else { return nil }
      return Target(
        name: name, folders: [path],
        dependencies: names(target["target_dependencies"]).map { .target($0) }
          + names(target["product_dependencies"]).map { .product($0, package: nil) })
    }
    for product in json["products"]?.items ?? [] {
      if let name = product["name"]?.text { products[name] = names(product["targets"]) }
    }
    packages = (json["dependencies"]?.items ?? []).map { package in
      let path = package["path"]?.text
      return Package(
        names: Self.names(package["identity"]?.text, path ?? package["url"]?.text), path: path)
    }
  }
}
