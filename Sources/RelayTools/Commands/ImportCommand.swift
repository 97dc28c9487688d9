import Foundation
import GraphQLLanguage
import RelayCompiler

extension Command {
  /// The `import` command: translates another client's project.
  static let `import` = Command(
    name: "import", action: "apollo", syntax: "[CONFIGURATION] [--output DIRECTORY]",
    summary: """
      Translates an Apollo iOS project from its codegen configuration, schema and documents: \
      writes relay.config.json, schema, documents and a report, Migration.md, to a new folder. No \
      file is changed or overwritten.
      """,
    explanations: [
      "CONFIGURATION":
        "Apollo's configuration, or its folder. Without it: apollo-codegen-config.json.",
      "--output": "The new folder. The default is relay, next to the configuration.",
    ]
  ) { arguments in
    guard arguments.operands.count < 2 else {
      throw Arguments.Mistake("Name one configuration.")
    }
    let path = arguments.operands.first ?? ApolloProject.configurationName
    return try withProgress("Importing") { () throws(any Error) in
      try importApollo(path, output: arguments["--output"])
    }
  }

  private static func importApollo(_ path: String, output: String?) throws -> CommandResult {
    let output = output.map(Project.url) ?? defaultOutput(nextTo: path)
    let project = try ApolloProject(path, output: output.path)
    guard !project.diagnostics.hasErrors else {
      let text = DiagnosticRenderer(project.workspace).text(project.diagnostics)
      return CommandResult(
        .errors, errors: text + "The schema has errors, so no files were written.\n")
    }
    let imported = ImportedProject(project)
    var files = imported.files
    let folder = output.resolvingSymlinksInPath().path
    let report = imported.report(on: files.map(\.path), in: folder)
    files.append((MigrationReport.fileName, report.markdown))
    try write(files, to: output)
    let shown = Project.shownPath(output)
    let hasErrors = imported.compilation.diagnostics.hasErrors
    return CommandResult(
      hasErrors ? .errors : .success,
      output: "\(files.count.counted("file")) written to \(shown): "
        + "\(report.count(of: .mapped).counted("item")) carried over, \(report.count(of: .changed)) changed, "
        + "\(report.count(of: .manual)) to do by hand. See \(shown)/\(MigrationReport.fileName).\n",
      errors: hasErrors
        ? "error: The imported documents have errors; the report has them too. Paths are in \(shown).\n"
          + report.diagnostics : "")
  }

  /// The folder `relay` next to the configuration.
  private static func defaultOutput(nextTo path: String) -> URL {
    let url = Project.url(path)
    return (isFolder(url.path) ? url : url.deletingLastPathComponent())
      .appendingPathComponent("relay")
  }

  /// Writes new files; writes none if any of them exists.
  private static func write(_ files: [(path: String, text: String)], to output: URL) throws {
    for file in files { try checkIsFree(file.path, in: output) }
    for file in files {
      let target = output.appendingPathComponent(file.path)
      try createFolder(target.deletingLastPathComponent().path)
      try createFile(target.path, Array(file.text.utf8))
    }
  }

  /// Throws a ``ConfigurationError`` when a file exists, or when writing it would follow a symbolic
  /// link to another folder.
  private static func checkIsFree(_ path: String, in output: URL) throws(ConfigurationError) {
    let parts = path.split(separator: "/")
    for count in 1...parts.count {
      let item = output.appendingPathComponent(parts.prefix(count).joined(separator: "/"))
      guard itemExists(item.path), count == parts.count || !isRealFolder(item.path) else {
        continue
      }
      let message =
        count < parts.count
        ? "This is not a folder, but files would be written to it."
        : "This file exists and would be overwritten."
      throw ConfigurationError(
        "\(Project.shownPath(item)): error: \(message) No files were written; remove it, or choose "
          + "another folder with --output.")
    }
  }
}
