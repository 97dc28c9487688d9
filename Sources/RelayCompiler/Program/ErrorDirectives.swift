import GraphQLLanguage

extension IR {
  /// What `@required` says is to be done when a field is null; the later the more severe.
  package enum RequiredAction: String, CaseIterable, Sendable, Comparable {
    case none = "NONE"
    case log = "LOG"
    case `throw` = "THROW"

    package static func < (left: RequiredAction, right: RequiredAction) -> Bool {
      allCases.firstIndex(of: left) ?? 0 < allCases.firstIndex(of: right) ?? 0
    }
  }

  /// What a field or definition with `@catch` is when anything inside it failed.
  package enum CatchTarget: String, CaseIterable, Sendable {
    case null = "NULL"
    case result = "RESULT"
  }

  /// What a definition does when fields of it fail.
  package enum ErrorHandling: String, Sendable {
    case `throw`
    case null
    case result
  }
}

/// Reads the directives that say what nulls and errors become.
struct ErrorDirectives {
  let symbols: SymbolTable
  private let required: Symbol
  private let catches: Symbol
  private let throwOnFieldError: Symbol

  init(symbols: SymbolTable) {
    self.symbols = symbols
    required = symbols.intern("required")
    catches = symbols.intern("catch")
    throwOnFieldError = symbols.intern("throwOnFieldError")
  }

  /// `@required` among the directives.
  func required(_ directives: [Directive]) -> Directive? { directives[named: required] }

  /// `@catch` among the directives.
  func catches(_ directives: [Directive]) -> Directive? { directives[named: catches] }

  /// `@throwOnFieldError` among the directives.
  func throwOnFieldError(_ directives: [Directive]) -> Directive? {
    directives[named: throwOnFieldError]
  }

  /// What `@required` says; `nil` also where it does not say it well.
  func action(_ directives: [Directive]) -> IR.RequiredAction? {
    required(directives).flatMap { directive in
      text(directive.argument("action", in: symbols)).flatMap(IR.RequiredAction.init)
    }
  }

  /// What `@catch` says.
  func target(_ directives: [Directive]) -> IR.CatchTarget? {
    guard let directive = catches(directives) else { return nil }
    guard let value = directive.argument("to", in: symbols) else { return .result }
    return text(value).flatMap(IR.CatchTarget.init)
  }

  /// What the directives of a definition say.
  func handling(_ directives: [Directive]) -> IR.ErrorHandling? {
    if throwOnFieldError(directives) != nil { return .throw }
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
  /// The levels of a field's type at which `@semanticNonNull` says that null means an error; 0 is
  /// outermost.
  func semanticNonNullLevels(of field: SchemaField) -> Set<Int> {
    guard let directive = field.directives[named: symbols.intern("semanticNonNull")] else {
      return []
    }
    guard case .list(let values) = directive.argument("levels", in: symbols)?.kind else {
      return [0]
    }
    return Set(
      values.compactMap { value in
        if case .int(let text) = value.kind { Int(symbols[text]) } else { nil }
      })
  }
}
