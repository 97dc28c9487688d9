/// A cache of values memoized by record, above the record layer.
protocol RecordCache: AnyObject, Sendable {
  /// Evicts the values memoized for a collected record.
  func evict(_ index: RecordIndex)
  /// Evicts the values memoized for all records except some.
  func evictAll(except kept: [RecordIndex])
}
