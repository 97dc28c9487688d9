import Foundation
import RelayCompiler

/// A project that was read once; individual sources can be read again.
struct ReadProject {
  private(set) var input: CompilationInput
  let output: URL
  /// Whether no source has been read again.
  private(set) var isFresh = true
  /// The indices of the sources by absolute path.
  private let positions: [String: Int]
  /// The absolute path of the folder of generated files, with a trailing slash.
  private let outputPrefix: String
  /// The absolute paths of the schema, its extensions and the configuration.
  private let others: Set<String>

  init(_ input: CompilationInput, output: URL) {
    self.input = input
    self.output = output
    outputPrefix = output.standardizedFileURL.path + "/"
    let here = FileManager.default.currentDirectoryPath + "/"
    func absolute(_ path: String) -> String { path.hasPrefix("/") ? path : here + path }
    positions = Dictionary(
      input.sources.enumerated().map { (absolute($0.element.path), $0.offset) },
      uniquingKeysWith: { first, _ in first })
    others = Set(input.settings.map { absolute($0.path) })
  }

  /// Reads the changed sources again. Generated files are not read.
  ///
  /// - Returns: Whether the project is up to date; `false` if all of it has to be read again,
  ///   because other files may belong to it.
  mutating func update(_ changes: FileChanges, _ files: CachedFiles) throws(FileError) -> Bool {
    guard case .files(let paths) = changes else { return false }
    for path in paths {
      guard let position = positions[path], !isIrregular(path), FileStamp(ofFile: path) != nil
      else {
        if positions[path] == nil, !others.contains(path), isIgnored(path) { continue }
        return false
      }
      let source = input.sources[position]
      input.sources[position] = CompilationInput.SourceFile(
        path: source.path, bytes: try files.bytes(at: path), output: source.output)
    }
    isFresh = false
    return true
  }

  /// Returns the names of the changed generated files; `nil` if any may have changed.
  func generatedNames(in changes: FileChanges) -> Set<String>? {
    guard case .files(let paths) = changes else { return nil }
    let names = paths.lazy.filter(isInOutput).map { String($0.dropFirst(outputPrefix.count)) }
    return Set(names.filter { $0.hasSuffix(OutputNames.suffix) })
  }

  /// Whether a path is in the folder of generated files.
  func isInOutput(_ path: String) -> Bool { path.hasPrefix(outputPrefix) }

  /// Whether a file can be neither a source nor a module's configuration. Examples are a generated
  /// file, or the temporary file that an editor writes before renaming it.
  private func isIgnored(_ path: String) -> Bool {
    if isInOutput(path) { return true }
    let name = path.split(separator: "/").last ?? ""
    return name.hasPrefix(".")
      || ![".swift", ".graphql", ".gql", ".json"].contains(where: name.hasSuffix)
  }
}
