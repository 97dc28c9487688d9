import Foundation
import GraphQLLanguage

/// The search for the file of a project's schema.
enum SchemaSearch {
  /// Returns the path of the only file that is a schema.
  ///
  /// A schema is SDL or introspection JSON without syntax errors that has a query type. Other files
  /// with type definitions may be parts of one.
  ///
  /// - Throws: ``ConfigurationError`` when there is no schema, or more than one.
  static func path(in folder: ProjectFolder) throws(ConfigurationError) -> String {
    let found = Found(in: folder)
    if found.schemas.count == 1 { return found.schemas[0] }
    if found.schemas.count > 1 {
      throw ConfigurationError(
        "There are \(found.schemas.count) schemas. Name one with --schema:" + list(found.schemas))
    }
    if found.broken.count == 1, found.parts.isEmpty {
      throw ConfigurationError(
        "\(found.broken[0].error)The only file that may be the schema, \"\(found.broken[0].path)\", has this syntax error."
      )
    }
    let others = (found.parts + found.broken.map(\.path)).sorted(byText: \.self)
    guard others.isEmpty else {
      throw ConfigurationError(
        "No file is a schema with a query type. These have type definitions; name one with --schema:"
          + list(others))
    }
    throw ConfigurationError(
      "There is no schema here, which is a .graphql, .graphqls, .gql or .json file with type definitions. Name one, or "
        + "the URL of a server, with --schema.")
  }

  /// Whether a folder has a file that may be a schema.
  static func hasSchema(in folder: ProjectFolder) -> Bool {
    let found = Found(in: folder)
    return !found.schemas.isEmpty || !found.broken.isEmpty || !found.parts.isEmpty
  }

  /// The files of a folder that may be schemas.
  private struct Found {
    var schemas: [String] = []
    /// Files with type definitions, but without a query type.
    var parts: [String] = []
    /// Files with type definitions and a syntax error, the text of which ends with a line feed.
    var broken: [(path: String, error: String)] = []

    init(in folder: ProjectFolder) {
      for path in folder.files where !path.hasSuffix(".swift") {
        switch contents(folder.bytes(of: path), path: path) {
        case .schema: schemas.append(path)
        case .types: parts.append(path)
        case .broken(let error): broken.append((path, error))
        case .other: continue
        }
      }
    }
  }

  private static func list(_ paths: [String]) -> String {
    paths.map { "\n  \($0)" }.joined()
  }

  /// The contents of a file.
  private enum Contents {
    case schema, types, other
    case broken(error: String)
  }

  /// The words with which type definitions begin.
  private static let words = [
    "type ", "schema", "interface ", "union ", "enum ", "input ", "scalar ", "extend ",
  ]

  private static func contents(_ bytes: ContiguousArray<UInt8>, path: String) -> Contents {
    let isJSON = path.hasSuffix(".json")
    if isJSON {
      // Most JSON files are something else, and some are large.
      let isIntrospection = bytes.withUnsafeBufferPointer {
        $0.firstRange(ofWord: "\"__schema\"") != nil
      }
      guard isIntrospection else { return .other }
    }
    let workspace = Workspace()
    let parsed = workspace.parseSchema(Source(path: path, bytes: bytes))
    let hasTypes = parsed.document.definitions.contains { definition in
      if case .type(let type) = definition { !type.isExtension } else { false }
    }
    if let error = parsed.diagnostics.first(where: { $0.severity == .error }) {
      // A mistake in the first definition may leave no definition.
      let isSchema =
        hasTypes
        || bytes.split(separator: 0x0A).contains { line in
          words.contains { line.starts(with: $0.utf8) }
        }
      return isSchema ? .broken(error: DiagnosticRenderer(workspace).text(error)) : .other
    }
    guard hasTypes, parsed.diagnostics.isEmpty else { return hasTypes ? .types : .other }
    let schema = Schema.build(from: [parsed.document], in: workspace)
    return schema.queryType == nil ? .types : .schema
  }
}
