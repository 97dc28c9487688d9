/// The target of a fragment spread.
@usableFromInline
package enum SpreadReference: Sendable {
  /// A record and the variables to read it with.
  case record(DataID, VariableScope)
  /// Handmade data.
  case value(RowBox)
  /// No target: the handmade row has no data for the fragment.
  case nothing
}
