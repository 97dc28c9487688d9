import RelayStore

/// The known origins of a store's data.
struct DataHistory {
  /// The operations that may have fetched it.
  let operations: [KnownOperation]
  /// The records that garbage collections have removed, each with the number of the last one's event.
  let collected: [DataID: Int]
}
