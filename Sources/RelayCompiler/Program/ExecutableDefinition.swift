import GraphQLLanguage

/// An operation or a fragment: the parts that both have.
struct ExecutableDefinition {
  /// `nil` for a fragment.
  let operation: OperationType?
  let name: Name?
  /// `nil` for an operation.
  let typeCondition: Name?
  let directives: [Directive]
  let selectionSet: SelectionSet
  /// The type of the objects that are selected from.
  let type: NamedType

  /// Returns `nil` for a definition of the type system, and if the schema lacks the type.
  init?(_ definition: Definition, in schema: Schema) {
    switch definition {
    case .operation(let operation):
      guard let root = schema.rootType(of: operation.operation) else { return nil }
      (self.operation, name, typeCondition) = (operation.operation, operation.name, nil)
      (directives, selectionSet, type) = (operation.directives, operation.selectionSet, root)
    case .fragment(let fragment):
      guard let type = schema.type(named: fragment.typeCondition.symbol) else { return nil }
      (operation, name, typeCondition) = (nil, fragment.name, fragment.typeCondition)
      (directives, selectionSet, self.type) = (fragment.directives, fragment.selectionSet, type)
    case .schema, .type, .directive: return nil
    }
  }
}

extension Schema {
  /// Returns the operations and fragments of documents.
  func executableDefinitions(of documents: [Document]) -> [ExecutableDefinition] {
    documents.flatMap { $0.definitions.compactMap { ExecutableDefinition($0, in: self) } }
  }

  /// Calls a function for the selections of a definition, each before the selections inside it, with
  /// the type that it is selected from.
  func forEachSelection(
    of definition: ExecutableDefinition, _ body: (Selection, NamedType) -> Void
  ) {
    forEachSelection(in: definition.selectionSet, on: definition.type, body)
  }

  // Not inlined: otherwise every level would contain copies of the next.
  @inline(never)
  func forEachSelection(
    in set: SelectionSet, on type: NamedType, _ body: (Selection, NamedType) -> Void
  ) {
    for selection in set.selections {
      body(selection, type)
      if let inner = inner(of: selection, on: type) {
        forEachSelection(in: inner.set, on: inner.type, body)
      }
    }
  }

  /// Returns the selections inside a selection from `type`, with the type that they are selected
  /// from; `nil` for a spread, a leaf or an unknown field.
  func inner(of selection: Selection, on type: NamedType) -> (set: SelectionSet, type: NamedType)? {
    switch selection {
    case .field(let field):
      guard let set = field.selectionSet,
        let definition = self.field(named: field.name.symbol, on: type)
      else { return nil }
      return (set, self[definition.type.named])
    case .inlineFragment(let fragment):
      let condition = fragment.typeCondition.flatMap { self.type(named: $0.symbol) }
      return (fragment.selectionSet, condition ?? type)
    case .fragmentSpread: return nil
    }
  }
}

extension [ExecutableDefinition] {
  /// The fragments by name.
  var fragments: [Symbol: ExecutableDefinition] {
    reduce(into: [:]) { fragments, definition in
      guard definition.operation == nil, let name = definition.name else { return }
      fragments[name.symbol] = definition
    }
  }
}
