extension Rules {
  /// Requires each field of an input object to be given once.
  static let uniqueInputFieldNames: Rule = { context, visitors in
    visitors.value.append { value, _ in
      guard case .object(let fields) = value.kind, fields.count > 1 else { return }
      for names in repeated(fields.map(\.name)) {
        for name in names.dropFirst() {
          context.report(
            "unique-input-field-names",
            "There can be only one input field named \"\(context.text(name.symbol))\".",
            at: names[0].span, name.span)
        }
      }
    }
  }
}
