/// The streamed lists of a response.
struct StreamedLists {
  /// A field of a record.
  struct Key: Hashable {
    var record: RecordIndex
    var key: FieldKey
  }

  /// A slot of a record that was read with a selection.
  struct Start: Hashable {
    var record: RecordIndex
    var selection: Int
    var slot: Int
  }

  /// The lists with the elements that have arrived.
  var byField: [Key: StreamedList] = [:]
  /// The initial element counts of the lists. The list in the payload may belong to another field
  /// that is not streamed.
  var initialCounts: [Start: Int] = [:]
  /// The number of elements that were missing before one that arrived.
  var gapCount = 0
  /// The lists whose rest has failed.
  var failed: Set<Key> = []
  /// The connections whose list ends with a page that has failed.
  var failedConnections: [DataID] = []
}
