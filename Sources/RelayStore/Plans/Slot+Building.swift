/// What generated initializers use beside `__slot`.
extension Slot {
  /// An object built by hand; slots that are left out at the end are absent.
  @_semantics("optimize.sil.specialize.generic.never")
  public init(_ plan: Plan, _ slots: [Slot]) { self.init(.row(Row(plan, slots).storage)) }

  /// A value under `@include` or `@skip`, or one that an optimistic response may leave out: absent
  /// where the optional is `nil`.
  @_semantics("optimize.sil.specialize.generic.never")
  public static func optional(_ value: (some RowValue)?) -> Slot { value?.__slot ?? .absent }
}

extension GraphQLNullable where Wrapped: RowValue {
  /// `.none` is absent, `.null` a null.
  @_semantics("optimize.sil.specialize.generic.never")
  public var __slot: Slot {
    switch self {
    case .none: .absent
    case .null: Slot(.null)
    case .some(let value): value.__slot
    }
  }
}
