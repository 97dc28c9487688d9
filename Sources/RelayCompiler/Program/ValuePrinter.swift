import GraphQLLanguage

/// A printer of document values, as JSON for plans and as GraphQL for operation texts.
package struct ValuePrinter {
  let symbols: SymbolTable

  /// Prints a value as JSON without white space and with sorted keys. Variables are printed as
  /// `$name`.
  func json(_ value: Value) -> String {
    switch value.kind {
    case .variable(let name): "$" + symbols[name]
    case .int(let text): JavaScriptNumber.integer(symbols[text])
    case .float(let text): JavaScriptNumber.float(symbols[text])
    case .string(let text, _): Self.quoted(text)
    case .boolean(let value): value ? "true" : "false"
    case .null: "null"
    case .enumValue(let name): "\"" + symbols[name] + "\""
    case .list(let values): "[" + values.map(json).joined(separator: ",") + "]"
    case .object(let fields):
      "{"
        + fields.map { (symbols[$0.name.symbol], $0.value) }
        .sorted(byText: \.0)
        .map { "\"\($0.0)\":" + json($0.1) }.joined(separator: ",") + "}"
    }
  }

  /// Prints arguments as `name:value`, sorted by name and separated by commas.
  func sortedJSON(_ arguments: [IR.Argument]) -> String {
    if arguments.count == 1 { return symbols[arguments[0].name] + ":" + json(arguments[0].value) }
    return arguments.map { (symbols[$0.name], $0.value) }
      .sorted(byText: \.0)
      .map { $0.0 + ":" + json($0.1) }.joined(separator: ",")
  }

  /// Prints a value as GraphQL without white space.
  func graphQL(_ value: Value) -> String {
    switch value.kind {
    case .int(let text), .float(let text), .enumValue(let text): symbols[text]
    case .variable, .string, .boolean, .null: json(value)
    case .list(let values): "[" + values.map(graphQL).joined(separator: ",") + "]"
    case .object(let fields):
      "{"
        + fields.map { symbols[$0.name.symbol] + ":" + graphQL($0.value) }.joined(separator: ",")
        + "}"
    }
  }

  /// Quotes a string as a string literal, valid in both JSON and GraphQL.
  package static func quoted(_ text: String) -> String { text.quoted(isUppercase: false) }
}
