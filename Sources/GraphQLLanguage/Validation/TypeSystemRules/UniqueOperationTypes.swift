extension Rules {
  /// Allows a schema to name only one root type per operation type.
  static let uniqueOperationTypes: Rule = { context, visitors in
    var seen: [OperationType: Span] = [:]
    visitors.typeSystem.append { definition in
      guard case .schema(let schema) = definition else { return }
      for root in schema.operationTypes {
        guard let first = seen[root.operation] else {
          seen[root.operation] = root.span
          continue
        }
        context.report(
          "unique-operation-types",
          "There can be only one \(root.operation.rawValue) type in schema.", at: first, root.span)
      }
    }
  }
}
