import GraphQLLanguage
import RelayCompiler

/// The contents of a possible schema file.
enum SchemaContents {
  /// SDL or introspection JSON with a query type.
  case schema
  /// Type definitions without a query type.
  case types
  /// Operations or fragments, and no type definitions.
  case documents
  /// A file with a syntax error.
  ///
  /// - Parameters:
  ///   - error: The error with its location and an excerpt. It ends with a line feed.
  ///   - isSchema: Whether the file has type definitions, is introspection JSON, or is called a
  ///     schema.
  case broken(error: String, isSchema: Bool)
  /// Something else.
  case other

  /// The words that start a type definition.
  private static let words = [
    "type ", "schema", "interface ", "union ", "enum ", "input ", "scalar ",
  ]

  /// Parses the bytes of a file.
  ///
  /// - Parameter path: The path of the file in errors.
  init(_ bytes: ContiguousArray<UInt8>, path: String) {
    let workspace = Workspace()
    let parsed = workspace.parseSchema(Source(path: path, bytes: bytes))
    let definitions = parsed.document.definitions
    let hasTypes = definitions.contains { definition in
      if case .type(let type) = definition { !type.isExtension } else { false }
    }
    if let error = parsed.diagnostics.first(where: { $0.severity == .error }) {
      // A mistake in the first definition may leave no definitions at all.
      let isSchema =
        hasTypes || Self.isIntrospection(bytes) || Self.hasTypeLine(bytes)
        || Self.isNamedSchema(path)
      self = .broken(error: DiagnosticRenderer(workspace).text(error), isSchema: isSchema)
    } else if hasTypes {
      let schema = Schema.build(from: [parsed.document], in: workspace)
      self = schema.queryType == nil ? .types : .schema
    } else {
      self = definitions.contains(where: \.isExecutable) ? .documents : .other
    }
  }

  /// Whether a file can be introspection JSON. Most JSON files are something else and some are
  /// large, so only files that contain the response's member name are worth parsing.
  static func mayBeIntrospection(_ bytes: ContiguousArray<UInt8>) -> Bool {
    bytes.withUnsafeBufferPointer { $0.firstRange(ofWord: "\"__schema\"") != nil }
  }

  /// Whether a file with an error is an introspection response, or an incomplete one.
  private static func isIntrospection(_ bytes: ContiguousArray<UInt8>) -> Bool {
    guard mayBeIntrospection(bytes) else { return false }
    guard let root = try? JSONReader.read(bytes) else { return true }
    return (root["data"] ?? root)["__schema"] != nil
  }

  /// Whether a file's name without its extensions ends in `schema`.
  private static func isNamedSchema(_ path: String) -> Bool {
    OutputNames.fileName(of: path).lowercased().prefix { $0 != "." }.hasSuffix("schema")
  }

  private static func hasTypeLine(_ bytes: ContiguousArray<UInt8>) -> Bool {
    bytes.split(separator: 0x0A).contains { line in
      words.contains { line.starts(with: $0.utf8) }
    }
  }
}
