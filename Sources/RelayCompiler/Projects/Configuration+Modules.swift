import Foundation

extension Configuration {
  /// Adds the modules that the package's targets in `src` depend on, and what these targets exclude,
  /// as the build plugin finds them, unless the file or the arguments name modules.
  ///
  /// A package that cannot be read adds none.
  package mutating func findModules(_ options: CompileOptions, _ files: FileAccess) {
    guard manifests == nil else { return }
    manifests = []
    // The plugin's arguments name the module, and all of its files.
    guard options.module == nil, options.files.isEmpty, options.imports.isEmpty,
      let package = PackageModules.package(around: src.standardizedFileURL.path)
    else { return }
    var found = PackageModules(package, files)
    found.search(from: src.standardizedFileURL.path)
    manifests = found.manifests.map { URL(fileURLWithPath: $0) }
    modules = found.modules
    // Documents that the command compiles are often excluded from the target.
    if artifactDirectory == nil { excludedByTargets = found.excluded }
    emission.module = emission.module ?? found.module
  }
}
