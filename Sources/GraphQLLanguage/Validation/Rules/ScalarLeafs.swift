extension Rules {
  /// Requires a selection set on fields of composite types, and forbids it on fields of leaf types.
  static let scalarLeafs: Rule = { context, visitors in
    visitors.field.append { field, _, definition in
      guard let definition else { return }
      let type = context.schema[definition.type.named]
      let name = context.text(field.name.symbol)
      if type.isLeaf, let selectionSet = field.selectionSet {
        context.report(
          "scalar-leafs",
          "Field \"\(name)\" must not have a selection since type "
            + "\"\(context.schema.text(of: definition.type))\" has no subfields.",
          at: selectionSet.span)
      } else if type.isComposite, field.selectionSet == nil {
        context.report(
          "scalar-leafs",
          "Field \"\(name)\" of type \"\(context.schema.text(of: definition.type))\" must have a "
            + "selection of subfields. Did you mean \"\(name) { ... }\"?",
          at: field.nameSpan)
      }
    }
  }
}
