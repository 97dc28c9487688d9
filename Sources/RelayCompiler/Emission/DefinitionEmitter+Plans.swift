import GraphQLLanguage

/// The texts of the plans of definitions.
extension DefinitionEmitter {
  /// The reader plan of a fragment, preceded by its name.
  func readerPlan(of fragment: IR.Fragment) -> TextBuffer {
    let elements =
      fragment.isUpdatable
      ? privateElements.of([fragment.selections], on: fragment.type).prefix : ""
    return owned(plans.plan(fragment), by: fragment.name, after: elements)
  }

  /// The reader plan of an operation, preceded by its name.
  func readerPlan(of operation: IR.Operation) -> TextBuffer {
    let elements =
      operation.isUpdatable
      ? privateElements.of([operation.selections], on: operation.root).prefix : ""
    return owned(plans.plan(operation), by: operation.name.symbol, after: elements)
  }

  /// The normalization plan of an operation.
  ///
  /// - Parameters:
  ///   - stored: The operation with the selections that the normalizer stores.
  ///   - prefix: Its private elements.
  func normalizationPlan(of stored: IR.Operation, after prefix: String) -> TextBuffer {
    var text = TextBuffer()
    if stored.definition.operation == .query,
      let maxAge = programs.normalization.maxAges.maxAge(of: stored, in: types.schema)
    {
      text += "@" + JavaScriptNumber.float("\(maxAge)") + " "
    }
    text += prefix
    text += plans.plan(stored.selections, on: stored.root)
    return text
  }

  /// The private elements of an operation. Client-only fields are not in what is stored.
  func privateElements(of operation: IR.Operation, stored: IR.Operation) -> PrivateElements {
    privateElements.of(
      [stored.selections, operation.selections], on: stored.root,
      variables: operation.definition.variables)
  }

  /// A reader plan, preceded by the name of its definition and by `prefix`.
  private func owned(
    _ plan: borrowing TextBuffer, by name: Symbol, after prefix: String
  ) -> TextBuffer {
    var text = TextBuffer()
    text += prefix
    text += types.text(name)
    if let first = plan.first, !"(<~".utf8.contains(first) { text += " " }
    text += plan
    return text
  }
}
