/// The target of a fragment spread.
@usableFromInline
package enum SpreadReference: Sendable {
  /// A record and the variables to read it with.
  case record(DataID, VariableScope)
  /// Data built by hand.
  case value(RowStorage)
  /// No target: the row was built by hand without the fragment's data.
  case nothing
}
