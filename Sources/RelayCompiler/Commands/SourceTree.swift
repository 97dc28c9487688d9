import Foundation

/// The files under a configuration's `src` that may have documents.
struct SourceTree {
  private let configuration: Configuration
  private let folder: URL
  /// The folder of generated files, and the schema's files.
  private let notSources: Set<String>
  private let excludes: [PathPattern]

  /// - Parameters:
  ///   - folder: Another folder than the configuration's `src`.
  ///   - output: Where generated files are, which are left out.
  init(_ configuration: Configuration, folder: URL? = nil, output: URL?) {
    self.configuration = configuration
    self.folder = folder ?? configuration.src
    let schemas = [configuration.schema] + configuration.schemaExtensions
    notSources = Set(schemas.map(\.path) + [output?.standardizedFileURL.path].compactMap(\.self))
    excludes = configuration.excludes.map(PathPattern.init)
  }

  /// The files with their generated files' names, in the order of their paths.
  func sources() throws -> [Compilation.SourceFile] {
    let root = folder.standardizedFileURL
    guard FileManager.default.fileExists(atPath: root.path),
      let all = FileManager.default.enumerator(atPath: root.path)
    else {
      let key = folder == configuration.src ? "src" : "modules"
      throw ConfigurationError(
        "Cannot read the folder \"\(root.path)\", the configuration's \"\(key)\".")
    }
    var paths: [String] = []
    while let path = all.nextObject() as? String {
      if isExcluded(path, at: root) {
        all.skipDescendants()
      } else if isSource(path) {
        paths.append(path)
      }
    }
    var names = OutputNames()
    return try paths.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }.map { path in
      let url = root.appendingPathComponent(path)
      return Compilation.SourceFile(
        path: CompileInput.shownPath(url), bytes: try readFile(url.path),
        output: names.name(for: path))
    }
  }

  private func isExcluded(_ path: String, at root: URL) -> Bool {
    if path.split(separator: "/").last?.hasPrefix(".") == true { return true }
    return notSources.contains(root.path + "/" + path)
      || excludes.contains { $0.matches(path) || $0.matches(path + "/") }
  }

  private func isSource(_ path: String) -> Bool {
    if path.hasSuffix(OutputNames.suffix) { return false }
    return path.hasSuffix(".swift") || path.hasSuffix(".graphql") || path.hasSuffix(".gql")
  }
}
