/// What a spread leads to.
package enum SpreadReference: Sendable {
  /// A record, read with these variables.
  case record(DataID, VariableScope)
  /// Data built by hand.
  case value(RowStorage)
  /// Nowhere: a row built by hand without the fragment's data.
  case nothing
}
