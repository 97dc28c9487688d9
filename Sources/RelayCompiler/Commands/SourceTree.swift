import Foundation
import GraphQLLanguage

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

  /// The files with their generated files' names, in the order of their paths, and a warning for each other thing that is called
  /// like one.
  func sources() throws -> (files: [Compilation.SourceFile], warnings: [Diagnostic]) {
    let root = folder.standardizedFileURL
    let paths: [String]
    do { paths = try self.paths(in: root.path) } catch {
      let key = folder == configuration.src ? "src" : "modules"
      throw ConfigurationError(
        "Cannot read the folder \"\(root.path)\", the configuration's \"\(key)\".")
    }
    let shown = CompileInput.shownPath(root.appendingPathComponent("x")).dropLast()
    var names = OutputNames()
    let folder = root.path + "/"
    let sorted = paths.map { (bytes: Array($0.utf8), path: $0) }
      .sorted { $0.bytes.lexicographicallyPrecedes($1.bytes) }
    let irregular = Set(paths.filter { isIrregular(folder + $0) })
    let files = try sorted.filter { !irregular.contains($0.path) }.map { _, path in
      Compilation.SourceFile(
        path: shown + path, bytes: try readFile(folder + path), output: names.name(for: path))
    }
    let warnings = sorted.filter { irregular.contains($0.path) }.map {
      irregularFileWarning(shown + $0.path)
    }
    return (files, warnings)
  }

  /// The paths of the sources in a folder, relative to it; a folder inside that cannot be read is passed over.
  private func paths(in root: String) throws(FileError) -> [String] {
    var result: [String] = []
    var waiting = [""]
    while let folder = waiting.popLast() {
      guard
        let names = folder.isEmpty
          ? try fileNames(in: root) : try? fileNames(in: root + "/" + folder)
      else { continue }
      for name in names where !name.hasPrefix(".") {
        let path = folder + name
        if isExcluded(path, at: root) { continue }
        if isRealFolder(root + "/" + path) {
          waiting.append(path + "/")
        } else if isSource(path) {
          result.append(path)
        }
      }
    }
    return result
  }

  private func isExcluded(_ path: String, at root: String) -> Bool {
    if notSources.contains(root + "/" + path) { return true }
    let parts = path.utf8.split(separator: UInt8(ascii: "/"))
    return excludes.contains { $0.matches(parts) }
  }

  private func isSource(_ path: String) -> Bool {
    if path.hasSuffix(OutputNames.suffix) { return false }
    return path.hasSuffix(".swift") || path.hasSuffix(".graphql") || path.hasSuffix(".gql")
  }
}
