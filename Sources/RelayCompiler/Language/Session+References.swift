import GraphQLLanguage

extension Session {
  /// Returns the places that define what a position refers to.
  package func definitions(at position: FilePosition) -> [FileRange] {
    let context = languageContext
    guard let occurrence = occurrence(at: position, context) else { return [] }
    return occurrences(of: occurrence.element, context).filter(\.isDefinition)
      .compactMap { fileRange(of: $0.span) }
  }

  /// Returns all places that refer to what a position refers to, by file and position.
  ///
  /// A variable of an operation is the same in all operations and fragments that share it: in a
  /// fragment that uses it, and in the operations that spread the fragment.
  package func references(at position: FilePosition, includesDefinitions: Bool) -> [FileRange] {
    let context = languageContext
    guard let occurrence = occurrence(at: position, context) else { return [] }
    return occurrences(of: occurrence.element, context)
      .filter { includesDefinitions || !$0.isDefinition }
      .compactMap { fileRange(of: $0.span) }
  }

  /// Returns the occurrences of an element in all documents.
  func occurrences(of element: LanguageElement, _ context: LanguageContext) -> [Occurrence] {
    if case .variable(let scope, let name) = element {
      let scopes = VariableScopes(self).scopes(sharing: name, with: scope)
      return occurrences(context) { candidate in
        guard case .variable(let other, name) = candidate else { return false }
        return scopes.contains(other)
      }
    }
    return occurrences(context) { $0 == element }
  }

  private func occurrences(
    _ context: LanguageContext, where isIncluded: (LanguageElement) -> Bool
  ) -> [Occurrence] {
    allDocuments.flatMap { document in
      OccurrenceWalker.occurrences(in: document, context).filter { isIncluded($0.element) }
    }
  }

  // MARK: Renaming

  /// Returns the name that would be renamed at a position; `nil` if nothing there can be.
  package func renamed(at position: FilePosition) -> (range: FileRange, name: String)? {
    let context = languageContext
    guard let occurrence = occurrence(at: position, context),
      case .success = renaming(of: occurrence, context),
      let range = fileRange(of: occurrence.span)
    else { return nil }
    return (range, name(of: occurrence.element))
  }

  /// Returns the edits that rename what a position refers to: a fragment, an operation, a variable,
  /// or the alias of a field.
  ///
  /// - Throws: ``RenameError`` if the name is no name, is taken, or nothing there can be renamed.
  package func rename(
    at position: FilePosition, to name: String
  ) throws(RenameError) -> [FileEdit] {
    let context = languageContext
    guard let occurrence = occurrence(at: position, context) else {
      throw RenameError(message: "There is nothing here that can be renamed.")
    }
    let occurrences = try renaming(of: occurrence, context).get()
    guard name.isGraphQLName else {
      throw RenameError(message: "\"\(name)\" is no name in GraphQL.")
    }
    if name == self.name(of: occurrence.element) { return [] }
    if let problem = conflict(of: name, with: occurrence) {
      throw RenameError(message: problem)
    }
    let spans = occurrences.map(\.span) + configuredNames(of: occurrence.element)
    return spans.compactMap { span in fileRange(of: span).map { FileEdit($0, name) } }
  }

  /// Returns where the configuration names an operation.
  private func configuredNames(of element: LanguageElement) -> [Span] {
    guard case .operation(let symbol) = element, let text = schema.configuration else { return [] }
    let name = workspace.symbols[symbol]
    guard input.options.maxAges[name] != nil else { return [] }
    let span = text.location(of: name, in: "maxAge")
    return workspace.text(of: span) == name ? [span] : []
  }

  /// Returns the occurrences that a renaming changes.
  private func renaming(
    of occurrence: Occurrence, _ context: LanguageContext
  ) -> Result<[Occurrence], RenameError> {
    switch occurrence.element {
    case .alias: return .success([occurrence])
    case .fragment, .operation, .variable, .fragmentVariable: break
    case .type, .field, .argument, .directive, .directiveArgument, .inputField, .enumValue:
      return .failure(RenameError(message: "What the schema defines cannot be renamed here."))
    }
    let found = occurrences(of: occurrence.element, context)
    let definitions = found.filter(\.isDefinition)
    if definitions.isEmpty {
      return .failure(
        RenameError(message: "\"\(name(of: occurrence.element))\" is not defined."))
    }
    let own = Set(names.files.flatMap(\.documents).map(\.source)).union(schema.clientSources)
    if let other = found.first(where: { !own.contains($0.span.source) }) {
      let path = workspace[other.span.source]?.path ?? ""
      return .failure(
        RenameError(
          message: "\"\(name(of: occurrence.element))\" belongs to another module: \(path)."))
    }
    return .success(found)
  }

  private func name(of element: LanguageElement) -> String {
    let symbols = workspace.symbols
    return switch element {
    case .type(let name), .directive(let name), .fragment(let name), .operation(let name):
      symbols[name]
    case .field(_, let name), .argument(_, _, let name), .directiveArgument(_, let name),
      .inputField(_, let name), .enumValue(_, let name), .variable(_, let name),
      .fragmentVariable(_, let name):
      symbols[name]
    case .alias(let span): workspace.text(of: span)
    }
  }

  /// Returns why a name cannot be given.
  private func conflict(of name: String, with occurrence: Occurrence) -> String? {
    guard let symbol = workspace.symbols.find(name) else { return nil }
    switch occurrence.element {
    case .fragment:
      if name == "on" { return "A fragment cannot be called \"on\"." }
      return graph.files(defining: symbol).isEmpty
        ? nil : "There is a fragment \"\(name)\" already."
    case .operation:
      return graph.files(definingOperation: symbol).isEmpty
        ? nil : "There is an operation \"\(name)\" already."
    case .variable(let scope, let old):
      let scopes = VariableScopes(self)
      return scopes.contain(symbol, in: scopes.scopes(sharing: old, with: scope))
        ? "There is a variable \"$\(name)\" already." : nil
    case .fragmentVariable(let fragment, _):
      return VariableScopes(self).contain(symbol, in: [.fragment(fragment)])
        ? "There is a variable \"$\(name)\" already." : nil
    case .alias, .type, .field, .argument, .directive, .directiveArgument, .inputField, .enumValue:
      return nil
    }
  }
}

extension Workspace {
  /// Returns the text of a span.
  func text(of span: Span) -> String {
    guard let bytes = self[span.source]?.bytes, Int(span.end) <= bytes.count else { return "" }
    return String(decoding: bytes[Int(span.start)..<Int(span.end)], as: UTF8.self)
  }
}
