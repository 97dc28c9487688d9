import GraphQLLanguage

/// The description of the element at a position.
struct Hover: Hashable, Sendable {
  let markdown: String
  package let plainText: String
  package let range: FileRange
}

/// A name that may be written at a position.
struct Completion: Hashable, Sendable {
  package enum Kind: Hashable, Sendable {
    case field, argument, type, fragment, directive, enumValue, inputField, variable, keyword
  }

  /// The name that replaces the word around the position.
  package let label: String
  package let kind: Kind
  /// The type; for an enum value its enum, for a fragment its type condition, for a type its kind.
  package var detail = ""
  /// The description, in Markdown.
  package var documentation = ""
  package var isDeprecated = false
  package let range: FileRange
  /// The text for an editor that has snippets, if it is more than the label.
  var snippet: Snippet?
}

/// A change that an editor offers at a position.
struct CodeAction: Hashable, Sendable {
  package enum Kind: Hashable, Sendable {
    /// The correction of a diagnostic.
    case quickFix
    /// A selection or value gets a name.
    case extract
    /// Selections are added.
    case rewrite
  }

  package let title: String
  package let kind: Kind
  package let edits: [FileEdit]
  /// The diagnostic that the action corrects.
  package var diagnostic: Diagnostic?
  /// Whether it is the only correction of the diagnostic.
  var isPreferred = false
}

/// A type shown after a field.
struct InlayHint: Hashable, Sendable {
  package let position: FilePosition
  package let text: String
}

/// A definition or a field in the outline of a file.
package struct OutlineItem: Hashable, Sendable {
  package enum Kind: Hashable, Sendable {
    case query, mutation, subscription, fragment, field, type, enumValue, directive
  }

  package let name: String
  /// The type of a field, or the type condition of a fragment.
  package let detail: String
  package let kind: Kind
  /// The range of the entire item.
  package let range: FileRange
  /// The range of the name.
  let nameRange: FileRange
  package let children: [OutlineItem]
}

/// A reason why a definition cannot be renamed.
package struct RenameError: Error, Equatable, Sendable {
  package let message: String
}
