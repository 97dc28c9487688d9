import GraphQLLanguage

extension LanguageServer {
  /// The semantic tokens last sent for an open document.
  struct SentTokens {
    let id: String
    let data: [Int]
  }

  static let semanticTokensProvider: JSON = [
    "legend": [
      "tokenTypes": .list(SemanticToken.Kind.allCases.map { .string($0.rawValue) }),
      "tokenModifiers": ["declaration"],
    ],
    "range": true, "full": ["delta": true],
  ]

  /// Handles `textDocument/semanticTokens/full`.
  mutating func semanticTokens(_ params: JSON?) -> JSON {
    guard let data = tokenData(params, in: nil) else { return nil }
    let json: JSON = ["data": .list(data.map(JSON.int))]
    guard let id = keep(data, params) else { return json }
    return json.adding("resultId", id)
  }

  /// Handles `textDocument/semanticTokens/full/delta`: returns the changed part of the data, or all
  /// of it if the editor has another result than the last.
  mutating func semanticTokensDelta(_ params: JSON?) -> JSON {
    guard let path = canonicalPath(params), let last = sentTokens[path],
      params["previousResultId"] == .string(last.id), let data = tokenData(params, in: nil),
      let id = keep(data, params)
    else { return semanticTokens(params) }
    let start = zip(last.data, data).prefix { $0 == $1 }.count
    let end = zip(last.data.dropFirst(start).reversed(), data.dropFirst(start).reversed())
      .prefix { $0 == $1 }.count
    let removed = last.data.count - start - end
    let added = data[start..<data.count - end]
    if removed == 0, added.isEmpty { return ["resultId": id, "edits": []] }
    return [
      "resultId": id,
      "edits": [
        [
          "start": .int(start), "deleteCount": .int(removed), "data": .list(added.map(JSON.int)),
        ]
      ],
    ]
  }

  /// Handles `textDocument/semanticTokens/range`.
  func semanticTokensInRange(_ params: JSON?) throws(ResponseError) -> JSON {
    guard var target = targets(params).first else { return nil }
    let range = try target.range(params["range"])
    return ["data": .list((tokenData(params, in: range.bytes) ?? []).map(JSON.int))]
  }

  /// Keeps the data of an open document for the next delta.
  ///
  /// - Returns: The id of the result; `nil` if the document is not open.
  private mutating func keep(_ data: [Int], _ params: JSON?) -> JSON? {
    guard let path = canonicalPath(params), files[path] != nil else { return nil }
    sentTokenCount += 1
    let id = String(sentTokenCount)
    sentTokens[path] = SentTokens(id: id, data: data)
    return .string(id)
  }

  /// Returns the encoded tokens of a file; `nil` for a file outside the projects.
  private func tokenData(_ params: JSON?, in range: Range<Int>?) -> [Int]? {
    guard let target = targets(params).first else { return nil }
    let bytes = target.session.bytes(of: target.path) ?? []
    var encoder = SemanticTokenEncoder(bytes, encoding: client.encoding)
    for token in target.session.semanticTokens(in: target.path, range) { encoder.append(token) }
    return encoder.data
  }
}
