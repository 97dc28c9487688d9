import RelayCompiler

extension Command {
  /// The `init` command: sets up a project in the current folder.
  static let initialize = Command(
    name: "init", syntax: "[--schema FILE|URL] [--src DIRECTORY] | --editor NAME",
    summary: """
      Sets up a project in the current folder: finds its schema and its sources, or downloads the \
      schema from the URL of a server, writes relay.config.json, and prints the remaining steps. It \
      changes no other file. With --editor, writes the settings of an editor instead: vscode, \
      neovim, emacs, helix or zed.
      """
  ) { arguments in
    if let name = arguments["--editor"] {
      if arguments.has("--schema") || arguments.has("--src") {
        throw Arguments.Mistake("Name an editor, or a schema and sources, not both.")
      }
      return try EditorSetup(editor: .named(name), folder: Project.url(".").path).run()
    }
    let (schema, src) = (arguments["--schema"], arguments["--src"])
    return try InitJob(schema: schema, src: src, in: Project.url(".")).run()
  }
}
