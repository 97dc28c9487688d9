/// A GraphQL enum type, generated as a Swift enum with a case for each value of the compiled
/// schema, and `unrecognized(String)` for values that the server has added since.
public protocol GraphQLEnum: GraphQLInput, SlotValue, Hashable, RawRepresentable, CaseIterable
where RawValue == String {
  /// Creates the case of a value: `unrecognized` if the compiled schema does not have the value.
  init(rawValue: String)
}

extension GraphQLEnum {
  public var __json: JSONValue? { .string(rawValue) }

  public static func == (left: Self, right: Self) -> Bool {
    left.rawValue.hasSameBytes(as: right.rawValue)
  }

  public func hash(into hasher: inout Hasher) { rawValue.hashBytes(into: &hasher) }
}

extension GraphQLEnum {
  public init?(__slot: RowSlot) {
    guard case .string(let string) = __slot.value else { return nil }
    self.init(rawValue: string)
  }

  public var __slot: RowSlot { RowSlot(.string(rawValue)) }
}

/// An enum type with deprecated values.
///
/// Generated code must name the deprecated cases, and Swift warns about that except inside a
/// deprecated declaration. The conforming enum declares these requirements as deprecated, and the
/// extension calls them through the protocol.
public protocol GraphQLDeprecatedCases: GraphQLEnum {
  /// The deprecated cases with their raw values.
  static var __deprecated: [(String, Self)] { get }
  /// The raw value, if this is a deprecated case.
  var __deprecatedName: String { get }
}

extension GraphQLDeprecatedCases {
  /// Returns the deprecated case of a raw value; `nil` for all other values.
  public static func __deprecatedCase(_ rawValue: String) -> Self? {
    __deprecated.first { $0.0.hasSameBytes(as: rawValue) }?.1
  }

  /// The deprecated cases.
  public static var __deprecatedCases: [Self] { __deprecated.map(\.1) }

  /// The raw value, if this is a deprecated case.
  public var __nameOfDeprecated: String { __deprecatedName }
}

/// The name of an object type, generated as a struct with a static property for each type that an
/// optimistic response can have.
public protocol GraphQLObjectType: SlotValue, Hashable {
  var __name: String { get }
  init(__name: String)
}

extension GraphQLObjectType {
  /// Creates the name of a type that was read, such as an object's `__typename`.
  public init(_ typename: String) { self.init(__name: typename) }

  public init?(__slot: RowSlot) {
    guard case .string(let string) = __slot.value else { return nil }
    self.init(__name: string)
  }

  public var __slot: RowSlot { RowSlot(.string(__name)) }
}
