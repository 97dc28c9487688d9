/// The accessors that generated properties are computed with.
extension Row {
  /// The object in a slot.
  @_transparent public func object<View: GraphQLView>(_ slot: Int) -> View {
    unsafeBitCast(row(slot), to: View.self)
  }

  /// The object in a slot; `nil` where there is none.
  @_transparent public func object<View: GraphQLView>(_ slot: Int) -> View? {
    unsafeBitCast(optionalRow(slot), to: View?.self)
  }

  /// This row as its type condition in a slot sees it; `nil` when the condition does not hold.
  @_transparent public func view<View: GraphQLView>(_ slot: Int) -> View? {
    unsafeBitCast(condition(slot), to: View?.self)
  }

  /// The fragment spread in a slot.
  @_semantics("optimize.sil.specialize.generic.never")
  public func spread<Fragment>(_ slot: Int) -> FragmentRef<Fragment> {
    guard let reference: FragmentRef<Fragment> = spread(slot) else {
      mismatch(slot, FragmentRef<Fragment>.self)
    }
    return reference
  }

  /// The fragment spread in a slot; `nil` where its condition does not hold.
  @_semantics("optimize.sil.specialize.generic.never")
  public func spread<Fragment>(_ slot: Int) -> FragmentRef<Fragment>? {
    switch storage.slot(at: slot).value {
    case .spread(let spread): FragmentRef(spread)
    case .here: FragmentRef(storage.reference(toSpreadIn: slot))
    default: nil
    }
  }
}
