import Foundation

/// The arguments of the command, and the compiler runs that they ask for.
struct CompileArguments {
  /// A target, as SwiftPM or Xcode describes it.
  struct Target {
    let name: String
    /// The folders that may contain its configuration, nearest first.
    let folders: [URL]
  }

  /// A mistake in the arguments.
  struct Mistake: Error, Equatable, CustomStringConvertible {
    let description: String
  }

  /// The values of `--target`.
  private(set) var targets: [String] = []
  /// The arguments for the compiler.
  private(set) var rest: [String] = []
  /// Whether the arguments request help instead of a compilation.
  var asksForHelp: Bool { rest.contains("--help") || rest.contains("-h") }

  /// The help of the command.
  static let help = """
    usage: relay-compile [--target NAME]… [--validate] [--strict-schema]
           relay-compile (--config FILE | --schema FILE --output DIRECTORY) [--validate] [--strict-schema]

    Compiles the documents of every relay.config.json with an "artifactDirectory", next to Package.swift and in the
    folders of its targets. With --target, compiles the configuration of that target: the one in its folder, or the
    one next to Package.swift. With --validate, writes no files and fails if the generated files are out of date.
    """

  init(_ arguments: [String]) throws {
    var queue = arguments[...]
    while let argument = queue.popFirst() {
      if argument == "--target" {
        guard let name = queue.popFirst() else {
          throw Mistake(description: "\"--target\" takes the name of a target.")
        }
        targets.append(name)
      } else if argument.hasPrefix("--target=") {
        targets.append(String(argument.dropFirst("--target=".count)))
      } else {
        rest.append(argument)
      }
    }
  }

  /// Returns the arguments of each compiler run.
  ///
  /// If the arguments name a configuration or schema, only that one is compiled. Otherwise the
  /// command compiles every target named by `--target` with its configuration. Without `--target`
  /// it compiles every configuration with an `artifactDirectory`, at the package root and in the
  /// targets. Other configurations are for the build plugin.
  ///
  /// - Parameter root: The folder of the package or of the Xcode project.
  func runs(for targets: [Target], in root: URL) throws -> [[String]] {
    let all = targets.sorted { $0.name < $1.name }
    if rest.contains("--config") || rest.contains("--schema") {
      guard self.targets.isEmpty else {
        throw Mistake(description: "\"--target\" finds the configuration; do not name one too.")
      }
      return [["compile"] + rest]
    }
    let files =
      self.targets.isEmpty ? everyConfiguration(of: all, in: root) : try named(all, in: root)
    if files.isEmpty {
      throw Mistake(
        description: "Neither the package nor a target has a relay.config.json with an "
          + "\"artifactDirectory\".")
    }
    var seen: Set<String> = []
    return files.map(\.standardizedFileURL.path).filter { seen.insert($0).inserted }
      .map { ["compile", "--config", $0] + rest }
  }

  private func everyConfiguration(of all: [Target], in root: URL) -> [URL] {
    let found = [Self.configuration(in: [root])] + all.map { Self.configuration(in: $0.folders) }
    return found.compactMap(\.self).filter(Self.hasArtifactDirectory)
  }

  private func named(_ all: [Target], in root: URL) throws -> [URL] {
    try targets.map { name in
      guard let target = all.first(where: { $0.name == name }) else {
        let names = all.map { "\"\($0.name)\"" }.joined(separator: ", ")
        throw Mistake(description: "Unknown target \"\(name)\". The targets are \(names).")
      }
      guard let file = Self.configuration(in: target.folders + [root]) else {
        throw Mistake(
          description:
            "Target \"\(name)\" has no relay.config.json in its folder or in \"\(root.path)\"."
        )
      }
      return file
    }
  }

  private static func configuration(in folders: [URL]) -> URL? {
    folders.map { $0.appendingPathComponent("relay.config.json") }
      .first { FileManager.default.fileExists(atPath: $0.path) }
  }

  /// Whether a configuration says where files are written. An unreadable one counts too: the
  /// compiler reports its errors.
  private static func hasArtifactDirectory(_ file: URL) -> Bool {
    struct Directory: Decodable { let artifactDirectory: String? }
    guard let data = try? Data(contentsOf: file),
      let contents = try? JSONDecoder().decode(Directory.self, from: data)
    else { return true }
    return contents.artifactDirectory != nil
  }
}
