/// A cache of values memoized by record, owned by a layer above the records.
protocol RecordCache: AnyObject, Sendable {
  /// Evicts the values memoized for a collected record.
  func evict(_ index: RecordIndex)
  /// Evicts the values memoized for all records except `kept`.
  func evictAll(except kept: [RecordIndex])
}
