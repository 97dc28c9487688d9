extension Rules {
  /// Requires a schema to have at most one `schema` definition.
  static let loneSchemaDefinition: Rule = { context, visitors in
    var first: Span?
    visitors.typeSystem.append { definition in
      guard case .schema(let schema) = definition, !schema.isExtension else { return }
      guard let first else { return first = schema.span }
      context.report(
        "lone-schema-definition", "Must provide only one schema definition.", at: schema.span,
        labels: [.init(first, "the first is here")], help: "Make it \"extend schema\".")
    }
  }
}
