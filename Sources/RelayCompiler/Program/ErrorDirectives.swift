import GraphQLLanguage

extension IR {
  /// The `action` of `@required`: what happens when a field is null. Ordered by severity.
  package enum RequiredAction: String, CaseIterable, Sendable, Comparable {
    case none = "NONE"
    case log = "LOG"
    case `throw` = "THROW"

    package static func < (left: RequiredAction, right: RequiredAction) -> Bool {
      allCases.firstIndex(of: left) ?? 0 < allCases.firstIndex(of: right) ?? 0
    }
  }

  /// The `to` of `@catch`: the value of a field or definition that contains an error.
  package enum CatchTarget: String, CaseIterable, Sendable {
    case null = "NULL"
    case result = "RESULT"
  }

  /// The error handling of a definition, from its `@throwOnFieldError` or `@catch`.
  package enum ErrorHandling: String, Sendable {
    case `throw`
    case null
    case result
  }
}

/// A reader of the directives that handle nulls and errors.
struct ErrorDirectives {
  let symbols: SymbolTable

  /// Returns the action of `@required`; `nil` if the directive is missing or its action is invalid.
  func action(_ directives: [Directive]) -> IR.RequiredAction? {
    directives[named: .required].flatMap { directive in
      text(directive.argument("action", in: symbols)).flatMap(IR.RequiredAction.init)
    }
  }

  /// Returns the target of `@catch`, by default `.result`; `nil` if the directive is missing or its
  /// target is invalid.
  func target(_ directives: [Directive]) -> IR.CatchTarget? {
    guard let directive = directives[named: .catch] else { return nil }
    guard let value = directive.argument("to", in: symbols) else { return .result }
    return text(value).flatMap(IR.CatchTarget.init)
  }

  /// Returns the error handling that a definition's directives specify; `nil` if they specify none.
  func handling(_ directives: [Directive]) -> IR.ErrorHandling? {
    if directives[named: .throwOnFieldError] != nil { return .throw }
    return switch target(directives) {
    case .null: .null
    case .result: .result
    case nil: nil
    }
  }

  private func text(_ value: Value?) -> String? {
    guard case .enumValue(let name) = value?.kind else { return nil }
    return symbols[name]
  }
}

extension Schema {
  /// Returns the levels of a field's type at which a null can only be the result of an error, as
  /// `@semanticNonNull` says; level 0 is the outermost.
  func semanticNonNullLevels(of field: SchemaField) -> Set<Int> {
    guard let directive = field.directives[named: .semanticNonNull] else { return [] }
    guard case .list(let values) = directive.argument("levels", in: symbols)?.kind else {
      return [0]
    }
    return Set(
      values.compactMap { value in
        if case .int(let text) = value.kind { Int(symbols[text]) } else { nil }
      })
  }
}
