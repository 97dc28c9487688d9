import RelayStore

/// The known origins of a store's data.
struct DataHistory {
  /// The operations that may have fetched it.
  let operations: [KnownOperation]
  /// The records removed by garbage collections, each with the number of the latest such event.
  let collected: [DataID: Int]
}
