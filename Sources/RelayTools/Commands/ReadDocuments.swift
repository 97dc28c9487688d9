import GraphQLLanguage
import RelayCompiler

/// Parses the documents of `.graphql` files, of the tags in `.swift` files, and of folders of both.
///
/// - Parameter schemas: The paths of the schema's files, which are skipped.
/// - Throws: ``FileError`` when a file cannot be read.
func readDocuments(
  _ paths: [String], schemas: [String], in workspace: Workspace
) throws(FileError) -> (documents: [Document], diagnostics: [Diagnostic]) {
  let (files, warnings) = try documentFiles(paths, schemas: schemas)
  var result = (documents: [Document](), diagnostics: warnings)
  for path in files {
    let source = CompilationInput.SourceFile(path: path, bytes: try readFile(path), output: "")
    let file = ParsedFile(source, in: workspace)
    result.documents += file.documents
    result.diagnostics += file.diagnostics
  }
  return result
}
