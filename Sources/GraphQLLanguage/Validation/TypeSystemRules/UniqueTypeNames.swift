extension Rules {
  /// Requires types to have distinct names.
  static let uniqueTypeNames: Rule = { context, visitors in
    var seen: [Symbol: Name] = [:]
    visitors.typeSystem.append { definition in
      guard case .type(let type) = definition, !type.isExtension else { return }
      reportRepeated([type.name], seen: &seen) { first, name in
        context.report(
          "unique-type-names",
          "There can be only one type named \"\(context.text(name.symbol))\".",
          at: first.span, name.span, help: "Rename one, or make it an extension.")
      }
    }
  }
}
