extension Rules {
  /// Allows a non-repeatable directive only once per location. A type's definition and extensions
  /// count as one location.
  static let uniqueDirectivesPerLocation: Rule = { context, visitors in
    func check(_ directives: [Directive], _ first: inout [Symbol: Directive]) {
      for directive in directives {
        let symbol = directive.name.symbol
        guard let definition = context.directives[symbol], !definition.isRepeatable else {
          continue
        }
        guard let earlier = first[symbol] else {
          first[symbol] = directive
          continue
        }
        context.report(
          "unique-directives-per-location",
          "The directive \"@\(context.text(symbol))\" can only be used once at this location.",
          at: earlier.span, directive.span)
      }
    }
    visitors.directives.append { directives, location in
      guard directives.count > 1, !location.isOfNamedType, location != .schema else { return }
      var first: [Symbol: Directive] = [:]
      check(directives, &first)
    }
    var ofSchema: [Symbol: Directive] = [:]
    var ofTypes: [Symbol: [Symbol: Directive]] = [:]
    visitors.typeSystem.append { definition in
      switch definition {
      case .schema(let schema): check(schema.directives, &ofSchema)
      case .type(let type) where !type.directives.isEmpty:
        check(type.directives, &ofTypes[type.name.symbol, default: [:]])
      default: break
      }
    }
  }
}

extension DirectiveLocation {
  /// Whether the location is the definition of a named type, which can have extensions.
  var isOfNamedType: Bool { TypeDefinition.Kind.allCases.contains { $0.directiveLocation == self } }
}
