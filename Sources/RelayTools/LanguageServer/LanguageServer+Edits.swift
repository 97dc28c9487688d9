import GraphQLLanguage

extension LanguageServer {
  /// The command that returns an operation's document.
  static let printOperation = "relay.printOperation"

  func codeActions(_ params: JSON?) throws(ResponseError) -> JSON {
    guard client.hasCodeActionValues, var target = targets(params).first else { return [] }
    let range = try target.range(params["range"])
    let only = params["context"]["only"]?.items.compactMap(\.text)
    let actions = target.session.codeActions(in: range).compactMap { action -> JSON? in
      let kind = Self.kind(action.kind)
      if let only, !only.contains(where: { kind == $0 || kind.hasPrefix($0 + ".") }) { return nil }
      let json: JSON = [
        "title": .string(action.title), "kind": .string(kind),
        "edit": target.places.workspaceEdit(action.edits, for: client),
      ]
      guard let diagnostic = action.diagnostic else { return json }
      let corrected = json.adding(
        "diagnostics", [target.places.json(diagnostic, of: target.session, for: client)])
      return action.isPreferred ? corrected.adding("isPreferred", true) : corrected
    }
    return .list(actions)
  }

  private static func kind(_ kind: CodeAction.Kind) -> String {
    switch kind {
    case .quickFix: "quickfix"
    case .extract: "refactor.extract"
    case .rewrite: "refactor.rewrite"
    }
  }

  /// Runs ``printOperation``; its arguments are the URI of a file and a position in it.
  func executeCommand(_ params: JSON?) throws(ResponseError) -> JSON {
    guard params["command"]?.text == Self.printOperation else {
      throw ResponseError(.invalidParams, "The command is unknown.")
    }
    let arguments = params["arguments"]?.items ?? []
    guard arguments.count == 2 else {
      throw ResponseError(.invalidParams, "The command takes a URI and a position.")
    }
    return try operationText(["textDocument": ["uri": arguments[0]], "position": arguments[1]])
  }

  /// Handles `relay/operationText`: returns the document sent for the operation at a position.
  func operationText(_ params: JSON?) throws(ResponseError) -> JSON {
    let position = try Self.position(params)
    for var target in targets(params) {
      if let text = target.session.operationText(at: target.position(position)) {
        return .string(text)
      }
    }
    return nil
  }
}
