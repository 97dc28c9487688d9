import GraphQLLanguage
import RelayStore

/// The rules of the built-in scalars.
enum ScalarRules {
  /// Whether a number is a GraphQL `Int`: an integer of 32 bits.
  static func isInt(_ number: JSONNumber) -> Bool {
    number.int.flatMap(Int32.init(exactly:)) != nil
  }
}

extension Schema {
  /// Returns whether a scalar or enum type can have a value in a response. Custom scalars can have
  /// any.
  func accepts(_ value: JSONValue, as type: NamedType) -> Bool {
    switch (type.symbol, value) {
    case (.int, .number(let number)): ScalarRules.isInt(number)
    case (.float, .number(let number)): number.double != nil
    case (.string, .string), (.boolean, .bool), (.id, .string): true
    case (.id, .number(let number)): Int(number.digits) != nil
    case (.int, _), (.float, _), (.string, _), (.boolean, _), (.id, _): false
    case (_, .string(let name)) where type.kind == .enum:
      symbols.find(name).flatMap { type.enumValues[named: $0] } != nil
    default: type.kind == .scalar
    }
  }
}
