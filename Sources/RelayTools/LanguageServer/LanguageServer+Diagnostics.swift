import GraphQLLanguage

extension LanguageServer {
  /// Returns the diagnostics of files whose published diagnostics differ or belong to an older
  /// version.
  mutating func publish() -> [JSON] {
    updateProjects()
    mustPublish = false
    var current: [String: [JSON]] = [:]
    for (path, document) in files.documents
    where projects.contains(where: { $0.paths[path] != nil }) {
      current[document.uri] = []
    }
    for index in projects.indices {
      for (path, diagnostics) in projects[index].diagnostics(for: client, files) {
        let uri = files[files.canonical(path)]?.uri ?? FileURI.uri(of: path)
        let others = current[uri] ?? []
        current[uri] = others + diagnostics.filter { !others.contains($0) }
      }
    }
    if client.hasDeprecatedTag { addDeprecations(to: &current) }
    for uri in published.keys where current[uri] == nil { current[uri] = [] }
    var messages = outgoing
    outgoing = []
    for (uri, diagnostics) in current.sorted(by: { $0.key < $1.key }) {
      let version = FileURI.path(of: uri).flatMap { files[files.canonical($0)]?.version }
      let publication = Publication(version: version, diagnostics: diagnostics)
      let isEmpty = diagnostics.isEmpty && version == nil
      if published[uri] == publication || isEmpty && published[uri] == nil { continue }
      let isSame = published[uri]?.diagnostics == diagnostics
      published[uri] = isEmpty ? nil : publication
      // A publication that only drops the version need not be sent.
      if version == nil, isSame { continue }
      messages.append(Self.message(uri, publication))
    }
    return messages
  }

  /// Adds hints about deprecated elements used in the open files.
  private func addDeprecations(to current: inout [String: [JSON]]) {
    for (path, document) in files.documents {
      for project in projects where project.isSource(path) && project.failure == nil {
        guard let session = project.session, let name = project.paths[path] else { continue }
        var places = EditorPlaces([project], in: files, encoding: client.encoding)
        for (range, message) in session.deprecations(in: name) {
          let hint: JSON = [
            "range": places.range(range), "severity": 4, "code": "deprecated",
            "source": "relay-compiler", "message": .string(message), "tags": [2],
          ]
          let others = current[document.uri] ?? []
          if !others.contains(hint) { current[document.uri] = others + [hint] }
        }
      }
    }
  }

  private static func message(_ uri: String, _ publication: Publication) -> JSON {
    var params: JSON = ["uri": .string(uri)]
    if let version = publication.version { params = params.adding("version", .int(version)) }
    return .notification(
      "textDocument/publishDiagnostics",
      params.adding("diagnostics", .list(publication.diagnostics)))
  }
}
