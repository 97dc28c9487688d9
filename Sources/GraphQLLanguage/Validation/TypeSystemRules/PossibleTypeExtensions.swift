extension Rules {
  /// Requires an extended type to be defined with the same kind as the extension.
  static let possibleTypeExtensions: Rule = { context, visitors in
    var definitions: [Symbol: TypeDefinition] = [:]
    visitors.start.append {
      for document in context.documents {
        for case .type(let type) in document.definitions where !type.isExtension {
          definitions[type.name.symbol] = type
        }
      }
    }
    visitors.typeSystem.append { definition in
      guard case .type(let type) = definition, type.isExtension else { return }
      let name = context.text(type.name.symbol)
      let builtIn = context.schema.type(named: type.name.symbol)?.definition
      guard let extended = definitions[type.name.symbol] ?? builtIn else {
        let names = context.schema.types.lazy.filter { !$0.isBuiltIn }.map {
          context.text($0.symbol)
        }
        context.report(
          "possible-type-extensions",
          "Cannot extend type \"\(name)\" because it is not defined.", unknown: type.name,
          among: Array(names))
        return
      }
      guard extended.kind != type.kind else { return }
      let locations =
        definitions[type.name.symbol] == nil ? [type.span] : [extended.span, type.span]
      let kind = context.text(type.kind.directiveLocation.symbol).lowercased()
        .split(separator: "_").joined(separator: " ")
      context.report(
        "possible-type-extensions", "Cannot extend non-\(kind) type \"\(name)\".", at: locations)
    }
  }
}
