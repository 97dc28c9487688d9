/// An enum type; generated as a Swift enum with a case for each known value and
/// `unrecognized(String)` for what the server has learned since.
public protocol GraphQLEnum: GraphQLInput, RowValue, Hashable, RawRepresentable, CaseIterable
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
  public init?(__slot: Slot) {
    guard case .string(let string) = __slot.value else { return nil }
    self.init(rawValue: string)
  }

  public var __slot: Slot { Slot(.string(rawValue)) }
}
