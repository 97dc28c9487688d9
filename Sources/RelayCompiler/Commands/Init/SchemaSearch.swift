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
    var schemas: [String] = []
    var others: [String] = []
    for path in folder.files where !path.hasSuffix(".swift") {
      switch contents(folder.bytes(of: path), path: path) {
      case .schema: schemas.append(path)
      case .types: others.append(path)
      case .other: continue
      }
    }
    if schemas.count == 1 { return schemas[0] }
    if schemas.count > 1 {
      throw ConfigurationError(
        "There are \(schemas.count) schemas. Name one with --schema:" + list(schemas))
    }
    guard others.isEmpty else {
      throw ConfigurationError(
        "No file is a schema with a query type. These have type definitions; name one with --schema:"
          + list(others))
    }
    throw ConfigurationError(
      "There is no schema here, which is a .graphql, .graphqls or .json file with type definitions. Name one, or the "
        + "URL of a server, with --schema.")
  }

  private static func list(_ paths: [String]) -> String {
    paths.map { "\n  \($0)" }.joined()
  }

  /// The contents of a file.
  private enum Contents { case schema, types, other }

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
    guard hasTypes, parsed.diagnostics.isEmpty else { return hasTypes ? .types : .other }
    let schema = Schema.build(from: [parsed.document], in: workspace)
    return schema.queryType == nil ? .types : .schema
  }
}
