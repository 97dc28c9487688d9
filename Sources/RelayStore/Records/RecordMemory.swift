/// A cache of values memoized by record, above the record layer.
package protocol RecordMemory: AnyObject, Sendable {
  /// Evicts the values memoized for a collected record.
  func forget(_ index: RecordIndex)
  /// Evicts all values.
  func forgetAll()
}
