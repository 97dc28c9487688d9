import Foundation
import GraphQLLanguage

/// The files under a configuration's `src` that may contain documents.
package struct SourceTree {
  private let configuration: Configuration
  private let folder: URL
  /// The folder of generated files.
  private let output: String?
  /// The folders where generated files belong; `nil` to skip looking for misplaced ones.
  private let outputs: Set<String>?
  private let schemas: SchemaFiles
  /// The absolute paths of files and folders to skip.
  private let skipped: Set<String>
  private let excludes: [PathPattern]
  /// The patterns for folders that are not searched for old generated files.
  private let excludesOfGenerated: [PathPattern]

  /// Creates a tree.
  ///
  /// - Parameters:
  ///   - folder: A folder to read instead of the configuration's `src`.
  ///   - schemas: Schema files to skip, in addition to the configuration's.
  ///   - skipped: The absolute paths of files and folders in that folder to skip.
  ///   - output: The folder of generated files, which is skipped.
  package init(
    _ configuration: Configuration, folder: URL? = nil, schemas: [URL] = [],
    skipped: Set<String> = [], output: URL?
  ) {
    self.skipped = folder == nil ? configuration.excludedByTargets : skipped
    self.configuration = configuration
    self.folder = folder ?? configuration.src
    self.schemas = SchemaFiles((configuration.schemaFiles + schemas).map(\.path))
    self.output = output?.standardizedFileURL.path
    outputs = output.map { output in
      Set([output, configuration.artifactDirectory].compactMap { $0?.standardizedFileURL.path })
    }
    excludes = configuration.excludes.map(PathPattern.init)
    excludesOfGenerated = configuration.excludes.filter { $0 != Configuration.generatedPattern }
      .map(PathPattern.init)
  }

  /// Reads the files and names each one's generated file.
  ///
  /// - Returns: The files in path order, and the warnings. There is a warning for each item that is
  ///   named like a source but is not a regular file, and for each folder with generated files that
  ///   belong elsewhere.
  /// - Throws: ``ConfigurationError`` when the folder cannot be read; ``FileError`` when a file
  ///   cannot be read.
  package func sources(_ access: FileAccess = .disk) throws -> (
    files: [CompilationInput.SourceFile], warnings: [Diagnostic]
  ) {
    let root = folder.standardizedFileURL
    let paths: [String]
    var generated: Set<String> = []
    do {
      let saved = try self.paths(in: root.path, generated: &generated)
      let known = Set(saved)
      paths = saved + unsavedPaths(in: root.path, access).filter { !known.contains($0) }
    } catch {
      let key = folder == configuration.src ? "src" : "modules"
      throw ConfigurationError(
        "Cannot read the folder \"\(root.path)\", the configuration's \"\(key)\".")
    }
    let shown = access.shownPath(root.appendingPathComponent("x")).dropLast()
    var names = OutputNames()
    let folder = root.path + "/"
    let sorted = paths.sorted(byText: \.self)
    let irregular = Set(paths.filter { isIrregular(folder + $0) })
    let files = try sorted.filter { !irregular.contains($0) }.map { path in
      CompilationInput.SourceFile(
        path: shown + path, bytes: try access.read(folder + path), output: names.name(for: path))
    }
    let warnings = sorted.filter { irregular.contains($0) }.map {
      irregularFileWarning(shown + $0)
    }
    let old = generated.sorted(byText: \.self).map { oldFilesWarning(shown + $0) }
    return (files, warnings + old)
  }

  /// Returns the warning for a folder with generated files that are never updated.
  private func oldFilesWarning(_ folder: String) -> Diagnostic {
    Diagnostic(
      severity: .warning, rule: "old-files",
      message:
        "\"\(folder.hasSuffix("/") ? String(folder.dropLast()) : folder)\" has generated files, but it is not the artifactDirectory. Remove them, or every type is declared twice.",
      at: .none)
  }

  /// Returns the paths of the sources in `root`, relative to `root`. Skips subfolders that cannot
  /// be read.
  ///
  /// - Parameter generated: Receives the folders with generated files that belong elsewhere.
  private func paths(
    in root: String, generated: inout Set<String>
  ) throws(FileError) -> [String] {
    var result: [String] = []
    var folders = [""]
    while let folder = folders.popLast() {
      guard
        let names = folder.isEmpty
          ? try fileNames(in: root) : try? fileNames(in: root + "/" + folder)
      else { continue }
      for name in names where !name.hasPrefix(".") {
        let path = folder + name
        if isExcluded(path, at: root) {
          if name == Configuration.generatedFolder, hasGeneratedFiles(path, at: root) {
            generated.insert(path)
          }
          continue
        }
        if isRealFolder(root + "/" + path) {
          folders.append(path + "/")
        } else if isSource(path), !schemas.contains(root + "/" + path) {
          result.append(path)
        } else if isGenerated(path, at: root) {
          generated.insert(folder)
        }
      }
    }
    return result
  }

  /// Returns whether a folder skipped only because of its name contains generated files that belong
  /// elsewhere.
  private func hasGeneratedFiles(_ path: String, at root: String) -> Bool {
    let parts = path.utf8.split(separator: UInt8(ascii: "/"))
    guard let outputs, !outputs.contains(root + "/" + path),
      !excludesOfGenerated.contains(where: { $0.matches(parts) }),
      isRealFolder(root + "/" + path), let names = try? fileNames(in: root + "/" + path)
    else { return false }
    return names.contains { isGenerated(path + "/" + $0, at: root) }
  }

  /// Returns whether a file is generated and belongs elsewhere.
  private func isGenerated(_ path: String, at root: String) -> Bool {
    guard outputs != nil, path.hasSuffix(OutputNames.suffix),
      let bytes = try? readFile(root + "/" + path)
    else { return false }
    return bytes.starts(with: OutputDirectory.header.utf8)
  }

  /// Returns the paths, relative to `root`, of unsaved documents that would be sources.
  private func unsavedPaths(in root: String, _ access: FileAccess) -> [String] {
    access.unsaved(root).filter { path in
      let parts = path.split(separator: "/")
      let folders = parts.indices.map { parts[...$0].joined(separator: "/") }
      return isSource(path) && !parts.contains { $0.hasPrefix(".") }
        && !folders.contains { isExcluded($0, at: root) } && !schemas.contains(root + "/" + path)
    }
  }

  private func isExcluded(_ path: String, at root: String) -> Bool {
    let absolute = root + "/" + path
    if absolute == output || skipped.contains(absolute) { return true }
    let parts = path.utf8.split(separator: UInt8(ascii: "/"))
    return excludes.contains { $0.matches(parts) }
  }

  private func isSource(_ path: String) -> Bool {
    if path.hasSuffix(OutputNames.suffix) { return false }
    return path.hasSuffix(".swift") || path.hasSuffix(".graphql") || path.hasSuffix(".gql")
  }
}
