import GraphQLFormatting
import GraphQLLanguage
import RelayCompiler

/// A file with its documents in canonical format: a GraphQL file, or a Swift file with tags.
///
/// A document with a syntax error, or in a tag with other arguments, is reported and left
/// unchanged. In a Swift file all bytes outside the tags' literals are preserved, and a literal
/// keeps its kind: documents in one-line literals are formatted on one line.
struct FormattedFile {
  /// The column limit; longer lists are wrapped.
  static let width = 80

  let path: String
  let original: ContiguousArray<UInt8>
  private(set) var bytes: ContiguousArray<UInt8>
  /// The replaced portions of the original, in order: an entire GraphQL file, or the documents in a
  /// Swift file.
  private(set) var replacements: [(range: Range<Int>, bytes: ContiguousArray<UInt8>)] = []
  private(set) var diagnostics: [Diagnostic] = []

  var isChanged: Bool { bytes != original }

  /// Formats a file.
  ///
  /// - Complexity: O(*n*) in the bytes.
  init(path: String, bytes: ContiguousArray<UInt8>, in workspace: Workspace) {
    self.path = path
    original = bytes
    self.bytes = bytes
    if path.hasSuffix(".swift") {
      formatTags(in: workspace)
    } else if let formatted = Formatting.format(bytes, width: Self.width) {
      if Formatting.isEquivalent(bytes, to: formatted) {
        self.bytes = formatted
        replacements = [(0..<bytes.count, formatted)]
      } else {
        reportMismatch(in: workspace)
      }
    } else {
      diagnostics = workspace.parse(Source(path: path, bytes: bytes)).diagnostics
    }
  }

  // MARK: Swift

  private mutating func formatTags(in workspace: Workspace) {
    let scan = TagScanner.scan(original)
    if !scan.errors.isEmpty {
      let source = workspace.add(Source(path: path, bytes: original))
      diagnostics = scan.errors.map { $0.diagnostic(in: source) }
    }
    var output: ContiguousArray<UInt8> = []
    var end = 0
    var documents: [ContiguousArray<UInt8>] = []
    var replaced: [(range: Range<Int>, bytes: ContiguousArray<UInt8>)] = []
    for tag in scan.tags {
      guard tag.isOnlyArgument, let document = formattedDocument(of: tag, in: workspace) else {
        documents.append(tag.document)
        continue
      }
      documents.append(document)
      output += original[end..<tag.literal.contentStart]
      let content = LiteralEncoder.content(document, of: tag, in: original)
      output += content
      replaced.append((tag.literal.contentStart..<tag.contentEnd, ContiguousArray(content)))
      end = tag.contentEnd
    }
    output += original[end...]
    let result = TagScanner.scan(output)
    if result.tags.map(\.document) == documents, result.errors.count == scan.errors.count {
      bytes = output
      replacements = replaced
    } else {
      reportMismatch(in: workspace)
    }
  }

  /// Returns the formatted document of a tag, without a trailing line feed; `nil` to leave the tag
  /// unchanged.
  private mutating func formattedDocument(
    of tag: Tag, in workspace: Workspace
  ) -> ContiguousArray<UInt8>? {
    let document = tag.document
    let formatted = Self.document(document, of: tag, in: original)
    guard let formatted, !formatted.isEmpty else {
      let origin = Source.Origin(bytes: original, map: tag.offsets)
      let source = Source(path: path, bytes: document, origin: origin)
      diagnostics += workspace.parse(source).diagnostics
      return nil
    }
    guard Formatting.isEquivalent(document, to: formatted) else {
      reportMismatch(in: workspace)
      return nil
    }
    if tag.literal.isMultiline { return formatted }
    // Leave escaped line ends, and quotes that would turn the literal into a multi-line one, to the
    // author.
    let isRawQuote = tag.literal.hashes > 0 && formatted.first == UInt8(ascii: "\"")
    return document.contains(0x0A) || isRawQuote ? nil : formatted
  }

  /// Returns a document as it is formatted in a file, or in a tag of a Swift file; `nil` if it has
  /// syntax errors, or cannot be on the only line of a literal.
  static func document(
    _ document: ContiguousArray<UInt8>, of tag: Tag?, in file: ContiguousArray<UInt8>
  ) -> ContiguousArray<UInt8>? {
    guard let tag else { return Formatting.format(document, width: width) }
    guard tag.literal.isMultiline else { return Formatting.formatOnOneLine(document) }
    let indentation = tag.closingIndentation(in: file)
    // A document in a deeply indented literal gets at least half of the width.
    let width = max(Self.width / 2, Self.width - indentation.count)
    var formatted = Formatting.format(document, width: width, lineEnd: [0x0A])
    if formatted?.last == 0x0A { formatted?.removeLast() }
    return formatted
  }

  private mutating func reportMismatch(in workspace: Workspace) {
    let source = workspace.add(Source(path: path, bytes: original))
    diagnostics.append(
      Diagnostic(
        rule: "formatting",
        message: "Formatting would change the meaning of a document. The file was left unchanged.",
        at: Span(start: 0, end: 0, source: source)))
  }
}
