/// An enum type; generated as a Swift enum with a case for each known value and
/// `unrecognized(String)` for what the server has learned since.
public protocol GraphQLEnum: GraphQLInput, SlotValue, Hashable, RawRepresentable, CaseIterable
where RawValue == String {
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
/// Generated code has to name them, which warns except in what is deprecated itself; these members
/// are, and the extension calls them.
public protocol GraphQLDeprecatedCases: GraphQLEnum {
  /// The deprecated cases with their values.
  static var __deprecated: [(String, Self)] { get }
  /// The value of a deprecated case.
  var __deprecatedName: String { get }
}

extension GraphQLDeprecatedCases {
  /// The deprecated case of a value.
  public static func __deprecatedCase(_ rawValue: String) -> Self? {
    __deprecated.first { $0.0.hasSameBytes(as: rawValue) }?.1
  }

  /// The deprecated cases.
  public static var __deprecatedCases: [Self] { __deprecated.map(\.1) }

  /// The value of a deprecated case.
  public var __nameOfDeprecated: String { __deprecatedName }
}
