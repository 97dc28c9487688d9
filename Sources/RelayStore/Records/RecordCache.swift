/// A cache of values memoized by record, above the record layer.
package protocol RecordCache: AnyObject, Sendable {
  /// Evicts the values memoized for a collected record.
  func evict(_ index: RecordIndex)
  /// Evicts all values.
  func evictAll()
}
