/// The cache of values that readers memoize by record.
struct MemoizedRecords: BaseObserver {
  /// The cache; `nil` turns memoization off.
  var cache: (any RecordCache)?

  mutating func recordWillBeCollected(_ record: RecordBox, at index: RecordIndex) {
    cache?.evict(index)
  }

  mutating func recordsWereCollected(except kept: [RecordIndex], from base: RecordTable) {
    cache?.evictAll(except: kept)
  }

  mutating func baseWasCleared() { cache?.evictAll(except: []) }
}
