import RelayCompiler

extension Command {
  /// The `init` command: sets up a project in the current folder.
  static let initialize = Command(
    name: "init",
    syntax:
      "[--schema FILE|URL] [--header \"NAME: VALUE\"]… [--src DIRECTORY] | --editor vscode|neovim|emacs|helix|zed",
    summary: """
      Sets up a project in the current folder: finds its schema and its sources, or downloads the \
      schema from the URL of a server, writes relay.config.json, and prints the remaining steps. It \
      changes no other file. With --editor, writes the settings of an editor instead.
      """,
    explanations: [
      "--schema":
        "The schema file, or the URL of a server to download it from. Without it, searches for a file.",
      "--header": headerExplanation,
      "--src": "The folder of the sources. Without it, searches for them.",
      "--editor": "The editor to set up.",
    ]
  ) { arguments in
    if let name = arguments["--editor"], let editor = Editor.named(name) {
      if arguments.has("--schema") || arguments.has("--src") || arguments.has("--header") {
        throw Arguments.Mistake("Name an editor, or a schema and sources, not both.")
      }
      return try EditorSetup(editor: editor, folder: Project.url(".").path).run()
    }
    let headers = try arguments.headers()
    if !headers.isEmpty, arguments["--schema"].map(InitJob.isURL) != true {
      throw Arguments.Mistake("\"--header\" is for a server: name its URL with \"--schema URL\".")
    }
    return try InitJob(
      schema: arguments["--schema"], headers: headers, src: arguments["--src"], in: Project.url(".")
    ).run()
  }
}
