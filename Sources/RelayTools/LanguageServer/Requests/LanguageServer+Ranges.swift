import GraphQLLanguage

extension LanguageServer {
  /// Handles `textDocument/documentHighlight`.
  func highlights(_ params: JSON?) throws(ResponseError) -> JSON {
    let position = try Self.position(params)
    for var target in targets(params) {
      let found = target.session.highlights(at: target.position(position))
      if found.isEmpty { continue }
      return .list(
        found.map { highlight in
          ["range": target.places.range(highlight.range), "kind": highlight.isWrite ? 3 : 2]
        })
    }
    return []
  }

  /// Handles `textDocument/selectionRange`. A position outside documents has an empty range.
  func selectionRanges(_ params: JSON?) throws(ResponseError) -> JSON {
    let positions = params["positions"]?.items ?? []
    var target = targets(params).first
    var found: [JSON] = []
    for json in positions {
      guard let position = LinePosition(json) else {
        throw ResponseError(.invalidParams, "A position has no line or no character.")
      }
      found.append(Self.selectionRange(at: position, in: &target))
    }
    return .list(found)
  }

  private static func selectionRange(at position: LinePosition, in target: inout Target?) -> JSON {
    let empty: JSON = ["range": ["start": position.json, "end": position.json]]
    guard var found = target else { return empty }
    let ranges = found.session.selectionRanges(at: found.position(position))
    var outer: JSON?
    for range in ranges.reversed() {
      let json: JSON = ["range": found.places.range(range)]
      outer = outer.map { json.adding("parent", $0) } ?? json
    }
    // Keeps the index of the file's lines.
    target = found
    return outer ?? empty
  }

  /// Handles `textDocument/signatureHelp`.
  func signatureHelp(_ params: JSON?) throws(ResponseError) -> JSON {
    let position = try Self.position(params)
    for var target in targets(params) {
      guard let signature = target.session.signature(at: target.position(position)) else {
        continue
      }
      let parameters = signature.parameters.map { parameter -> JSON in
        let label: JSON =
          client.hasLabelOffsets
          ? [.int(parameter.range.lowerBound), .int(parameter.range.upperBound)]
          : .string(parameter.declaration)
        return documented(["label": label], parameter.documentation)
      }
      let json: JSON = ["label": .string(signature.label), "parameters": .list(parameters)]
      return [
        "signatures": [documented(json, signature.documentation)], "activeSignature": 0,
        "activeParameter": .int(signature.active),
      ]
    }
    return nil
  }

  private func documented(_ json: JSON, _ documentation: String) -> JSON {
    documentation.isEmpty
      ? json
      : json.adding(
        "documentation",
        Self.documentation(documentation, isMarkdown: client.hasMarkdownSignatures))
  }
}
