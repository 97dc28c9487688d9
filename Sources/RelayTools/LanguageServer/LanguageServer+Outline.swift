import GraphQLLanguage

extension LanguageServer {
  func foldingRanges(_ params: JSON?) -> JSON {
    guard var target = targets(params).first else { return [] }
    let ranges: [JSON] = target.session.foldingRanges(in: target.path).compactMap { range in
      let start = target.places.position(range.start)
      let end = target.places.position(range.end)
      if !client.foldsWholeLines {
        return [
          "startLine": .int(start.line), "startCharacter": .int(start.character),
          "endLine": .int(end.line), "endCharacter": .int(end.character),
        ]
      }
      // The line with the closing brace remains visible.
      guard end.line - 1 > start.line else { return nil }
      return ["startLine": .int(start.line), "endLine": .int(end.line - 1)]
    }
    return .list(ranges)
  }

  func inlayHints(_ params: JSON?) throws(ResponseError) -> JSON {
    guard var target = targets(params).first else { return [] }
    let range = try target.range(params["range"])
    return .list(
      target.session.inlayHints(in: range).map { hint in
        [
          "position": target.places.position(hint.position).json, "label": .string(hint.text),
          "kind": 1, "paddingLeft": true,
        ]
      })
  }

  func symbols(_ params: JSON?) -> JSON {
    guard var target = targets(params).first else { return [] }
    let outline = target.session.outline(of: target.path)
    if client.hasNestedSymbols {
      return .list(outline.map { Self.symbol($0, &target.places) })
    }
    return .list(outline.flatMap { Self.flat($0, in: nil, &target.places) })
  }

  /// Handles `workspace/symbol`: returns the fragments and operations whose names contain a string,
  /// ignoring case.
  func workspaceSymbols(_ params: JSON?) -> JSON {
    let query = (params["query"]?.text ?? "").lowercased()
    var seen: Set<JSON> = []
    var found: [(name: String, json: JSON)] = []
    for project in projects {
      guard let session = project.session else { continue }
      var places = EditorPlaces([project], in: files, encoding: client.encoding)
      for item in session.definitions(containing: query) {
        let json: JSON = [
          "name": .string(item.name), "kind": .int(Self.kind(item.kind)),
          "location": places.location(item.range),
        ]
        if seen.insert(json).inserted { found.append((item.name, json)) }
      }
    }
    return .list(found.sorted { naturallyPrecedes($0.name, $1.name) }.map(\.json))
  }

  private static func symbol(_ item: OutlineItem, _ places: inout EditorPlaces) -> JSON {
    var json: JSON = [
      "name": .string(item.name), "kind": .int(kind(item.kind)),
      "range": places.range(item.range), "selectionRange": places.range(item.nameRange),
    ]
    if !item.detail.isEmpty { json = json.adding("detail", .string(item.detail)) }
    return json.adding("children", .list(item.children.map { symbol($0, &places) }))
  }

  private static func flat(
    _ item: OutlineItem, in owner: String?, _ places: inout EditorPlaces
  ) -> [JSON] {
    var json: JSON = [
      "name": .string(item.name), "kind": .int(kind(item.kind)),
      "location": places.location(item.range),
    ]
    if let owner { json = json.adding("containerName", .string(owner)) }
    return [json] + item.children.flatMap { flat($0, in: item.name, &places) }
  }

  private static func kind(_ kind: OutlineItem.Kind) -> Int {
    switch kind {
    case .query, .mutation, .subscription, .directive: 12
    case .fragment: 23
    case .field: 8
    case .type: 5
    case .enumValue: 22
    }
  }
}
