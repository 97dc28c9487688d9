import GraphQLLanguage

extension LanguageServer {
  func completion(_ params: JSON?) throws(ResponseError) -> JSON {
    let position = try Self.position(params)
    for var target in targets(params) {
      let found = target.session.completions(at: target.position(position))
      if found.isEmpty { continue }
      let items = found.enumerated().map { index, item in
        self.item(item, at: index, range: target.places.range(item.range))
      }
      return ["isIncomplete": false, "items": .list(items)]
    }
    return ["isIncomplete": false, "items": []]
  }

  private func item(_ item: Completion, at index: Int, range: JSON) -> JSON {
    // Editors sort by this string; the best items come first.
    let digits = String(index)
    let order = String(repeating: "0", count: max(0, 5 - digits.count)) + digits
    let snippet = client.hasSnippets ? item.snippet?.text : nil
    var json: JSON = [
      "label": .string(item.label), "kind": .int(Self.kind(item.kind)), "sortText": .string(order),
      // Without it, an editor may assume that the server has already filtered the items with edits.
      "filterText": .string(item.label),
      "textEdit": ["range": range, "newText": .string(snippet ?? item.label)],
    ]
    if snippet != nil { json = json.adding("insertTextFormat", 2) }
    if !item.detail.isEmpty { json = json.adding("detail", .string(item.detail)) }
    if !item.documentation.isEmpty {
      json = json.adding(
        "documentation",
        Self.documentation(item.documentation, isMarkdown: client.hasMarkdownDocumentation))
    }
    return item.isDeprecated ? json.adding("deprecated", true).adding("tags", [1]) : json
  }

  /// Returns documentation in a format that the editor shows.
  static func documentation(_ markdown: String, isMarkdown: Bool) -> JSON {
    isMarkdown
      ? ["kind": "markdown", "value": .string(markdown)]
      : ["kind": "plaintext", "value": .string(ElementDescriptions.plainText(markdown))]
  }

  private static func kind(_ kind: Completion.Kind) -> Int {
    switch kind {
    case .field: 5
    case .argument, .inputField: 10
    case .variable: 6
    case .type: 7
    case .fragment: 22
    case .directive: 3
    case .enumValue: 20
    case .keyword: 14
    }
  }
}

extension Snippet {
  /// The snippet in the protocol's syntax.
  var text: String {
    var count = 0
    return elements.map { element in
      switch element {
      case .text(let text): return Self.escaped(text)
      case .stop(let text):
        count += 1
        return text.isEmpty
          ? "$\(count)" : "${\(count):\(Self.escaped(text).replacing("}", with: "\\}"))}"
      case .choice(let values):
        count += 1
        return "${\(count)|\(values.joined(separator: ","))|}"
      case .end: return "$0"
      }
    }.joined()
  }

  private static func escaped(_ text: String) -> String {
    text.replacing("\\", with: "\\\\").replacing("$", with: "\\$")
  }
}
