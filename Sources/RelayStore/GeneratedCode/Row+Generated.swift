/// The accessors that generated properties call.
///
/// The casts are sound because a ``GraphQLView`` stores only a row: it has the layout of a row, and
/// an optional view has the layout of an optional row. relay-compiler ensures this.
extension Row {
  /// Returns the object in a slot.
  @_transparent public func object<View: GraphQLView>(_ slot: Int) -> View {
    unsafeBitCast(row(slot), to: View.self)
  }

  /// Returns the object in a slot; `nil` if there is none.
  @_transparent public func object<View: GraphQLView>(_ slot: Int) -> View? {
    unsafeBitCast(optionalRow(slot), to: View?.self)
  }

  /// Returns this row as seen through the type condition in a slot; `nil` if the condition is not
  /// satisfied.
  @_transparent public func view<View: GraphQLView>(_ slot: Int) -> View? {
    unsafeBitCast(condition(slot), to: View?.self)
  }

  /// Returns the fragment spread in a slot.
  @_semantics("optimize.sil.specialize.generic.never")
  public func spread<Fragment>(_ slot: Int) -> FragmentRef<Fragment> {
    guard let reference: FragmentRef<Fragment> = spread(slot) else {
      mismatch(slot, FragmentRef<Fragment>.self)
    }
    return reference
  }

  /// Returns the fragment spread in a slot; `nil` if its condition is not satisfied.
  @_semantics("optimize.sil.specialize.generic.never")
  public func spread<Fragment>(_ slot: Int) -> FragmentRef<Fragment>? {
    switch box.slot(at: slot).value {
    case .spread(let spread): FragmentRef(spread)
    case .selfReference: FragmentRef(box.reference(toSpreadIn: slot))
    default: nil
    }
  }
}
