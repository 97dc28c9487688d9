import GraphQLLanguage
import RelayCompiler

/// Parsed documents and the diagnostics found while parsing.
struct ReadDocuments {
  var documents: [Document] = []
  var diagnostics: [Diagnostic] = []

  mutating func append(_ parsed: Parsed) {
    documents.append(parsed.document)
    diagnostics += parsed.diagnostics
  }
}

/// Parses the documents of `.graphql` files, of the tags in `.swift` files, and of folders of both.
///
/// - Parameter schemas: The paths of the schema's files, which are skipped.
/// - Throws: ``FileError`` when a file cannot be read.
func readDocuments(
  _ paths: [String], schemas: [String], in workspace: Workspace
) throws(FileError) -> ReadDocuments {
  var result = ReadDocuments()
  let (files, warnings) = try documentFiles(paths, schemas: schemas)
  result.diagnostics = warnings
  for path in files {
    let bytes = try readFile(path)
    if path.hasSuffix(".swift") {
      readTags(of: bytes, at: path, in: workspace, into: &result)
    } else {
      result.append(workspace.parse(Source(path: path, bytes: bytes)))
    }
  }
  return result
}

private func readTags(
  of bytes: ContiguousArray<UInt8>, at path: String, in workspace: Workspace,
  into result: inout ReadDocuments
) {
  let scan = TagScanner.scan(bytes)
  for tag in scan.tags {
    let origin = Source.Origin(bytes: bytes, map: tag.offsets)
    result.append(workspace.parse(Source(path: path, bytes: tag.document, origin: origin)))
  }
  guard !scan.errors.isEmpty else { return }
  let file = workspace.add(Source(path: path, bytes: bytes))
  result.diagnostics += scan.errors.map { $0.diagnostic(in: file) }
}
