/// An input value that may be left out, be null, or have a value: three different things to a
/// GraphQL server.
///
///     note: .none          // left out: the server's default, or no change
///     note: .null          // an explicit null
///     note: "hello"        // a value
///     note: optional ?? .null
///
/// Source: GraphQL specification, September 2025, section 2.9.5.
public enum GraphQLNullable<Wrapped> {
  /// Left out.
  case none
  /// An explicit null.
  case null
  /// A value.
  case some(Wrapped)

  /// The value of an optional, and what to send where it has none; there is no default, because
  /// both are common and mean different things.
  public init(_ optional: Wrapped?, ifNil: GraphQLNullable) {
    self = optional.map(GraphQLNullable.some) ?? ifNil
  }

  /// The value, if there is one.
  public var unwrapped: Wrapped? {
    if case .some(let value) = self { value } else { nil }
  }
}

extension GraphQLNullable: Sendable where Wrapped: Sendable {}
extension GraphQLNullable: Equatable where Wrapped: Equatable {}
extension GraphQLNullable: Hashable where Wrapped: Hashable {}

/// The value, or another input value where there is none.
@_disfavoredOverload
public func ?? <Wrapped>(
  optional: Wrapped?, fallback: @autoclosure () -> GraphQLNullable<Wrapped>
) -> GraphQLNullable<Wrapped> {
  optional.map(GraphQLNullable.some) ?? fallback()
}

extension GraphQLNullable: ExpressibleByNilLiteral {
  public init(nilLiteral: ()) { self = .none }
}

extension GraphQLNullable: ExpressibleByUnicodeScalarLiteral
where Wrapped: ExpressibleByUnicodeScalarLiteral {
  public init(unicodeScalarLiteral value: Wrapped.UnicodeScalarLiteralType) {
    self = .some(Wrapped(unicodeScalarLiteral: value))
  }
}

extension GraphQLNullable: ExpressibleByExtendedGraphemeClusterLiteral
where Wrapped: ExpressibleByExtendedGraphemeClusterLiteral {
  public init(extendedGraphemeClusterLiteral value: Wrapped.ExtendedGraphemeClusterLiteralType) {
    self = .some(Wrapped(extendedGraphemeClusterLiteral: value))
  }
}

extension GraphQLNullable: ExpressibleByStringLiteral where Wrapped: ExpressibleByStringLiteral {
  public init(stringLiteral value: Wrapped.StringLiteralType) {
    self = .some(Wrapped(stringLiteral: value))
  }
}

extension GraphQLNullable: ExpressibleByIntegerLiteral where Wrapped: ExpressibleByIntegerLiteral {
  public init(integerLiteral value: Wrapped.IntegerLiteralType) {
    self = .some(Wrapped(integerLiteral: value))
  }
}

extension GraphQLNullable: ExpressibleByFloatLiteral where Wrapped: ExpressibleByFloatLiteral {
  public init(floatLiteral value: Wrapped.FloatLiteralType) {
    self = .some(Wrapped(floatLiteral: value))
  }
}

extension GraphQLNullable: ExpressibleByBooleanLiteral where Wrapped: ExpressibleByBooleanLiteral {
  public init(booleanLiteral value: Wrapped.BooleanLiteralType) {
    self = .some(Wrapped(booleanLiteral: value))
  }
}
