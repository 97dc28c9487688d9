import GraphQLLanguage
import RelayCompiler

/// An editor that `init --editor` sets up.
struct Editor: Sendable {
  /// A file that the editor reads in a project's folder.
  struct File: Sendable {
    /// The path relative to the project's folder.
    let path: String
    let bytes: [UInt8]
    /// Whether a user may have added other settings to the file.
    let isShared: Bool

    /// A file of settings.
    static func shared(_ path: String, _ bytes: [UInt8]) -> Self {
      Self(path: path, bytes: bytes, isShared: true)
    }

    /// A file that belongs to RelayStore alone.
    static func own(_ path: String, _ bytes: [UInt8]) -> Self {
      Self(path: path, bytes: bytes, isShared: false)
    }
  }

  /// The name on the command line.
  let name: String
  let files: [File]
  /// The step that is left to the user.
  let step: String

  /// Returns the editor with a name.
  static func named(_ name: String) -> Editor? { all.first { $0.name == name } }

  /// All editors, in the order of the guide; `init` lists the same names.
  static let all = [vscode, neovim, emacs, helix, zed]

  private static let extensionFolder = ".vscode/extensions/relaystore"

  private static let vscode = Editor(
    name: "vscode",
    files: [
      .shared(".vscode/settings.json", PackageResources.vscode_settings_json),
      .shared(".vscode/tasks.json", PackageResources.vscode_tasks_json),
      .own("\(extensionFolder)/package.json", PackageResources.vscode_package_json),
      .own("\(extensionFolder)/extension.js", PackageResources.vscode_extension_js),
      .own("\(extensionFolder)/connection.js", PackageResources.vscode_connection_js),
      .own("\(extensionFolder)/features.js", PackageResources.vscode_features_js),
      .own(
        "\(extensionFolder)/language-configuration.json", PackageResources.vscode_language_json),
      .own(
        "\(extensionFolder)/syntaxes/graphql.tmLanguage.json",
        PackageResources.vscode_graphql_json),
      .own("\(extensionFolder)/syntaxes/tags.tmLanguage.json", PackageResources.vscode_tags_json),
    ],
    step: """
      Open this folder in VS Code, and choose Install Workspace Extension for RelayStore, under \
      Recommended in the Extensions view.
      """)

  private static let neovim = Editor(
    name: "neovim",
    files: [
      .shared(".nvim.lua", PackageResources.neovim_nvim_lua),
      .own(".nvim/plugin/relay.lua", PackageResources.neovim_relay_lua),
      .own(".nvim/queries/swift/injections.scm", PackageResources.neovim_injections_scm),
    ],
    step: """
      Add vim.o.exrc = true to your init.lua, start Neovim in this folder, and allow .nvim.lua.
      """)

  private static let emacs = Editor(
    name: "emacs",
    files: [
      .shared(".dir-locals.el", PackageResources.emacs_dir_locals_el),
      .own(".emacs/relay-store.el", PackageResources.emacs_relay_store_el),
    ],
    step: "Open a Swift file of this folder in Emacs, and type ! to accept .dir-locals.el.")

  private static let helix = Editor(
    name: "helix",
    files: [.shared(".helix/languages.toml", PackageResources.helix_languages_toml)],
    step: "Start Helix in this folder.")

  private static let zed = Editor(
    name: "zed",
    files: [
      .shared(".zed/settings.json", PackageResources.zed_settings_json),
      .shared(".zed/tasks.json", PackageResources.zed_tasks_json),
    ],
    step: """
      Run the task "relay-compiler watch" in Zed. Zed starts no language server for tags; its \
      assistant uses relay-compiler mcp.
      """)
}
