import Foundation

/// A search for the modules that a package's targets depend on. It reads the manifests of the
/// package and its dependencies.
package struct PackageModules {
  /// A package whose manifest was read.
  private struct Package {
    let folder: String
    let contents: PackageContents
  }

  /// A target of a package.
  private struct Place: Hashable {
    let package: String
    let target: String
  }

  package static let manifestName = "Package.swift"

  private let files: FileAccess
  private let root: String
  private var packages: [String: Package?] = [:]
  private var visited: Set<Place> = []
  /// The paths of the manifests that were read.
  private(set) var manifests: [String] = []
  /// The module of the sources, if they belong to a single target.
  private(set) var module: String?
  /// The modules with a configuration or a schema, dependencies first.
  private(set) var modules: [ModuleFolder] = []
  /// The absolute paths excluded by the targets with the sources.
  private(set) var excluded: Set<String> = []

  /// - Parameter root: The folder of the package.
  init(_ root: String, _ files: FileAccess) {
    self.root = root
    self.files = files
  }

  /// Returns the nearest folder with a manifest, starting at a folder and going up.
  static func package(around folder: String) -> String? {
    foldersAround(folder).first {
      FileManager.default.fileExists(atPath: $0 + "/" + manifestName)
    }
  }

  /// Finds the modules that targets with sources in a folder depend on.
  ///
  /// - Parameter src: The folder. Targets inside or around it are compiled themselves.
  mutating func search(from src: String) {
    guard let package = package(in: root) else { return }
    let folders = package.contents.targets.compactMap { target in
      path(of: target, in: package).map { (target: target, path: $0) }
    }
    var own = folders.filter { isInside($0.path, src) }
    if own.isEmpty {
      let around = folders.filter { isInside(src, $0.path) }
      let nearest = around.max { $0.path.utf8.count < $1.path.utf8.count }
      own = nearest.map { [$0] } ?? []
    }
    if own.count == 1 { module = own.first.map { Self.moduleName($0.target.name) } }
    for (target, path) in own {
      visited.insert(Place(package: root, target: target.name))
      excluded.formUnion(target.excluded.map { Self.absolute($0, in: path) })
    }
    for (target, _) in own { visitDependencies(of: target, in: package) }
    for index in modules.indices { modules[index].excluded.insert(src) }
  }

  // MARK: Targets

  private mutating func visitDependencies(of target: PackageContents.Target, in package: Package) {
    for dependency in target.dependencies {
      switch dependency {
      case .target(let name): visit(name, in: package)
      case .product(let name, let other): visitProduct(name, of: other, in: package)
      case .byName(let name):
        if package.contents.target(named: name) != nil {
          visit(name, in: package)
        } else {
          visitProduct(name, of: nil, in: package)
        }
      }
    }
  }

  private mutating func visit(_ name: String, in package: Package) {
    guard visited.insert(Place(package: package.folder, target: name)).inserted,
      let target = package.contents.target(named: name)
    else { return }
    visitDependencies(of: target, in: package)
    guard let path = path(of: target, in: package) else { return }
    var module = ModuleFolder(
      name: Self.moduleName(name), folder: URL(fileURLWithPath: path, isDirectory: true))
    module.settings = [module.folder, URL(fileURLWithPath: package.folder, isDirectory: true)]
    let names = [Project.configurationName, Project.schemaName]
    if names.allSatisfy({ module.setting($0) == nil }) { return }
    let others = package.contents.targets.compactMap { self.path(of: $0, in: package) }
    module.excluded = Set(target.excluded.map { Self.absolute($0, in: path) } + others)
      .subtracting([path])
    modules.append(module)
  }

  private mutating func visitProduct(_ name: String, of other: String?, in package: Package) {
    let known = package.contents.packages
    let named = other.map { other in known.filter { $0.names.contains(other.lowercased()) } } ?? []
    for dependency in named.isEmpty ? known : named {
      guard let folder = folder(of: dependency, in: package), let found = self.package(in: folder),
        let targets = found.contents.products[name]
      else { continue }
      for target in targets { visit(target, in: found) }
      return
    }
  }

  /// Returns a target's folder, following SwiftPM's rules; `nil` if it does not exist.
  private func path(of target: PackageContents.Target, in package: Package) -> String? {
    let found = target.folders.map { Self.absolute($0, in: package.folder) }.first(where: isFolder)
    if found != nil || package.contents.targets.count != 1 { return found }
    // A package with a single target may have its files here, without a folder for the target.
    return PackageManifest.parents.map { package.folder + "/" + $0 }.first(where: isFolder)
  }

  /// Returns the name of a target's module, with underscores for characters that are invalid in an
  /// identifier.
  private static func moduleName(_ target: String) -> String {
    let name = String(target.map { $0.isLetter || $0.isNumber || $0 == "_" ? $0 : "_" })
    return name.first?.isNumber == true ? "_" + name.dropFirst() : name
  }

  // MARK: Packages

  /// Returns the folder of a package: a local package's own folder, or SwiftPM's checkout.
  private func folder(of dependency: PackageContents.Package, in package: Package) -> String? {
    if let path = dependency.path { return Self.absolute(path, in: package.folder) }
    for parent in [root + "/Packages", root + "/.build/checkouts"] {
      let names = (try? fileNames(in: parent)) ?? []
      if let name = names.sorted().first(where: { dependency.names.contains($0.lowercased()) }) {
        return parent + "/" + name
      }
    }
    return nil
  }

  private mutating func package(in folder: String) -> Package? {
    if let known = packages[folder] { return known }
    let path = folder + "/" + Self.manifestName
    manifests.append(path)
    var package: Package?
    if let bytes = try? files.read(path) {
      let manifest = PackageManifest(bytes)
      var contents = PackageContents(manifest)
      if !PackageContents.isComplete(manifest), folder == root || Self.usesRelayStore(bytes),
        let described = files.packageDescription(folder).flatMap(PackageContents.init(described:))
      {
        contents = described
      }
      package = Package(folder: folder, contents: contents)
    }
    packages[folder] = .some(package)
    return package
  }

  /// Returns whether a manifest may use the build plugin. SwiftPM is only run for these.
  private static func usesRelayStore(_ bytes: ContiguousArray<UInt8>) -> Bool {
    bytes.withUnsafeBufferPointer { $0.firstRange(ofWord: "Relay") != nil }
  }

  // MARK: Paths

  private static func absolute(_ path: String, in folder: String) -> String {
    let absolute = path.hasPrefix("/") ? path : folder + "/" + path
    return URL(fileURLWithPath: absolute).standardizedFileURL.path
  }
}
