import PackagePlugin

@main
struct RelayCompilerCommand: CommandPlugin {
  func performCommand(context: PluginContext, arguments: [String]) throws {}
}
