import GraphQLLanguage
import RelayStore

extension Schema {
  /// Coerces a scalar or enum value as for a response or a resolver's result: a number for an `ID`
  /// becomes a string. Custom scalars accept any value.
  ///
  /// - Returns: `nil` if the type has no such value.
  func coerce(_ value: JSONValue, to type: NamedType) -> JSONValue? {
    switch (type.symbol, value) {
    case (.int, .number(let number)) where number.int.flatMap(Int32.init(exactly:)) != nil: value
    case (.float, .number(let number)) where number.double != nil: value
    case (.string, .string), (.boolean, .bool), (.id, .string): value
    case (.id, .number(let number)) where Int(number.digits) != nil: .string(number.digits)
    case (.int, _), (.float, _), (.string, _), (.boolean, _), (.id, _): nil
    case (_, .string(let name)) where type.kind == .enum:
      symbols.find(name).flatMap { type.enumValues[named: $0] }.map { _ in value }
    case _ where type.kind == .scalar: value
    default: nil
    }
  }

  /// Returns the object type named `name` if it is `type` itself or one of its possible types.
  func objectType(named name: String, of type: TypeID) -> NamedType? {
    guard let object = self.type(named: name), object.kind == .object else { return nil }
    return isSubtype(object.id, of: type) ? object : nil
  }
}
