import GraphQLLanguage
import RelayCompiler

extension Schema {
  /// Returns a text that is the same for all literals that a type coerces to the same value: `1` and
  /// `1.0` as a `Float`, a string and a block string, a single value and its list.
  ///
  /// - Parameter type: The type; `nil` if it is unknown.
  func comparableText(of literal: Value, as type: ResolvedType?) -> String {
    switch literal.kind {
    case .list(let items):
      let item = type?.item
      return "[\(items.map { comparableText(of: $0, as: item) }.joined(separator: ","))]"
    case .null, .variable: return symbols.text(of: literal)
    case _ where type?.isList == true:
      return "[\(comparableText(of: literal, as: type?.item))]"
    case .object(let fields):
      // The order of fields has no meaning.
      let inputFields = type.map { self[$0.named].inputFields }
      let texts = fields.map { field in
        let text = comparableText(
          of: field.value, as: inputFields?[named: field.name.symbol]?.type)
        return "\(symbols[field.name.symbol]):\(text)"
      }
      return "{\(texts.sorted().joined(separator: ","))}"
    case .string(let text, _): return ValuePrinter.quoted(text)
    case .int(let digits), .float(let digits):
      let text = symbols[digits]
      switch type.map({ self[$0.named].symbol }) {
      case .id?: return ValuePrinter.quoted(text)
      case .float?: return Double(text).flatMap { $0.isFinite ? "\($0)" : nil } ?? text
      default: return text
      }
    case .boolean, .enumValue: return symbols.text(of: literal)
    }
  }
}
