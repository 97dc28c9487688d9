import GraphQLLanguage
import RelayCompiler

extension Session {
  /// Returns a description of the element at a position; `nil` outside documents and where there is
  /// no description.
  func hover(at position: FilePosition) -> Hover? {
    let context = languageContext
    guard let occurrence = occurrence(at: position, context),
      let range = fileRange(of: occurrence.span)
    else { return nil }
    let text = ElementDescriptions(context)
    guard
      let entry = variableEntry(of: occurrence.element) ?? text.entry(of: occurrence)
        ?? operationEntry(of: occurrence.element)
    else { return nil }
    let documentation = text.documentation(of: entry)
    func joined(_ declaration: String, _ rest: String) -> String {
      rest.isEmpty ? declaration : declaration + "\n\n" + rest
    }
    return Hover(
      markdown: joined("```graphql\n\(entry.declaration)\n```", documentation),
      plainText: joined(entry.declaration, ElementDescriptions.plainText(documentation)),
      range: range)
  }

  /// Returns the declaration of an operation's variable.
  private func variableEntry(of element: LanguageElement) -> ElementDescriptions.Entry? {
    guard case .variable(.operation(let operation), let name) = element,
      let variable = self.operation(named: operation)?.variables.first(where: {
        $0.name.symbol == name
      })
    else { return nil }
    return ElementDescriptions.Entry(declaration: text(of: variable))
  }

  private func text(of variable: VariableDefinition) -> String {
    let symbols = workspace.symbols
    return "$\(symbols[variable.name.symbol]): \(symbols.text(of: variable.type))"
      + (variable.defaultValue.map { " = \(symbols.text(of: $0))" } ?? "")
  }

  private func operationEntry(of element: LanguageElement) -> ElementDescriptions.Entry? {
    guard case .operation(let symbol) = element, let operation = operation(named: symbol) else {
      return nil
    }
    let name = workspace.symbols[symbol]
    let kind = operation.operation.rawValue
    let variables = operation.variables.map(text)
    let list = variables.isEmpty ? "" : "(\(variables.joined(separator: ", ")))"
    let swift = "Swift: `struct \(SwiftName.operation(name, kind: kind))`"
    return ElementDescriptions.Entry(
      declaration: "\(kind) \(name)\(list)",
      description: (operation.description.map { $0.text + "\n\n" } ?? "") + swift)
  }

  /// Returns the operation named `symbol`.
  func operation(named symbol: Symbol) -> OperationDefinition? {
    for file in graph.files(definingOperation: symbol).sorted(by: { $0.path < $1.path }) {
      for document in entries[file]?.parsed.documents ?? [] {
        for case .operation(let operation) in document.definitions
        where operation.name?.symbol == symbol {
          return operation
        }
      }
    }
    return nil
  }

  /// Returns the uses of deprecated fields, arguments, input fields and enum values in a file, each
  /// with a message.
  func deprecations(in path: String) -> [(range: FileRange, message: String)] {
    let context = languageContext
    let text = ElementDescriptions(context)
    let schemas = Set(schema.documents.map(\.source))
    return documents(in: path).filter { !schemas.contains($0.source) }.flatMap { document in
      OccurrenceWalker.occurrences(in: document, context).compactMap { occurrence in
        guard !occurrence.isDefinition, let reason = text.deprecation(of: occurrence),
          let range = fileRange(of: occurrence.span)
        else { return nil }
        return (range, "\"\(workspace.text(of: occurrence.span))\" is deprecated: \(reason)")
      }
    }
  }

  /// Returns the types of the fields in a range.
  func inlayHints(in range: FileRange) -> [InlayHint] {
    let context = languageContext
    return documents(in: range.path).flatMap { document in
      OccurrenceWalker.occurrences(in: document, context).compactMap { occurrence in
        guard case .field = occurrence.element, !occurrence.isDefinition,
          let type = occurrence.type, let place = fileRange(of: occurrence.span),
          range.bytes.contains(place.bytes.upperBound)
        else { return nil }
        return InlayHint(
          position: FilePosition(path: range.path, offset: place.bytes.upperBound),
          text: ": " + context.schema.text(of: type))
      }
    }
  }
}
