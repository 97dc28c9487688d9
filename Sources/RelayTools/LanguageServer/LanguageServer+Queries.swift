import GraphQLLanguage

extension LanguageServer {
  /// Handles a request about documents.
  mutating func respondToQuery(_ method: String, _ params: JSON?) throws(ResponseError) -> JSON {
    switch method {
    case "textDocument/hover": try hover(params)
    case "textDocument/definition": try definition(params)
    case "textDocument/references": try references(params)
    case "textDocument/completion": try completion(params)
    case "textDocument/signatureHelp": try signatureHelp(params)
    case "textDocument/documentHighlight": try highlights(params)
    case "textDocument/selectionRange": try selectionRanges(params)
    case "textDocument/semanticTokens/full": semanticTokens(params)
    case "textDocument/semanticTokens/full/delta": semanticTokensDelta(params)
    case "textDocument/semanticTokens/range": try semanticTokensInRange(params)
    case "textDocument/foldingRange": foldingRanges(params)
    case "textDocument/inlayHint": try inlayHints(params)
    case "textDocument/documentSymbol": symbols(params)
    case "textDocument/prepareRename": try prepareRename(params)
    case "textDocument/rename": try rename(params)
    case "textDocument/codeAction": try codeActions(params)
    case "textDocument/formatting": formatting(params)
    case "workspace/symbol": workspaceSymbols(params)
    case "workspace/executeCommand": try executeCommand(params)
    case "relay/operationText": try operationText(params)
    default: throw ResponseError(.methodNotFound, "The method \"\(method)\" is unknown.")
    }
  }

  /// A session that contains a file, and the file's path in it.
  struct Target {
    let session: Session
    let path: String
    var places: EditorPlaces
    let generated: GeneratedFiles

    /// Returns the position in the file.
    mutating func position(_ position: LinePosition) -> FilePosition {
      FilePosition(path: path, offset: places.offset(of: position, in: path))
    }

    /// Returns the range in the file.
    mutating func range(_ json: JSON?) throws(ResponseError) -> FileRange {
      guard let start = LinePosition(json["start"]), let end = LinePosition(json["end"]) else {
        throw ResponseError(.invalidParams, "A range is missing.")
      }
      let lower = places.offset(of: start, in: path)
      return FileRange(path: path, bytes: lower..<max(lower, places.offset(of: end, in: path)))
    }
  }

  /// Returns the sessions that contain the requested file; sessions that compile it come first.
  func targets(_ params: JSON?) -> [Target] {
    guard let canonical = canonicalPath(params) else { return [] }
    let found = projects.compactMap { project -> (isSource: Bool, target: Target)? in
      guard let path = project.paths[canonical], let session = project.session,
        let generated = project.generated
      else { return nil }
      let places = EditorPlaces([project], in: files, encoding: client.encoding)
      return (
        project.isSource(canonical),
        Target(session: session, path: path, places: places, generated: generated)
      )
    }
    return (found.filter(\.isSource) + found.filter { !$0.isSource }).map(\.target)
  }

  /// Reads a request's position.
  static func position(_ params: JSON?) throws(ResponseError) -> LinePosition {
    guard let position = LinePosition(params["position"]) else {
      throw ResponseError(.invalidParams, "\"position\" is missing.")
    }
    return position
  }

  private func hover(_ params: JSON?) throws(ResponseError) -> JSON {
    let position = try Self.position(params)
    for var target in targets(params) {
      if let hover = target.session.hover(at: target.position(position)) {
        return [
          "contents": client.hasMarkdownHover
            ? ["kind": "markdown", "value": .string(hover.markdown)]
            : ["kind": "plaintext", "value": .string(hover.plainText)],
          "range": target.places.range(hover.range),
        ]
      }
    }
    return nil
  }

  private func references(_ params: JSON?) throws(ResponseError) -> JSON {
    let includesDefinitions = params["context"]["includeDeclaration"]?.isTrue ?? true
    return try locations(params) { target, position in
      target.session.references(at: position, includesDefinitions: includesDefinitions)
    }
  }

  /// Returns the locations found by all sessions, without duplicates.
  func locations(
    _ params: JSON?, _ find: (Target, FilePosition) -> [FileRange]
  ) throws(ResponseError) -> JSON {
    let position = try Self.position(params)
    var seen: Set<JSON> = []
    var locations: [JSON] = []
    for var target in targets(params) {
      for range in find(target, target.position(position)) {
        let location = target.places.location(range)
        if seen.insert(location).inserted { locations.append(location) }
      }
    }
    return .list(locations)
  }
}
