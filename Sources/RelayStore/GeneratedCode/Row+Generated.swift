/// The accessors that generated properties call.
///
/// The casts are sound because a ``GraphQLView`` stores a row and nothing else, so it has the
/// layout of a row, and an optional view that of an optional row. relay-compiler upholds that.
extension Row {
  /// Returns the object in a slot.
  @_transparent public func object<View: GraphQLView>(_ slot: Int) -> View {
    unsafeBitCast(row(slot), to: View.self)
  }

  /// Returns the object in a slot; `nil` if there is none.
  @_transparent public func object<View: GraphQLView>(_ slot: Int) -> View? {
    unsafeBitCast(optionalRow(slot), to: View?.self)
  }

  /// Returns this row as the type condition in a slot shows it; `nil` if the condition does not
  /// hold.
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

  /// Returns the fragment spread in a slot; `nil` if its condition does not hold.
  @_semantics("optimize.sil.specialize.generic.never")
  public func spread<Fragment>(_ slot: Int) -> FragmentRef<Fragment>? {
    switch storage.slot(at: slot).value {
    case .spread(let spread): FragmentRef(spread)
    case .selfReference: FragmentRef(storage.reference(toSpreadIn: slot))
    default: nil
    }
  }
}
