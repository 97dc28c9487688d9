/// A check of a single literal against a type. Skips the fields of input objects.
struct LiteralCheck {
  let schema: Schema
  /// The time budget for suggestions; `nil` leaves suggestions out.
  var suggestionBudget: SuggestionBudget?

  /// The problem with a value.
  struct Problem {
    let message: String
    /// The enum values that resemble the value; the message suggests them.
    var suggestions: [String] = []
  }

  /// Returns the problem with a value, or `nil` when it is valid. The value is neither `null` nor a
  /// variable. A list type also accepts a single element.
  func problem(with value: Value, as type: ResolvedType) -> Problem? {
    let named = schema[type.named]
    switch named.kind {
    case .scalar: return problem(with: value, asScalar: named).map { Problem(message: $0) }
    case .enum: return problem(with: value, asEnum: named)
    default:
      return Problem(
        message: "Expected value of type \"\(schema.text(of: type))\", found \(text(value)).")
    }
  }

  private func problem(with value: Value, asScalar type: NamedType) -> String? {
    switch type.symbol {
    case .int:
      guard case .int(let digits) = value.kind else {
        return "Int cannot represent non-integer value: \(text(value))."
      }
      return Int32(schema.symbols[digits]) != nil
        ? nil : "Int cannot represent non 32-bit signed integer value: \(text(value))."
    case .float:
      switch value.kind {
      case .int, .float: return nil
      default: return "Float cannot represent non numeric value: \(text(value))."
      }
    case .string:
      if case .string = value.kind { return nil }
      return "String cannot represent a non string value: \(text(value))."
    case .boolean:
      if case .boolean = value.kind { return nil }
      return "Boolean cannot represent a non boolean value: \(text(value))."
    case .id:
      switch value.kind {
      case .int, .string: return nil
      default: return "ID cannot represent a non-string and non-integer value: \(text(value))."
      }
    default: return nil
    }
  }

  private func problem(with value: Value, asEnum type: NamedType) -> Problem? {
    let name = schema.symbols[type.symbol]
    let valueNames = type.enumValues.lazy.map { schema.symbols[$0.symbol] }
    guard case .enumValue(let symbol) = value.kind else {
      let shown = text(value)
      let bare = shown.filter { $0 != "\"" }
      return problem(
        "Enum \"\(name)\" cannot represent non-enum value: \(shown).", with: bare,
        among: valueNames)
    }
    guard type.enumValues[named: symbol] == nil else { return nil }
    let value = schema.symbols[symbol]
    return problem(
      "Value \"\(value)\" does not exist in \"\(name)\" enum.", with: value, among: valueNames)
  }

  private func problem(
    _ message: String, with name: String, among names: some Collection<String>
  ) -> Problem {
    let suggestions = suggestionBudget?.suggestions(for: name, among: names) ?? []
    let question = didYouMean(suggestions, subject: "the enum value").map { " " + $0 }
    return Problem(message: message + (question ?? ""), suggestions: suggestions)
  }

  private func text(_ value: Value) -> String { value.shortText(in: schema.symbols) }
}
