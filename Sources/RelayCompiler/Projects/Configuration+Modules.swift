import Foundation

extension Configuration {
  /// Adds the modules that the package's targets in `src` depend on, and the files that these
  /// targets exclude, as the build plugin finds them. Does not search if the configuration or the
  /// arguments already name modules.
  ///
  /// A package that cannot be read adds no modules.
  package mutating func findModules(_ options: CompileOptions, _ files: FileAccess) {
    guard manifests == nil else { return }
    manifests = []
    // The plugin's arguments name the module and all its files.
    guard options.module == nil, options.files.isEmpty, options.imports.isEmpty,
      let package = PackageModules.package(around: src.standardizedFileURL.path)
    else { return }
    var found = PackageModules(package, files)
    found.search(from: src.standardizedFileURL.path)
    manifests = found.manifests.map { URL(fileURLWithPath: $0) }
    modules = found.modules
    // Documents compiled by the command are often excluded from the target.
    if artifactDirectory == nil { excludedByTargets = found.excluded }
    emission.module = emission.module ?? found.module
  }
}
