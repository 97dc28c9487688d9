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

extension RowValue {
  /// The value with its rows copied to another plan, by response key.
  ///
  /// The linked field of a type condition is stored as its parent's too, which selects less.
  @_semantics("optimize.sil.specialize.generic.never")
  public func __slot(as plan: Plan) -> Slot { __slot.copied(to: plan) }
}

extension Slot {
  fileprivate func copied(to plan: Plan) -> Slot {
    switch value {
    case .row(let row): Slot(.row(row.copied(to: plan)))
    case .list(let list): Slot(.list(ListStorage(list.slots.map { $0.copied(to: plan) })))
    default: self
    }
  }
}

extension RowStorage {
  fileprivate func copied(to other: Plan) -> RowStorage {
    let slots = other.slots.map { slot in
      guard let source = plan.slots.firstIndex(where: { $0.isCounterpart(of: slot) }) else {
        return Slot.absent
      }
      guard let child = slot.field?.child else { return self.slot(at: source) }
      return self.slot(at: source).copied(to: child)
    }
    return RowStorage(plan: other, slots: slots, record: record, binding: binding)
  }
}

extension PlanSlot {
  /// Whether both stand for the same response key, fragment or type.
  fileprivate func isCounterpart(of other: PlanSlot) -> Bool {
    switch (content, other.content) {
    case (.field(let a), .field(let b)): a.responseKey == b.responseKey
    case (.spread(let a), .spread(let b)): a.name == b.name && a.arguments == b.arguments
    case (.condition(let a), .condition(let b)): a.typeName == b.typeName
    default: false
    }
  }
}
