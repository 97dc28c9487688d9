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
  private(set) var hasMarkdownDocumentation = false
  /// Whether completions may have stops for the cursor.
  private(set) var hasSnippets = false
  /// Whether the documentation of signatures is Markdown.
  private(set) var hasMarkdownSignatures = false
  /// Whether the label of a parameter is a range of the signature's label.
  private(set) var hasLabelOffsets = false

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
    let item = text["completion"]["completionItem"]
    hasMarkdownDocumentation = Self.isMarkdown(item["documentationFormat"], else: false)
    hasSnippets = item["snippetSupport"]?.isTrue ?? false
    let signature = text["signatureHelp"]["signatureInformation"]
    hasMarkdownSignatures = Self.isMarkdown(signature["documentationFormat"], else: false)
    hasLabelOffsets = signature["parameterInformation"]["labelOffsetSupport"]?.isTrue ?? false
  }

  /// Whether the first format in a list is Markdown.
  ///
  /// - Parameter fallback: The result for a list without a known format.
  private static func isMarkdown(_ formats: JSON?, else fallback: Bool = true) -> Bool {
    let known: [JSON] = ["markdown", "plaintext"]
    return formats?.items.first(where: known.contains).map { $0 == "markdown" } ?? fallback
  }
}
