import GraphQLLanguage
import RelayCompiler

/// Reads and validates a schema from SDL files, or from one file of introspection JSON.
///
/// - Throws: ``FileError`` when a file cannot be read.
func readSchema(_ paths: [String], in workspace: Workspace, mode: ValidationMode) throws(FileError)
  -> ValidatedSchema
{
  var documents: [Document] = []
  var diagnostics: [Diagnostic] = []
  for path in paths {
    let parsed = workspace.parseSchema(Source(path: path, bytes: try readFile(path)))
    documents.append(parsed.document)
    diagnostics += parsed.diagnostics
  }
  guard diagnostics.isEmpty else {
    let schema = Schema.build(from: documents, in: workspace)
    return ValidatedSchema(schema: schema, diagnostics: diagnostics.sortedByLocation())
  }
  return Schema.validated(from: documents, in: workspace, mode: mode)
}
