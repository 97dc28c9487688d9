import GraphQLLanguage

/// The editor capabilities that responses depend on.
struct ClientSupport {
  var encoding = PositionEncoding.utf16
  /// Whether edits name the document version that they apply to.
  private(set) var hasDocumentChanges = false
  private(set) var hasNestedSymbols = false
  private(set) var foldsWholeLines = false
  private(set) var watchesFiles = false
  /// Whether the editor can watch files outside its own folders.
  private(set) var watchesOtherFolders = false
  private(set) var hasRelatedInformation = false
  private(set) var preparesRenames = false
  private(set) var hasCodeActionValues = false
  /// Whether the editor can show a diagnostic as a deprecation mark.
  private(set) var hasDeprecatedTag = false
  /// Whether hovers are Markdown.
  private(set) var hasMarkdownHover = true
  /// Whether the documentation of completions is Markdown.
  private(set) var hasMarkdownDocumentation = true

  /// Creates the protocol's default capabilities.
  init() {}

  /// Reads the capabilities of an `initialize` request.
  init(_ capabilities: JSON?) {
    // The editor lists its encodings best first.
    let offered = capabilities["general"]["positionEncodings"]?.items ?? []
    encoding = offered.lazy.compactMap(\.text).compactMap(PositionEncoding.init).first ?? .utf16
    let text = capabilities["textDocument"]
    let workspace = capabilities["workspace"]
    hasDocumentChanges = workspace["workspaceEdit"]["documentChanges"]?.isTrue ?? false
    hasNestedSymbols =
      text["documentSymbol"]["hierarchicalDocumentSymbolSupport"]?.isTrue ?? false
    foldsWholeLines = text["foldingRange"]["lineFoldingOnly"]?.isTrue ?? false
    watchesFiles = workspace["didChangeWatchedFiles"]["dynamicRegistration"]?.isTrue ?? false
    watchesOtherFolders =
      workspace["didChangeWatchedFiles"]["relativePatternSupport"]?.isTrue ?? false
    hasRelatedInformation = text["publishDiagnostics"]["relatedInformation"]?.isTrue ?? false
    preparesRenames = text["rename"]["prepareSupport"]?.isTrue ?? false
    hasCodeActionValues = text["codeAction"]["codeActionLiteralSupport"] != nil
    let tags = text["publishDiagnostics"]["tagSupport"]["valueSet"]?.items ?? []
    hasDeprecatedTag = tags.contains(2)
    hasMarkdownHover = Self.isMarkdown(text["hover"]["contentFormat"])
    hasMarkdownDocumentation = Self.isMarkdown(
      text["completion"]["completionItem"]["documentationFormat"])
  }

  /// Whether the first format in a list is Markdown, or the list is missing.
  private static func isMarkdown(_ formats: JSON?) -> Bool {
    let known: [JSON] = ["markdown", "plaintext"]
    return formats?.items.first(where: known.contains) != "plaintext"
  }
}
