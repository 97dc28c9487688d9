extension SchemaRules {
  /// Requires a query type, and requires root types to be object types.
  static let rootTypes: SchemaRule = { check in
    let schema = check.schema
    let rule = "root-types"
    if schema.queryType == nil {
      let definition = schema.schemaDefinitions.first { !$0.isExtension }
      check.report(
        rule, "Query root type must be provided.", at: definition?.span ?? .none,
        help: "Define \"type Query\", or name the type with \"schema { query: … }\".")
    }
    for operation in OperationType.allCases {
      guard let type = schema.rootType(of: operation), type.kind != .object else { continue }
      let title = operation.rawValue.prefix(1).uppercased() + operation.rawValue.dropFirst()
      let condition = operation == .query ? "" : " if provided"
      check.report(
        rule,
        "\(title) root type must be Object type\(condition), it cannot be "
          + "\"\(check.text(type.symbol))\".", at: check.rootSpan(of: operation, type))
    }
  }

  /// Requires the root types to be distinct.
  static let distinctRootTypes: SchemaRule = { check in
    // The reference implementation does not have this rule, so it applies only when there are no
    // other errors.
    guard check.diagnostics.isEmpty else { return }
    var seen: [TypeID: OperationType] = [:]
    for operation in OperationType.allCases {
      guard let type = check.schema.rootType(of: operation) else { continue }
      guard let other = seen[type.id] else {
        seen[type.id] = operation
        continue
      }
      check.report(
        "root-types",
        "Type \"\(check.text(type.symbol))\" cannot be the root type of both "
          + "\(other.rawValue) and \(operation.rawValue).",
        at: check.rootSpan(of: operation, type))
    }
  }
}

extension SchemaCheck {
  /// Returns the source range where the schema names an operation's root type, falling back to the
  /// type's definition.
  fileprivate func rootSpan(of operation: OperationType, _ type: NamedType) -> Span {
    let named = schema.schemaDefinitions.lazy.flatMap(\.operationTypes).first {
      $0.operation == operation
    }
    return named?.type.span ?? type.definition.span
  }
}
