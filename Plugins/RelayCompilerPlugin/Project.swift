import Foundation

/// The configuration or schema used to compile a target.
struct Project {
  /// The compiler's option for `file`: `--config` or `--schema`.
  let option: String
  let file: URL
  /// The files that the compiler reads in addition to the sources.
  let inputs: [URL]

  /// Finds the first configuration in the folders, or the first schema when there is none.
  init?(lookingIn folders: [URL]) {
    func first(_ name: String) -> URL? {
      folders.map { $0.appendingPathComponent(name) }
        .first { FileManager.default.fileExists(atPath: $0.path) }
    }
    if let config = first("relay.config.json") {
      self.init(option: "--config", file: config, inputs: [config] + Self.schemas(named: config))
    } else if let schema = first("schema.graphql") {
      self.init(option: "--schema", file: schema, inputs: [schema])
    } else {
      return nil
    }
  }

  private init(option: String, file: URL, inputs: [URL]) {
    self.option = option
    self.file = file
    self.inputs = inputs
  }

  /// The schema files that a configuration names; none if it cannot be read. The compiler itself
  /// reports a configuration's errors.
  private static func schemas(named config: URL) -> [URL] {
    struct Paths: Decodable {
      let schema: String?
      let schemaExtensions: [String]?
    }
    guard let data = try? Data(contentsOf: config),
      let paths = try? JSONDecoder().decode(Paths.self, from: data)
    else { return [] }
    let directory = config.deletingLastPathComponent()
    return ((paths.schema.map { [$0] } ?? []) + (paths.schemaExtensions ?? [])).map {
      URL(fileURLWithPath: $0, relativeTo: directory).standardizedFileURL
    }
  }
}
