import GraphQLLanguage
import RelayCompiler

/// An operation whose text is checked against the new schema.
struct CheckedOperation {
  let name: String
  let id: String
  let document: Document
  /// The version of the app that sends the operation; `nil` for the project's documents.
  let version: String?
  /// The location in the manifest.
  let location: SourceLocation?

  /// The name in reports for the version of the project's documents.
  static let currentVersion = "current"

  /// The fragments whose fields the operation selects, and the operation itself.
  var definitionNames: Set<Symbol> {
    Set(document.definitions.compactMap { $0.executableName?.symbol })
  }
}

/// A parser of operations. It parses a text once, because versions of an app share most operations.
struct OperationParser {
  private let workspace: Workspace
  private var documents: [String: (name: String, document: Document)] = [:]

  init(_ workspace: Workspace) { self.workspace = workspace }

  /// Returns the operations of a manifest.
  ///
  /// - Throws: ``ConfigurationError`` with the location of the first text that is not one named
  ///   operation.
  mutating func operations(
    in manifest: OperationManifest
  ) throws(ConfigurationError) -> [CheckedOperation] {
    var operations: [CheckedOperation] = []
    for entry in manifest.entries {
      switch parse(entry.text) {
      case .success(let (name, document)):
        operations.append(
          CheckedOperation(
            name: name, id: entry.id, document: document, version: manifest.version,
            location: entry.location))
      case .failure(let problem):
        throw ConfigurationError(
          "The text of \"\(entry.id)\" is not an operation: \(problem.message)",
          at: entry.location)
      }
    }
    return operations
  }

  /// Returns the operations that the project's documents send.
  mutating func operations(of compilation: Compilation) -> [CheckedOperation] {
    compilation.manifest.compactMap { operation in
      guard case .success(let (name, document)) = parse(operation.text) else { return nil }
      return CheckedOperation(
        name: name, id: operation.id, document: document, version: nil, location: nil)
    }
  }

  private struct Problem: Error {
    let message: String
  }

  private mutating func parse(
    _ text: String
  ) -> Result<(name: String, document: Document), Problem> {
    if let known = documents[text] { return .success(known) }
    let parsed = workspace.parse(Source(path: "<operation>", text))
    if let error = parsed.diagnostics.first(where: { $0.severity == .error }) {
      return .failure(Problem(message: error.message))
    }
    let definitions = parsed.document.definitions
    guard definitions.allSatisfy(\.isExecutable) else {
      return .failure(Problem(message: "It defines types."))
    }
    let operations = definitions.compactMap { definition in
      if case .operation(let operation) = definition { operation } else { nil }
    }
    guard operations.count == 1, let name = operations[0].name else {
      let found = operations.count == 1 ? "one without a name" : "\(operations.count)"
      return .failure(Problem(message: "Expected one named operation, found \(found)."))
    }
    let result = (workspace.symbols[name.symbol], parsed.document)
    documents[text] = result
    return .success(result)
  }
}
