import GraphQLLanguage

/// An operation or fragment, reduced to the properties they share.
struct ExecutableDefinition {
  /// The operation type; `nil` for a fragment.
  let operation: OperationType?
  let name: Name?
  /// The type condition; `nil` for an operation.
  let typeCondition: Name?
  let directives: [Directive]
  let selectionSet: SelectionSet
  /// The type of the objects that the selections apply to.
  let type: NamedType

  /// Returns `nil` for a type system definition, or if the schema does not have the type.
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

  /// Calls `body` with each selection in a definition and its parent type. A selection comes before
  /// the selections inside it.
  func forEachSelection(
    of definition: ExecutableDefinition, _ body: (Selection, NamedType) -> Void
  ) {
    forEachSelection(in: definition.selectionSet, on: definition.type, body)
  }

  // Not inlined: inlining a recursive function would copy each level into the one above.
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

  /// Returns the selections inside a selection on `type`, and their parent type; `nil` for a
  /// spread, a leaf or an unknown field.
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
