/// The options of `compile`.
package struct CompileOptions {
  package var config: String?
  package var schema: String?
  package var output: String?
  /// Whether the command only checks that the generated files are up to date, without writing any.
  package var isValidating = false
  /// Whether invalid default values and directives in the server's schema are errors.
  package var isSchemaStrict = false
  /// The files to compile, each with the name of its generated file. When empty, every file under
  /// `src` is compiled.
  var files: [(path: String, name: String)] = []
  /// The module of the generated code.
  var module: String?
  /// The files of other modules whose fragments and types the documents may use, dependencies
  /// first.
  var imports: [(module: String, path: String)] = []
  /// The schemas of other modules without a configuration, by module.
  var importedSchemas: [String: String] = [:]

  /// Creates the options of a command without arguments.
  package init() {}
}
