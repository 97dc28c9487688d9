import GraphQLLanguage

/// Relay's naming rule that definitions are named after their file. The configuration enables it.
package enum FileNamePrefix {
  static func diagnostics(
    for documents: [Document], file: String, symbols: SymbolTable
  ) -> [Diagnostic] {
    let prefix = moduleName(ofFile: file)
    return documents.flatMap(\.definitions).compactMap { definition in
      switch definition {
      case .operation(let operation):
        guard let name = operation.name else { return nil }
        let text = symbols[name.symbol]
        let kind = SwiftName.upperFirst(operation.operation.rawValue)
        if text.hasPrefix(prefix), text.hasSuffix(kind) { return nil }
        return diagnostic(
          "Operation \"\(text)\" in \"\(file)\" must be called \"\(prefix)\(kind)\", or start with "
            + "\"\(prefix)\" and end with \"\(kind)\". Rename it, or remove \"fileNamePrefix\" from "
            + "relay.config.json.", at: name.span)
      case .fragment(let fragment):
        let text = symbols[fragment.name.symbol]
        if text == prefix || text.hasPrefix(prefix + "_") { return nil }
        return diagnostic(
          "Fragment \"\(text)\" in \"\(file)\" must be called \"\(prefix)\" or \"\(prefix)_<name>\". Rename it, "
            + "or remove \"fileNamePrefix\" from relay.config.json.", at: fragment.name.span)
      default: return nil
      }
    }
  }

  private static func diagnostic(_ message: String, at span: Span) -> Diagnostic {
    Diagnostic(rule: "file-name-prefix", message: message, at: span)
  }

  /// Returns the file's name up to its first period, without characters that are invalid in a
  /// GraphQL name. The letter after such characters is capitalized.
  package static func moduleName(ofFile file: String) -> String {
    let stem = file.prefix { $0 != "." }
    let words = stem.split { !($0.isASCII && ($0.isLetter || $0.isNumber || $0 == "_")) }
    guard let first = words.first else { return "" }
    return words.dropFirst().reduce(String(first)) { $0 + SwiftName.upperFirst(String($1)) }
  }
}
