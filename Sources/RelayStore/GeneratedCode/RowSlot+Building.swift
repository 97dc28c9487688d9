/// The initializers that generated code calls.
extension RowSlot {
  /// Creates the slot of a value.
  init(of value: some RowValue) {
    switch value {
    case let value as any SlotValue: self = value.__slot
    case let view as any GraphQLView: self.init(.row(view.__row.box))
    default: self = .absent
    }
  }

  /// Creates a slot that contains an object, from the values in the object's row. Values omitted at
  /// the end are absent.
  @_semantics("optimize.sil.specialize.generic.never")
  public init<each Value: RowValue>(_ plan: SelectionPlan, _ values: repeat each Value) {
    self.init(.row(Row(plan, repeat each values).box))
  }

  /// Returns the slot of a value under `@include` or `@skip`, or of a value that an optimistic
  /// response may omit. The slot is absent if `value` is `nil`.
  @_semantics("optimize.sil.specialize.generic.never")
  public static func optional(_ value: (some RowValue)?) -> RowSlot {
    value.map { RowSlot(of: $0) } ?? .absent
  }
}

extension RowSlot: SlotValue {
  public init(__slot: RowSlot) { self = __slot }

  public var __slot: RowSlot { self }
}

extension GraphQLNullable: RowValue, SlotValue where Wrapped: RowValue {
  public init?(__slot: RowSlot) {
    switch __slot.value {
    case .absent: self = .none
    case .null: self = .null
    default:
      guard let value = Wrapped(__slot: __slot) else { return nil }
      self = .some(value)
    }
  }

  /// The slot of the value: absent for `.none`, null for `.null`.
  public var __slot: RowSlot {
    switch self {
    case .none: .absent
    case .null: RowSlot(.null)
    case .some(let value): RowSlot(of: value)
    }
  }
}
