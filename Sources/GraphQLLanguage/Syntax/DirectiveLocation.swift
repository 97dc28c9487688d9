/// A location where a directive can be allowed, as listed in directive definitions.
public enum DirectiveLocation: UInt8, CaseIterable, Hashable, Sendable {
  /// `QUERY`
  case query
  /// `MUTATION`
  case mutation
  /// `SUBSCRIPTION`
  case subscription
  /// `FIELD`
  case field
  /// `FRAGMENT_DEFINITION`
  case fragmentDefinition
  /// `FRAGMENT_SPREAD`
  case fragmentSpread
  /// `INLINE_FRAGMENT`
  case inlineFragment
  /// `VARIABLE_DEFINITION`
  case variableDefinition
  /// `SCHEMA`
  case schema
  /// `SCALAR`
  case scalar
  /// `OBJECT`
  case object
  /// `FIELD_DEFINITION`
  case fieldDefinition
  /// `ARGUMENT_DEFINITION`
  case argumentDefinition
  /// `INTERFACE`
  case interface
  /// `UNION`
  case union
  /// `ENUM`
  case `enum`
  /// `ENUM_VALUE`
  case enumValue
  /// `INPUT_OBJECT`
  case inputObject
  /// `INPUT_FIELD_DEFINITION`
  case inputFieldDefinition

  /// Creates the location named `symbol`, such as `FIELD`; `nil` if there is no such location.
  public init?(_ symbol: Symbol) {
    guard symbol.index >= Symbol.firstDirectiveLocation else { return nil }
    let offset = symbol.index - Symbol.firstDirectiveLocation
    guard offset < UInt32(Self.allCases.count) else { return nil }
    self.init(rawValue: UInt8(offset))
  }

  /// The location's name, such as `FIELD`.
  public var symbol: Symbol { Symbol(index: Symbol.firstDirectiveLocation + UInt32(rawValue)) }

  /// Whether the location is in executable documents rather than in type system documents.
  public var isExecutable: Bool { rawValue <= Self.variableDefinition.rawValue }
}
