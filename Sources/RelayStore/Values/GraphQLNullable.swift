/// An input value that may be omitted, be null, or have a value. A GraphQL server distinguishes the
/// three.
///
///     note: .none          // omitted: the server's default, or no change
///     note: .null          // an explicit null
///     note: "hello"        // a value
///     note: optional ?? .null
///
/// Source: GraphQL specification, September 2025, section 2.9.5.
public enum GraphQLNullable<Wrapped> {
  /// Omitted.
  case none
  /// An explicit null.
  case null
  /// A value.
  case some(Wrapped)

  /// Creates an input value from a value; same as ``some(_:)``.
  public init(_ value: Wrapped) { self = .some(value) }

  /// Creates an input value from an optional.
  ///
  /// `ifNil` has no default, because omitting a value and sending null are both common and mean
  /// different things.
  ///
  /// - Parameters:
  ///   - optional: The value, or `nil`.
  ///   - ifNil: The input value for `nil`.
  public init(_ optional: Wrapped?, ifNil: GraphQLNullable) {
    self = optional.map(GraphQLNullable.some) ?? ifNil
  }

  /// The wrapped value; `nil` for ``none`` and ``null``.
  public var unwrapped: Wrapped? {
    if case .some(let value) = self { value } else { nil }
  }
}

extension GraphQLNullable: Sendable where Wrapped: Sendable {}
extension GraphQLNullable: Equatable where Wrapped: Equatable {}
extension GraphQLNullable: Hashable where Wrapped: Hashable {}

/// Returns the optional's value, or `fallback` for `nil`.
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

extension GraphQLNullable: ExpressibleByArrayLiteral where Wrapped: _ArrayLiteralInput {
  public init(arrayLiteral elements: Wrapped._Element...) {
    self = .some(Wrapped(_elements: elements))
  }
}

extension GraphQLNullable: ExpressibleByDictionaryLiteral where Wrapped: _DictionaryLiteralInput {
  public init(dictionaryLiteral elements: (String, Wrapped._Member)...) {
    self = .some(Wrapped(_members: elements))
  }
}

/// A type that an array literal of a ``GraphQLNullable`` can create.
public protocol _ArrayLiteralInput {
  associatedtype _Element
  init(_elements: [_Element])
}

/// A type that a dictionary literal of a ``GraphQLNullable`` can create. If a key repeats, the last
/// value counts.
public protocol _DictionaryLiteralInput {
  associatedtype _Member
  init(_members: [(String, _Member)])
}

extension Array: _ArrayLiteralInput {
  public init(_elements: [Element]) { self = _elements }
}

extension Dictionary: _DictionaryLiteralInput where Key == String {
  public init(_members: [(String, Value)]) {
    self.init(_members, uniquingKeysWith: { _, last in last })
  }
}

extension JSONObject: _DictionaryLiteralInput {
  public init(_members: [(String, JSONValue)]) { self.init(_members) }
}

extension JSONValue: _ArrayLiteralInput, _DictionaryLiteralInput {
  public init(_elements: [JSONValue]) { self = .array(_elements) }
  public init(_members: [(String, JSONValue)]) { self = .object(JSONObject(_members)) }
}
