@testable import RelayCompiler
@testable import RelayTools

/// Creates a project with documents and a minimal Apollo iOS configuration.
func apolloProject(_ documents: String, schema: String) throws -> TemporaryProject {
  try TemporaryProject([
    "app/apollo-codegen-config.json": """
    {"schemaNamespace": "API", "input": {"schemaSearchPaths": ["s.graphqls"], "operationSearchPaths": ["*.graphql"]}}
    """,
    "app/s.graphqls": schema, "app/a.graphql": documents,
  ])
}

/// Runs the import for the configuration in a project's folder `app`.
func runImport(_ project: TemporaryProject, _ arguments: String...) -> CommandResult {
  let path = project.folder.appendingPathComponent("app/apollo-codegen-config.json").path
  return runRelayCompiler(["import", "apollo", path] + arguments)
}

/// Returns the contents of an imported file.
func importedFile(_ name: String, _ project: TemporaryProject) -> String {
  project.read("app/relay/" + name) ?? "no file \(name)"
}
