import RelayStore

extension StoredImage {
  /// The operations whose data is kept, with the keys of their rows. A row that is damaged is left out;
  /// its data is collected.
  var roots: [(key: Int64, root: StoredRoot)] {
    rows(of: .roots).compactMap { key, contents in StoredRoot(contents).map { (key, $0) } }
  }

  /// The plans of operations, by the hashes of their documents.
  var documents: [UInt64: SelectionPlan] {
    var plans: [UInt64: SelectionPlan] = [:]
    for (key, contents) in rows(of: .documents) {
      plans[UInt64(bitPattern: key)] = StoredDocument.plan(contents)
    }
    return plans
  }

  /// The epochs of records that were invalidated.
  var epochs: [(number: UInt32, invalidated: UInt64?, written: UInt64?)] {
    var epochs: [(number: UInt32, invalidated: UInt64?, written: UInt64?)] = []
    for (page, contents) in rows(of: .epochs) where page >= 0 && page < StoredPage.limit {
      contents.withUnsafeBytes { bytes in
        var reader = ByteReader(bytes)
        var slots = reader.fixed()
        while slots != 0 {
          let slot = slots.trailingZeroBitCount
          slots &= slots - 1
          let (invalidated, written) = (reader.number(), reader.number())
          guard reader.isValid else { return }
          epochs.append(
            (
              StoredPage.number(slot, of: Int(truncatingIfNeeded: page)),
              invalidated == 0 ? nil : invalidated - 1, written == 0 ? nil : written - 1
            ))
        }
      }
    }
    return epochs
  }
}
