import GraphQLFormatting
import GraphQLLanguage
import RelayCompiler

extension Session {
  /// The largest number of diagnostics in a range that are corrected: each correction formats its
  /// document.
  private static let correctedLimit = 50

  /// Returns the changes available at a range: corrections of diagnostics, and for the selections or
  /// the value there, additions and extractions.
  func codeActions(in range: FileRange) -> [CodeAction] {
    guard let (document, first) = document(at: range.start),
      let (other, last) = self.document(at: range.end),
      other.source == document.source, first <= last
    else { return [] }
    var builder = builder(document, first..<last, path: range.path)
    let found = diagnostics(in: range.path).lazy.filter {
      $0.primarySpan.source == document.source
        && $0.primarySpan.start <= last && first <= $0.primarySpan.end
    }
    for diagnostic in found.prefix(Self.correctedLimit) {
      builder.addCorrections(of: diagnostic) { operation(at: $0) }
    }
    if names.files.contains(where: { $0.file.path == range.path }) { builder.addRewrites() }
    var formatted: [SourceID: Bool] = [:]
    return codeActions(builder.actions, &formatted)
  }

  /// Returns the corrections of a diagnostic.
  ///
  /// - Parameter formatted: Whether documents are formatted, as found out for other diagnostics.
  func fixes(of diagnostic: Diagnostic, _ formatted: inout [SourceID: Bool]) -> [CodeAction] {
    let span = diagnostic.primarySpan
    guard let path = workspace[span.source]?.path,
      let document = documents(in: path).first(where: { $0.source == span.source })
    else { return [] }
    var builder = builder(document, span.start..<max(span.start, span.end), path: path)
    builder.addCorrections(of: diagnostic) { operation(at: $0) }
    return codeActions(builder.actions, &formatted)
  }

  private func builder(
    _ document: Document, _ range: Range<UInt32>, path: String
  ) -> CodeActionBuilder {
    let names = DefinitionNames(file: path) { isDefined($0) }
    return CodeActionBuilder(document, in: range, languageContext, names: names) {
      workspace.text(of: $0)
    }
  }

  private func codeActions(
    _ actions: [CodeActionBuilder.Action], _ formatted: inout [SourceID: Bool]
  ) -> [CodeAction] {
    actions.compactMap { action in
      fileEdits(action.edits, &formatted).map { edits in
        CodeAction(
          title: action.title, kind: action.kind, edits: edits, diagnostic: action.diagnostic,
          isPreferred: action.isPreferred)
      }
    }
  }

  /// Whether an operation or a fragment has a name.
  private func isDefined(_ name: String) -> Bool {
    workspace.symbols.find(name).map {
      names.fragments.contains($0) || names.operations.contains($0)
    } ?? false
  }

  /// Returns the operation of the module at a span.
  private func operation(at span: Span) -> OperationDefinition? {
    for document in names.files.flatMap(\.documents) where document.source == span.source {
      for case .operation(let operation) in document.definitions where operation.span == span {
        return operation
      }
    }
    return nil
  }

  // MARK: Edits

  /// Returns edits of documents as edits of their files.
  private func fileEdits(
    _ edits: [CodeActionBuilder.Edit], _ formatted: inout [SourceID: Bool]
  ) -> [FileEdit]? {
    var all: [FileEdit] = []
    for (source, edits) in Dictionary(grouping: edits, by: \.span.source)
      .sorted(by: { $0.key.index < $1.key.index })
    {
      guard let edits = fileEdits(edits, of: source, &formatted) else { return nil }
      all += edits
    }
    return all
  }

  /// Returns edits of a document as edits of its file.
  ///
  /// A formatted document stays formatted. If that takes more than the edits, or if they need
  /// escapes or indentation in a Swift literal, the changed portion of the file is one edit.
  private func fileEdits(
    _ edits: [CodeActionBuilder.Edit], of id: SourceID, _ formatted: inout [SourceID: Bool]
  ) -> [FileEdit]? {
    guard let source = workspace[id] else { return nil }
    var bytes = source.bytes
    // A literal's document has line feeds, whatever its file has.
    let lineEnd = source.origin == nil ? Formatting.firstLineEnd(of: bytes) : [0x0A]
    let edits = edits.map { $0.withLineEnds(String(decoding: lineEnd, as: UTF8.self)) }
    for edit in edits.sorted(by: { $0.span > $1.span }) {
      bytes.replaceSubrange(
        Int(edit.span.start)..<Int(edit.span.end), with: Array(edit.text.utf8))
    }
    let tag = source.origin == nil ? nil : self.tag(of: id)
    if source.origin != nil, tag == nil { return nil }
    let wasFormatted =
      formatted[id]
      ?? (FormattedFile.document(source.bytes, of: tag, in: source.fileBytes) == source.bytes)
    formatted[id] = wasFormatted
    if wasFormatted,
      let result = FormattedFile.document(bytes, of: tag, in: source.fileBytes), result != bytes
    {
      bytes = result
    } else if source.origin == nil || edits.allSatisfy(\.isPlain) {
      return edits.compactMap { edit in fileRange(of: edit.span).map { FileEdit($0, edit.text) } }
    }
    guard let tag else {
      return [FileEdit.change(of: source.fileBytes, to: bytes, in: source.path)]
    }
    if !tag.literal.isMultiline, bytes.contains(0x0A) {
      guard let line = Formatting.formatOnOneLine(bytes) else { return nil }
      bytes = line
    }
    let content = LiteralEncoder.content(bytes, of: tag, in: source.fileBytes)
    var file = source.fileBytes
    file.replaceSubrange(tag.literal.contentStart..<tag.contentEnd, with: content)
    return [FileEdit.change(of: source.fileBytes, to: file, in: source.path)]
  }
}

extension CodeActionBuilder.Edit {
  /// Whether the text is the same in every Swift literal.
  fileprivate var isPlain: Bool {
    text.utf8.allSatisfy {
      $0 >= 0x20 && $0 != UInt8(ascii: "\\") && $0 != UInt8(ascii: "\"")
    }
  }

  /// Returns the edit with `lineEnd` for each line feed.
  fileprivate func withLineEnds(_ lineEnd: String) -> Self {
    Self(span: span, text: text.replacing("\n", with: lineEnd))
  }
}

extension FileEdit {
  /// Returns the smallest edit that changes a file.
  fileprivate static func change(
    of old: ContiguousArray<UInt8>, to new: ContiguousArray<UInt8>, in path: String
  ) -> FileEdit {
    // An edit neither starts nor ends in a character or in a line end of two bytes.
    func isInside(_ bytes: ContiguousArray<UInt8>, _ index: Int) -> Bool {
      index < bytes.count && (bytes[index] & 0xC0 == 0x80 || bytes[index] == 0x0A)
    }
    let limit = min(old.count, new.count)
    var start = 0
    while start < limit, old[start] == new[start] { start += 1 }
    var rest = 0
    while rest < limit - start, old[old.count - 1 - rest] == new[new.count - 1 - rest] { rest += 1 }
    while start > 0, isInside(old, start) || isInside(new, start) { start -= 1 }
    while rest > 0, isInside(new, new.count - rest) { rest -= 1 }
    let text = String(decoding: new[start..<new.count - rest], as: UTF8.self)
    return FileEdit(FileRange(path: path, bytes: start..<old.count - rest), text)
  }
}
