extension Rules {
  /// Requires the schema to have a root type for each operation. This is Operation Type Existence
  /// in the specification; the reference implementation does not check it.
  static let knownOperationTypes: Rule = { context, visitors in
    visitors.operation.append { operation in
      guard context.schema.rootType(of: operation.operation) == nil else { return }
      let kind = operation.operation.rawValue
      context.report(
        "known-operation-types",
        "The schema has no \(kind) type, so it cannot execute a \(kind).",
        at: Span(
          start: operation.span.start, end: operation.selectionSet.span.start,
          source: operation.span.source))
    }
  }
}
