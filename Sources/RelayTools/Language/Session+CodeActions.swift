import GraphQLLanguage
import RelayCompiler

extension Session {
  /// Returns the changes available at a range: corrections that diagnostics suggest, and for the
  /// selections or the value there, additions and extractions.
  func codeActions(in range: FileRange) -> [CodeAction] {
    guard let (document, first) = document(at: range.start),
      let (other, last) = self.document(at: range.end),
      other.source == document.source, first <= last
    else { return [] }
    var builder = CodeActionBuilder(document, in: first..<last, languageContext) {
      workspace.text(of: $0)
    }
    for diagnostic in diagnostics(in: range.path)
    where diagnostic.primarySpan.source == document.source
      && diagnostic.primarySpan.start <= last && first <= diagnostic.primarySpan.end
    {
      builder.addCorrections(of: diagnostic)
    }
    if names.files.contains(where: { $0.file.path == range.path }) {
      let file = FileKey(path: range.path).path.split(separator: "/").last.map(String.init) ?? ""
      builder.addRewrites(fragmentName: FileNamePrefix.moduleName(ofFile: file)) { name in
        workspace.symbols.find(name).map { names.fragments.contains($0) } ?? false
      }
    }
    return builder.actions.compactMap { action in
      edits(action.edits, of: document).map { edits in
        CodeAction(
          title: action.title, kind: action.kind, edits: edits, diagnostic: action.diagnostic)
      }
    }
  }

  /// Returns edits of a document as edits of its file.
  ///
  /// In a Swift literal, an edit that needs escapes or indentation replaces the literal's entire
  /// content.
  private func edits(_ edits: [CodeActionBuilder.Edit], of document: Document) -> [FileEdit]? {
    guard let source = workspace[document.source] else { return nil }
    let isPlain = edits.allSatisfy { edit in
      edit.text.utf8.allSatisfy {
        $0 >= 0x20 && $0 != UInt8(ascii: "\\") && $0 != UInt8(ascii: "\"")
      }
    }
    if source.origin == nil || isPlain {
      return edits.compactMap { edit in fileRange(of: edit.span).map { FileEdit($0, edit.text) } }
    }
    guard let parsed = entries[FileKey(path: source.path)]?.parsed,
      let index = parsed.documents.firstIndex(where: { $0.source == document.source })
    else { return nil }
    var bytes = source.bytes
    for edit in edits.sorted(by: { $0.span > $1.span }) {
      bytes.replaceSubrange(
        Int(edit.span.start)..<Int(edit.span.end), with: Array(edit.text.utf8))
    }
    let tag = parsed.tags[index]
    if !tag.literal.isMultiline, bytes.contains(0x0A) { return nil }
    let content = LiteralEncoder.content(bytes, of: tag, in: source.fileBytes)
    let range = FileRange(path: source.path, bytes: tag.literal.contentStart..<tag.contentEnd)
    return [FileEdit(range, String(decoding: content, as: UTF8.self))]
  }
}
