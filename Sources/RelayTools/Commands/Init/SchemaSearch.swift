import Foundation
import GraphQLLanguage
import RelayCompiler

/// The search for a project's schema file.
enum SchemaSearch {
  /// Returns the path of the only file that is a schema.
  ///
  /// A schema is SDL or introspection JSON without syntax errors that has a query type. Other files
  /// with type definitions may belong to one.
  ///
  /// - Throws: ``ConfigurationError`` when none or several files are schemas, or when another file
  ///   may be the schema and has a syntax error.
  static func path(in folder: ProjectFolder) throws(ConfigurationError) -> String {
    let found = Found(in: folder)
    if found.broken.isEmpty, found.schemas.count == 1 { return found.schemas[0] }
    if !found.schemas.isEmpty {
      let paths = (found.schemas + found.broken.map(\.path)).sorted(byText: \.self)
      throw ConfigurationError(
        found.errors + "There are \(paths.count) schemas. Name one with --schema:"
          + found.list(paths)
      )
    }
    if found.broken.count == 1, found.parts.isEmpty {
      throw ConfigurationError(
        found.errors
          + "The only file that may be the schema, \"\(found.broken[0].path)\", has this syntax error."
      )
    }
    let others = (found.parts + found.broken.map(\.path)).sorted(byText: \.self)
    guard others.isEmpty else {
      throw ConfigurationError(
        found.errors
          + "No file is a schema with a query type. A schema is one file. These have type definitions:"
          + found.list(others))
    }
    throw ConfigurationError(
      "No schema found here: a .graphql, .graphqls, .gql or .json file with type definitions. Name "
        + "one, or the URL of a server, with --schema.")
  }

  /// Checks that a file named by the user is a schema.
  ///
  /// A file without the query type is rejected: the configuration names a single file, so the
  /// compiler would not find the query type in another.
  ///
  /// - Parameter path: The path of the file in errors.
  /// - Throws: ``ConfigurationError`` that describes the contents of a file that is not a schema.
  static func check(
    _ bytes: ContiguousArray<UInt8>, path: String
  ) throws(ConfigurationError) {
    let contents =
      switch SchemaContents(bytes, path: path) {
      case .schema: ""
      case .types:
        "has type definitions, but no query type. A schema is one file: define \"type Query\" there, or name the type "
          + "with \"schema { query: … }\"."
      case .documents: "has operations or fragments, but no type definitions."
      case .broken(let error, _):
        throw ConfigurationError("\(error)\"\(path)\" cannot be read as a schema.")
      case .other: "has no type definitions."
      }
    if !contents.isEmpty { throw ConfigurationError("\"\(path)\" is not a schema: it \(contents)") }
  }

  /// Whether a folder has a possible schema file.
  static func hasSchema(in folder: ProjectFolder) -> Bool {
    let found = Found(in: folder)
    return !found.schemas.isEmpty || !found.broken.isEmpty || !found.parts.isEmpty
  }

  /// The possible schema files of a folder.
  private struct Found {
    var schemas: [String] = []
    /// Files with type definitions, but without a query type.
    var parts: [String] = []
    /// Files with type definitions and a syntax error. The error ends with a line feed.
    var broken: [(path: String, error: String)] = []

    init(in folder: ProjectFolder) {
      for path in folder.files where !path.hasSuffix(".swift") {
        let bytes = folder.bytes(of: path)
        if path.hasSuffix(".json"), !SchemaContents.mayBeIntrospection(bytes) { continue }
        switch SchemaContents(bytes, path: path) {
        case .schema: schemas.append(path)
        case .types: parts.append(path)
        case .broken(let error, isSchema: true): broken.append((path, error))
        case .broken, .documents, .other: continue
        }
      }
    }

    /// The syntax errors.
    var errors: String { broken.map(\.error).joined() }

    /// One line for each path, with a remark about a syntax error.
    func list(_ paths: [String]) -> String {
      let damaged = Set(broken.map(\.path))
      return paths.map { "\n  \($0)" + (damaged.contains($0) ? " (has a syntax error)" : "") }
        .joined()
    }
  }
}
