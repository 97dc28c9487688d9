import GraphQLLanguage

/// The checks of `@required`, `@catch` and `@throwOnFieldError` in one definition.
struct ErrorChecks {
  /// The `@required` fields of an object, by path.
  private typealias RequiredFields = [String: FieldOccurrence]

  /// One selection of a field, with its error directives.
  private struct FieldOccurrence {
    let name: String
    let span: Span
    let action: IR.RequiredAction?
    let target: IR.CatchTarget?
  }

  private let schema: Schema
  private let errors: ErrorDirectives
  /// The `@inline` directive on the fragment being checked.
  private let inline: Directive?
  private var diagnostics: [Diagnostic] = []
  /// The first selection at each path of response keys.
  private var occurrences: [String: FieldOccurrence] = [:]
  /// For each path, the required fields in the first selection of the object there.
  private var required: [String: (span: Span, fields: RequiredFields)] = [:]

  static func diagnostics(for definition: ExecutableDefinition, schema: Schema) -> [Diagnostic] {
    var checks = ErrorChecks(
      schema: schema, errors: ErrorDirectives(symbols: schema.symbols),
      inline: definition.directives[named: .inline])
    checks.checkDefinition(definition.directives)
    if hasErrorDirectives(in: definition.selectionSet) {
      let isCaught = checks.errors.handling(definition.directives) != nil
      let scope = Scope(type: definition.type, path: "", isCaught: isCaught, isAbstract: false)
      _ = checks.fields(of: definition.selectionSet, in: scope)
    }
    return checks.diagnostics
  }

  /// Returns whether a selection set contains an error directive to check.
  private static func hasErrorDirectives(in set: SelectionSet) -> Bool {
    let names: [Symbol] = [.required, .catch, .throwOnFieldError]
    return set.selections.contains { selection in
      selection.directives.contains { names.contains($0.name.symbol) }
        || selection.selectionSet.map(hasErrorDirectives) ?? false
    }
  }

  // MARK: Definitions

  private mutating func checkDefinition(_ directives: [Directive]) {
    guard let catches = directives[named: .catch] else { return }
    checkTarget(catches)
    if let throwing = directives[named: .throwOnFieldError] {
      diagnostics.report(
        rule: "catch-directive",
        message: "@catch and @throwOnFieldError contradict each other about the same errors.",
        at: catches.span, label: .init(throwing.span, "@throwOnFieldError is here"),
        help: "Remove one.")
    }
    if let inline {
      diagnostics.report(
        rule: "catch-directive", message: "@catch is not supported on a fragment with @inline.",
        at: catches.span, label: .init(inline.span, "@inline is here"),
        help: "Put @catch on the fragment's fields, or on a field that contains its spread.")
    }
  }

  // MARK: Selections

  /// The context of a selection set.
  private struct Scope {
    var type: NamedType?
    /// The response keys from the definition to this selection set, joined by dots.
    var path: String
    /// Whether an enclosing `@catch` or `@throwOnFieldError` handles errors here.
    var isCaught: Bool
    /// Whether the selections are in an inline fragment on an abstract type without `@alias`.
    var isAbstract: Bool
  }

  /// Checks the selection set of an object.
  ///
  /// - Returns: The object's `@required` fields, including those in inline fragments.
  private mutating func fields(of set: SelectionSet, in scope: Scope) -> RequiredFields {
    var result: RequiredFields = [:]
    for selection in set.selections {
      switch selection {
      case .field(let field): check(field, in: scope, required: &result)
      case .inlineFragment(let fragment):
        reportCatch(in: selection.directives, on: "an inline fragment")
        var inner = scope
        if let name = fragment.typeCondition {
          inner.type = schema.type(named: name.symbol)
          let hasAlias = fragment.directives[named: .alias] != nil
          inner.isAbstract = inner.type?.isAbstract == true && !hasAlias
        }
        result.merge(fields(of: fragment.selectionSet, in: inner)) { first, _ in first }
      case .fragmentSpread:
        reportCatch(in: selection.directives, on: "a fragment spread")
      }
    }
    return result
  }

  /// Reports `@catch` on an inline fragment or a spread.
  private mutating func reportCatch(in directives: [Directive], on subject: String) {
    guard let catches = directives[named: .catch] else { return }
    diagnostics.report(
      rule: "catch-directive", message: "@catch is not supported on \(subject).",
      at: catches.span,
      help: "Put it on a field, or on the definition.")
  }

  private mutating func check(
    _ field: Field, in scope: Scope, required result: inout RequiredFields
  ) {
    let key = schema.symbols[field.responseKey]
    let path = scope.path.isEmpty ? key : scope.path + "." + key
    let occurrence = FieldOccurrence(
      name: key, span: (field.alias ?? field.name).span, action: errors.action(field.directives),
      target: errors.target(field.directives))
    checkDirectives(of: field, in: scope)
    compare(occurrence, at: path)
    if occurrence.action != nil { result[path] = occurrence }
    guard let set = field.selectionSet else { return }
    let definition = scope.type.flatMap { schema.field(named: field.name.symbol, on: $0) }
    let inner = Scope(
      type: definition.map { schema[$0.type.named] }, path: path,
      isCaught: scope.isCaught || occurrence.target != nil, isAbstract: false)
    let required = fields(of: set, in: inner)
    compare(required, of: occurrence, at: path)
    if let action = occurrence.action { checkSeverity(of: required, in: field, action: action) }
  }

  private mutating func checkDirectives(of field: Field, in scope: Scope) {
    if let throwing = field.directives[named: .throwOnFieldError] {
      diagnostics.report(
        rule: "throw-on-field-error", message: "@throwOnFieldError is not supported on a field.",
        at: throwing.span, help: "Put it on the fragment or operation.")
    }
    if let catches = field.directives[named: .catch] {
      checkTarget(catches)
      if let required = field.directives[named: .required] {
        diagnostics.report(
          rule: "catch-directive", message: "@catch and @required cannot be on the same field.",
          at: catches.span, label: .init(required.span, "@required is here"),
          help: "Put @catch on an enclosing field, or remove one.")
      }
    }
    if let required = field.directives[named: .required] {
      checkRequired(required, on: field, in: scope)
    }
  }

  private mutating func checkTarget(_ catches: Directive) {
    guard errors.target([catches]) == nil,
      let value = catches.argument("to", in: schema.symbols)
    else { return }
    diagnostics.report(
      rule: "catch-directive", message: "\"to\" of @catch must be NULL or RESULT.", at: value.span)
  }

  // MARK: @required

  private mutating func checkRequired(
    _ required: Directive, on field: Field, in scope: Scope
  ) {
    if errors.action([required]) == nil,
      let value = required.argument("action", in: schema.symbols)
    {
      diagnostics.report(
        rule: "required-directive", message: "\"action\" of @required must be NONE, LOG or THROW.",
        at: value.span,
        correction: .replacement(
          of: value.span, with: IR.RequiredAction.allCases.map(\.rawValue)))
    }
    if let inline {
      diagnostics.report(
        rule: "required-directive",
        message: "@required is not supported in a fragment with @inline.",
        at: required.span, label: .init(inline.span, "@inline is here"), help: "Remove one of them."
      )
    }
    if scope.isAbstract {
      diagnostics.report(
        rule: "required-directive",
        message:
          "@required cannot be in an inline fragment on an interface or union: a null field "
          + "could not be distinguished from an object of another type.", at: required.span,
        help: "Give the inline fragment a name with @alias.")
    }
    checkNullability(required, of: field, in: scope)
  }

  private mutating func checkNullability(
    _ required: Directive, of field: Field, in scope: Scope
  ) {
    guard
      let definition = scope.type.flatMap({ schema.field(named: field.name.symbol, on: $0) })
    else { return }
    let name = schema.symbols[field.name.symbol]
    var message: String?
    if definition.type.isNonNull {
      message = "Field \"\(name)\" is non-null and does not need @required."
    } else if scope.isCaught, schema.semanticNonNullLevels(of: definition).contains(0) {
      message =
        "Field \"\(name)\" is @semanticNonNull and does not need @required where errors are caught "
        + "or thrown."
    }
    guard let message else { return }
    diagnostics.report(
      severity: .warning, rule: "required-directive", message: message, at: required.span,
      help: "Remove @required.")
  }

  /// Reports `@required` children whose action is less severe than their parent's. A null child
  /// makes the parent null, so the parent's action would apply to the child.
  private mutating func checkSeverity(
    of fields: RequiredFields, in parent: Field, action: IR.RequiredAction
  ) {
    guard let directive = parent.directives[named: .required] else { return }
    for (_, child) in fields.sorted(by: { $0.key < $1.key }) {
      guard let other = child.action, other < action else { continue }
      diagnostics.report(
        rule: "required-directive",
        message:
          "Field \"\(child.name)\" has @required(action: \(other.rawValue)), less severe than "
          + "\(action.rawValue) on the enclosing field.", at: directive.span,
        label: .init(child.span, "less severe here"),
        help: "Use \(other.rawValue) on the enclosing field, or \(action.rawValue) here.")
    }
  }

  // MARK: Repeated selections of a field

  private mutating func compare(_ occurrence: FieldOccurrence, at path: String) {
    guard let first = occurrences[path] else {
      occurrences[path] = occurrence
      return
    }
    compare("@required", of: first, and: occurrence) { $0.action?.rawValue }
    compare("@catch", of: first, and: occurrence) { $0.target?.rawValue }
  }

  private mutating func compare(
    _ directive: String, of first: FieldOccurrence, and second: FieldOccurrence,
    by value: (FieldOccurrence) -> String?
  ) {
    let (firstValue, secondValue) = (value(first), value(second))
    if firstValue == secondValue { return }
    let rule = directive.dropFirst() + "-directive"
    if let firstValue, let secondValue {
      diagnostics.report(
        rule: String(rule),
        message: "Field \"\(second.name)\" has \(directive) with \(secondValue) here and with "
          + "\(firstValue) elsewhere.", at: second.span,
        label: .init(first.span, "\(firstValue) here"),
        help: "Use the same value in all selections of the field.")
      return
    }
    let (with, without) = firstValue == nil ? (second, first) : (first, second)
    diagnostics.report(
      rule: String(rule),
      message: "Field \"\(with.name)\" has \(directive) here and not elsewhere.",
      at: with.span, label: .init(without.span, "without it here"),
      help: "Add \(directive) there, or use different aliases.")
  }

  /// Reports `@required` fields that are missing where the object at `path` is selected elsewhere.
  /// All selections of one object must require the same fields.
  private mutating func compare(
    _ fields: RequiredFields, of parent: FieldOccurrence, at path: String
  ) {
    guard let (span, first) = required[path] else {
      required[path] = (parent.span, fields)
      return
    }
    reportMissing(fields, in: first, of: parent.name, at: span)
    reportMissing(first, in: fields, of: parent.name, at: parent.span)
  }

  private mutating func reportMissing(
    _ fields: RequiredFields, in others: RequiredFields, of parent: String, at span: Span
  ) {
    for (path, field) in fields.sorted(by: { $0.key < $1.key }) where others[path] == nil {
      diagnostics.report(
        rule: "required-directive",
        message:
          "Field \"\(field.name)\" is @required here and missing where \"\(parent)\" is selected "
          + "elsewhere.", at: field.span, label: .init(span, "missing here"),
        help: "Select it with @required in all selections of the object.")
    }
  }
}
