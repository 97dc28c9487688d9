import RelayStore

extension PersistedImage {
  /// The operations whose data is retained, with their row keys. A damaged row is omitted, and its
  /// data collected.
  var roots: [(key: Int64, root: PersistedRoot)] {
    rows(of: .roots).filter { $0.key < ByteReader.counterLimit }
      .compactMap { key, contents in PersistedRoot(contents).map { (key, $0) } }
  }

  /// The plans of operations by document hash.
  var documents: [UInt64: SelectionPlan] {
    var plans: [UInt64: SelectionPlan] = [:]
    for (key, contents) in rows(of: .documents) {
      plans[UInt64(bitPattern: key)] = PersistedPlan.plan(contents)
    }
    return plans
  }

  /// The epochs of invalidated records.
  var epochs: [(number: UInt32, invalidated: UInt64?, written: UInt64?)] {
    var epochs: [(number: UInt32, invalidated: UInt64?, written: UInt64?)] = []
    for (page, contents) in rows(of: .epochs) where page >= 0 && page < PersistedPage.limit {
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
              PersistedPage.number(slot, of: Int(truncatingIfNeeded: page)),
              invalidated == 0 ? nil : invalidated - 1, written == 0 ? nil : written - 1
            ))
        }
      }
    }
    return epochs
  }
}
