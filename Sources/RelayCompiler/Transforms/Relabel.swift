import GraphQLLanguage

/// A replacement of the labels of deferred and streamed parts.
struct Relabel {
  /// A part in a definition, with its label.
  struct Part {
    let label: PartLabel
    /// The identity of the spread or field with the directive, ignoring any alias.
    let selection: SelectionKey
    let object: Object
  }

  /// The object that contains a part, within a definition. Selections on equal objects are merged
  /// in the operation text.
  struct Object: Hashable {
    /// The response keys from the definition to the object.
    fileprivate(set) var path: [Symbol] = []
    /// The types of each object on the path, ending with the object itself. For each, this is the
    /// type of its field, followed by the type conditions not implied by the types before them.
    fileprivate(set) var types: [[TypeID]]

    init(type: TypeID) { types = [[type]] }
  }

  let schema: Schema
  /// The types that fragments are defined on, by fragment name.
  let fragments: [Symbol: TypeID]

  private var symbols: SymbolTable { schema.symbols }

  /// Returns the selections of an object with different labels.
  ///
  /// - Parameter replacement: Returns the new label of a part. It must return the same label every
  ///   time it is called for the same part.
  // Not inlined: inlining a recursive function would copy each level into the one above.
  @inline(never)
  func selections(
    _ selections: [IR.Selection], of object: Object, _ replacement: (Part) -> PartLabel
  ) -> [IR.Selection] {
    selections.replacing { selection in
      switch selection.content {
      case .field(let field):
        let field = relabeled(field, of: object, replacement)
        if field.selections.isEmpty { return selection.with(field) }
        let inner = self.selections(field.selections, of: object.linked(by: field), replacement)
        return selection.with(field.with(selections: inner))
      case .inlineFragment(let fragment):
        let inner = object.condition(fragment.type, in: schema)
        return selection.with(
          fragment, self.selections(fragment.selections, of: inner, replacement))
      case .spread(var spread):
        guard let deferral = spread.deferral else { return nil }
        var unaliased = spread
        unaliased.alias = nil
        // Same as in ``WrapSpreads``.
        let object = fragments[spread.name].map { object.condition($0, in: schema) } ?? object
        let label = replaced(
          symbols[deferral.part.label], of: object, selection: SelectionKey(unaliased), replacement)
        spread.deferral = IR.Deferral(
          part: DeferredPart(label: symbols.intern(label), fragment: deferral.part.fragment),
          condition: deferral.condition)
        return selection.with(.spread(spread))
      }
    }
  }

  /// Returns a field with a different `@stream` label, both in the directive that is sent and in
  /// the handle for plans.
  private func relabeled(
    _ field: IR.Field, of object: Object, _ replacement: (Part) -> PartLabel
  ) -> IR.Field {
    guard field.directives.contains(where: { $0.name.symbol == .stream }) else { return field }
    func value(_ name: Symbol, _ value: Value) -> Value {
      guard name == .label, case .string(let text, let isBlock) = value.kind else { return value }
      let label = replaced(
        text, of: object, selection: SelectionKey(field: field.responseKey), replacement)
      return Value(.string(label, isBlock: isBlock), span: value.span)
    }
    var details = field.details
    details.handles = details.handles.map { handle in
      guard handle.name == "stream" else { return handle }
      let arguments = handle.arguments.map {
        IR.Argument(name: $0.name, value: value($0.name, $0.value))
      }
      return IR.Handle(name: handle.name, arguments: arguments)
    }
    details.directives = details.directives.map { directive in
      guard directive.name.symbol == .stream else { return directive }
      let arguments = directive.arguments.map {
        Argument(name: $0.name, value: value($0.name.symbol, $0.value))
      }
      return Directive(name: directive.name, arguments: arguments, span: directive.span)
    }
    return field.with(details: details)
  }

  private func replaced(
    _ text: String, of object: Object, selection: SelectionKey, _ replacement: (Part) -> PartLabel
  ) -> String {
    guard let label = PartLabel(text) else { return text }
    return replacement(Part(label: label, selection: selection, object: object)).text
  }
}

extension Relabel.Object {
  /// Returns the object that a field of this one links to.
  fileprivate func linked(by field: IR.Field) -> Self {
    var object = self
    object.path.append(field.responseKey)
    object.types.append([field.type.named])
    return object
  }

  /// Returns the object under a type condition.
  fileprivate func condition(_ type: TypeID, in schema: Schema) -> Self {
    guard let last = types.indices.last,
      !types[last].contains(where: { schema.isSubtype($0, of: type) })
    else { return self }
    var object = self
    object.types[last].append(type)
    return object
  }

  /// Returns whether a single object can have the types of both.
  func overlaps(_ other: Self, in schema: Schema) -> Bool {
    path == other.path
      && zip(types, other.types).allSatisfy { left, right in
        left.allSatisfy { type in
          right.allSatisfy { schema.doTypesOverlap(schema[type], schema[$0]) }
        }
      }
  }
}
