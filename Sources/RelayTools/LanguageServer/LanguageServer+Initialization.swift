import GraphQLLanguage
import RelayCompiler

extension LanguageServer {
  /// Handles `initialize`: returns the server's capabilities.
  mutating func initialize(_ params: JSON?) -> JSON {
    client = ClientSupport(params["capabilities"])
    let listed = params["workspaceFolders"]?.items.compactMap { $0["uri"]?.text } ?? []
    if !listed.isEmpty {
      editorFolders = listed.compactMap(FileURI.path)
    } else if let root = params["rootUri"]?.text {
      editorFolders = [FileURI.path(of: root)].compactMap(\.self)
    } else if let path = params["rootPath"]?.text {
      editorFolders = [path]
    }
    editorFolders = editorFolders.map(Self.withoutSlash)
    mustFindProjects = true
    return [
      "capabilities": capabilities,
      "serverInfo": ["name": "relay-compiler", "version": .string(CompilerVersion.release)],
    ]
  }

  private static func withoutSlash(_ path: String) -> String {
    path.count > 1 && path.hasSuffix("/") ? String(path.dropLast()) : path
  }

  private var capabilities: JSON {
    [
      "positionEncoding": .string(client.encoding.rawValue),
      "textDocumentSync": ["openClose": true, "change": 2, "save": ["includeText": false]],
      "completionProvider": ["triggerCharacters": ["$", "@", ".", "(", ":", "{"]],
      "signatureHelpProvider": [
        "triggerCharacters": ["(", ","], "retriggerCharacters": [":", " "],
      ],
      "hoverProvider": true,
      "documentHighlightProvider": true,
      "selectionRangeProvider": true,
      "semanticTokensProvider": Self.semanticTokensProvider,
      "definitionProvider": true,
      "referencesProvider": true,
      "renameProvider": client.preparesRenames ? ["prepareProvider": true] : true,
      "codeActionProvider": client.hasCodeActionValues
        ? ["codeActionKinds": ["quickfix", "refactor.extract", "refactor.rewrite"]] : false,
      "foldingRangeProvider": true,
      "inlayHintProvider": true,
      "documentSymbolProvider": true,
      "workspaceSymbolProvider": true,
      "documentFormattingProvider": true,
      "executeCommandProvider": ["commands": [.string(Self.printOperation)]],
      "workspace": ["workspaceFolders": ["supported": true, "changeNotifications": true]],
    ]
  }

  /// Asks the editor to report file changes.
  mutating func initialized() {
    isInitialized = true
    mustPublish = true
    guard client.watchesFiles else { return }
    let patterns = ["**/*.swift", "**/*.{graphql,gql,graphqls,json}"]
    var watchers: [JSON] = patterns.map { ["globPattern": .string($0)] }
    // A pattern without a folder applies to the editor's own folders.
    if client.watchesOtherFolders {
      for folder in folders where !editorFolders.contains(folder) {
        let base: JSON = .string(FileURI.uri(of: folder))
        watchers += patterns.map { ["globPattern": ["baseUri": base, "pattern": .string($0)]] }
      }
    }
    outgoing.append([
      "jsonrpc": "2.0", "id": "relay-watch", "method": "client/registerCapability",
      "params": [
        "registrations": [
          [
            "id": "relay-watch", "method": "workspace/didChangeWatchedFiles",
            "registerOptions": ["watchers": .list(watchers)],
          ]
        ]
      ],
    ])
  }

  /// Adds and removes editor folders.
  mutating func didChangeFolders(_ params: JSON?) {
    func paths(_ name: String) -> [String] {
      let folders = params["event"][name]?.items ?? []
      return folders.compactMap { $0["uri"]?.text }.compactMap(FileURI.path)
        .map(Self.withoutSlash)
    }
    let removed = paths("removed")
    let before = folders
    editorFolders.removeAll { removed.contains($0) }
    editorFolders += paths("added").filter { !editorFolders.contains($0) }
    let folders = folders
    projects.removeAll { project in
      before.contains { project.path.hasPrefix($0 + "/") }
        && !folders.contains { project.path.hasPrefix($0 + "/") }
    }
    mustFindProjects = true
  }
}
