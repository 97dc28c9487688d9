import GraphQLLanguage
import RelayCompiler

extension LanguageServer {
  /// Returns the canonical path of the requested document.
  func canonicalPath(_ params: JSON?) -> String? {
    params["textDocument"]["uri"]?.text.flatMap(FileURI.path).map(files.canonical)
  }

  mutating func didOpen(_ params: JSON?) {
    let document = params["textDocument"]
    guard let path = canonicalPath(params), let uri = document["uri"]?.text,
      let text = document["text"]?.text
    else { return }
    files[path] = TextDocument(uri: uri, version: document["version"]?.integer, text: text)
    // Publish even the first version if the editor has opened the file before.
    if let last = published[uri] {
      published[uri] = Publication(version: nil, diagnostics: last.diagnostics)
    }
    if Self.mayBeSource(path), !projects.contains(where: { $0.isSource(path) }) {
      // The file is new, or outside the folders.
      for index in projects.indices { projects[index].mustReload = true }
      if !mustFindProjects { adopt(path) }
    }
    textChanged(path)
    renderAgain()
  }

  mutating func didChange(_ params: JSON?) {
    guard let path = canonicalPath(params) else { return }
    let changes = params["contentChanges"]?.items ?? []
    let version = params["textDocument"]["version"]?.integer
    files.change(path) { $0.apply(changes, version: version, encoding: client.encoding) }
    textChanged(path)
  }

  mutating func didClose(_ params: JSON?) {
    guard let path = canonicalPath(params) else { return }
    files[path] = nil
    sentTokens[path] = nil
    mustPublish = true
    // The file's contents on disk apply again.
    for index in projects.indices where projects[index].isSource(path) || files.read.contains(path)
    {
      projects[index].mustReload = true
    }
    renderAgain()
  }

  mutating func didChangeWatchedFiles(_ params: JSON?) {
    let uris = params["changes"]?.items.compactMap { $0["uri"]?.text } ?? []
    if uris.contains(where: { $0.hasSuffix("/" + Project.configurationName) }) {
      mustFindProjects = true
    }
    filesChanged()
  }

  /// Lists and reads the files of all projects again.
  mutating func filesChanged() {
    files.invalidatePaths()
    for index in projects.indices { projects[index].mustReload = true }
    if projects.isEmpty { mustFindProjects = true }
  }

  /// Passes a file's open document on to the projects.
  private mutating func textChanged(_ path: String) {
    mustPublish = true
    guard let document = files[path] else { return }
    for index in projects.indices {
      if projects[index].isSource(path) {
        projects[index].replace(path, with: document.bytes)
      } else if files.read.contains(path) {
        // The configuration or the schema of a project.
        projects[index].mustReload = true
      }
    }
  }

  static func mayBeSource(_ path: String) -> Bool {
    path.hasSuffix(".swift") || path.hasSuffix(".graphql") || path.hasSuffix(".gql")
  }

  private mutating func renderAgain() {
    for index in projects.indices { projects[index].renderAgain() }
  }
}
