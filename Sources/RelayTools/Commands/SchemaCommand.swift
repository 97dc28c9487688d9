import GraphQLLanguage
import RelayCompiler

extension Command {
  /// The `schema print` command: prints a schema as SDL, or its syntax errors.
  static let schemaPrint = Command(
    name: "schema", action: "print", syntax: "[--format text|json] FILE",
    summary: "Prints a schema file, SDL or introspection JSON, as SDL.",
    explanations: ["FILE": "A file with SDL or introspection JSON."]
  ) { arguments in
    let path = try arguments.file()
    let workspace = Workspace()
    let source = Source(path: path, bytes: try readFile(path))
    return printed(workspace.parseSchema(source), in: workspace, format: arguments.format)
  }

  /// The `schema download` command: prints or writes a server's schema.
  static let schemaDownload = Command(
    name: "schema", action: "download",
    syntax: "[--header \"NAME: VALUE\"…] [--output FILE] URL",
    summary: "Downloads a server's schema by introspection.",
    explanations: [
      "--header": headerExplanation,
      "--output": "The file to write. Without it, prints the schema.",
      "URL": "The URL of the server's GraphQL endpoint.",
    ]
  ) { arguments in
    let headers = try arguments.headers()
    guard arguments.operands.count == 1, let url = arguments.operands.first,
      url.hasPrefix("http://") || url.hasPrefix("https://")
    else { throw Arguments.Mistake("Name one URL that starts with http:// or https://.") }
    let text: String
    do throws(SchemaDownloadError) {
      text = try downloadSchema(from: url, headers: headers)
    } catch {
      return CommandResult(.errors, errors: "error: \(error.message)\n")
    }
    let output = arguments["--output"]
    if let output { try writeFile(output, Array(text.utf8)) }
    let schema = Source(path: output ?? url, bytes: ContiguousArray(text.utf8))
    let compilation = Compiler.compile(
      CompilationInput(sources: [], schema: [schema], makesFiles: false))
    var result = CommandResult.diagnostics(
      compilation.diagnostics, in: compilation.workspace, format: .text)
    if output == nil { result.output = text }
    return result
  }
}

extension Command {
  /// The explanation of `--header`.
  static let headerExplanation =
    "A header of the request for the schema, such as \"Authorization: Bearer TOKEN\". May be repeated."
}

extension Arguments {
  /// Returns the headers that `--header` names.
  ///
  /// - Throws: `Mistake` if one has no colon, a line break, or a name that HTTP forbids.
  func headers() throws(Mistake) -> [String] {
    let headers = all("--header").flatMap(\.self)
    guard headers.allSatisfy(Self.isHeader) else {
      throw Mistake("\"--header\" takes \"NAME: VALUE\".")
    }
    return headers
  }

  private static func isHeader(_ text: String) -> Bool {
    guard let colon = text.utf8.firstIndex(of: UInt8(ascii: ":")) else { return false }
    let name = text[..<colon]
    let isToken = name.allSatisfy {
      $0.isASCII && ($0.isLetter || $0.isNumber || "!#$%&'*+-.^_`|~".contains($0))
    }
    return isToken && !name.isEmpty && text.utf8.allSatisfy { $0 >= 0x20 }
  }
}
