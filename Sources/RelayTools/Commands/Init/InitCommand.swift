import RelayCompiler

extension Command {
  /// The `init` command: sets up a project in the current folder.
  static let initialize = Command(
    name: "init", syntax: "[--schema FILE|URL] [--src DIRECTORY]",
    summary: """
      Sets up a project in the current folder: finds its schema and its sources, or downloads the \
      schema from the URL of a server, writes relay.config.json, and prints the remaining steps. It \
      changes no other file.
      """
  ) { arguments in
    try InitJob(schema: arguments["--schema"], src: arguments["--src"], in: Project.url(".")).run()
  }
}
