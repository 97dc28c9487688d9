import GraphQLLanguage

/// Converts locations in the projects' files to the editor's, for one response.
struct EditorPlaces {
  private let projects: [ServedProject]
  private let files: EditedFiles
  private let encoding: PositionEncoding
  private var indices: [String: LineIndex] = [:]

  init(_ projects: [ServedProject], in files: EditedFiles, encoding: PositionEncoding) {
    self.projects = projects
    self.files = files
    self.encoding = encoding
  }

  /// Returns the URI of a path: the editor's own URI if the file is open.
  func uri(_ path: String) -> String {
    files[files.canonical(path)]?.uri ?? FileURI.uri(of: path)
  }

  /// Returns the version of a file's open document; `null` if it is not open.
  func version(_ path: String) -> JSON {
    files[files.canonical(path)]?.version.map(JSON.int) ?? .null
  }

  private mutating func index(_ path: String) -> LineIndex {
    if let known = indices[path] { return known }
    let index = LineIndex(bytes(of: path))
    indices[path] = index
    return index
  }

  private func bytes(of path: String) -> ContiguousArray<UInt8> {
    let canonical = files.canonical(path)
    return projects.lazy.compactMap { $0.bytes(of: canonical) }.first ?? []
  }

  /// Returns the byte offset of a position in a file.
  mutating func offset(of position: LinePosition, in path: String) -> Int {
    index(path).offset(of: position, in: encoding)
  }

  /// Returns the position of a byte offset.
  mutating func position(_ position: FilePosition) -> LinePosition {
    index(position.path).position(of: position.offset, in: encoding)
  }

  /// Returns a range as JSON.
  mutating func range(_ range: FileRange) -> JSON {
    index(range.path).json(range.bytes, in: encoding)
  }

  /// Returns the portion of a range on its first line.
  private mutating func firstLine(_ range: FileRange) -> JSON {
    let text = bytes(of: range.path)
    let part = range.bytes.clamped(to: text.startIndex..<text.endIndex)
    let end = text[part].firstIndex { $0 == 0x0A || $0 == 0x0D } ?? part.upperBound
    return self.range(FileRange(path: range.path, bytes: part.lowerBound..<end))
  }

  /// Returns a range with the URI of its file.
  mutating func location(_ range: FileRange) -> JSON {
    ["uri": .string(uri(range.path)), "range": self.range(range)]
  }

  /// Returns file edits as one workspace edit.
  mutating func workspaceEdit(_ edits: [FileEdit], for client: ClientSupport) -> JSON {
    let groups = Dictionary(grouping: edits, by: \.range.path).sorted { $0.key < $1.key }
    var changes: [JSON.Member] = []
    var documents: [JSON] = []
    for (path, edits) in groups {
      let texts: [JSON] = edits.map {
        ["range": range($0.range), "newText": .string($0.text)]
      }
      changes.append(.init(uri(path), .list(texts)))
      documents.append([
        "textDocument": ["uri": .string(uri(path)), "version": version(path)],
        "edits": .list(texts),
      ])
    }
    return client.hasDocumentChanges
      ? ["documentChanges": .list(documents)] : ["changes": .object(changes)]
  }

  /// Returns a diagnostic in the editor's format.
  mutating func json(
    _ diagnostic: Diagnostic, of session: Session, for client: ClientSupport
  ) -> JSON {
    let related =
      diagnostic.locations.dropFirst().map { ($0, "The other place.") }
      + diagnostic.labels.map { ($0.span, $0.text) }
    let items: [JSON] = related.compactMap { span, text in
      session.fileRange(of: span).map {
        ["location": location($0), "message": .string(text)]
      }
    }
    return diagnostic.json(
      client.hasRelatedInformation ? items : [],
      range: session.fileRange(of: diagnostic.primarySpan).map { firstLine($0) })
  }
}

extension Diagnostic {
  private static let fileStart: JSON = [
    "start": ["line": 0, "character": 0], "end": ["line": 0, "character": 0],
  ]

  /// Returns the diagnostic in the editor's format; without a range, at the start of the file.
  func json(_ related: [JSON], range: JSON? = nil) -> JSON {
    let text = help.map { "\(message)\n\($0)" } ?? message
    let json: JSON = [
      "range": range ?? Self.fileStart,
      "severity": severity == .error ? 1 : 2,
      "code": .string(rule),
      "source": "relay-compiler",
      "message": .string(text),
    ]
    return related.isEmpty ? json : json.adding("relatedInformation", .list(related))
  }
}
