/// The end of a garbage collection that retains few records: they move to a new table, and the
/// garbage is removed with the old table, not record by record.
extension LayeredSource {
  /// The records that a collection retains, once all marked records' links are scanned.
  struct Retained {
    let marked: RecordSet
    /// The indexes that retained records link to.
    let linked: RecordSet
  }

  /// Removes every record of the base that a collection does not retain.
  ///
  /// The result is the same as after the sweep of a ``GarbageCollectionRun``. The base has the
  /// root, the marked records, the type schema records of their types, and tombstones at the other
  /// indexes that these records link to. Indexes do not change.
  ///
  /// - Precondition: The overlay is empty.
  /// - Returns: The number of records removed and the number retained.
  /// - Complexity: O(*n*) in all records, reading only their state, and O(*k*) in the retained
  ///   ones.
  mutating func removeAll(except retained: Retained) -> (
    collected: Int, retained: Int
  ) {
    assert(overlay.isEmpty)
    var (records, tombstones) = ([RecordIndex(0)], [RecordIndex]())
    var types = TypeSchemaSweep()
    retained.marked.forEach { index in
      if index.position != 0 {
        if base.unretained(index) == nil { tombstones.append(index) } else { records.append(index) }
      }
    }
    for index in records { base.withRecord(at: index) { types.keep($0) } }
    let typeNames = types.names.union(recentTypes ?? [])
    for name in typeNames {
      guard let index = index(of: .typeSchema(name.text)), !retained.marked.contains(index) else {
        continue
      }
      if base.unretained(index) == nil { tombstones.append(index) } else { records.append(index) }
    }
    retained.linked.forEach { tombstones.append($0) }

    let table = base.table(keeping: records, linked: tombstones)
    let count = base.existingCount
    observers.recordsWereCollected(except: records, from: base)
    replaced?.collectAll(of: base, except: records)
    replaceBase(by: table)
    registeredTypes.formIntersection(typeNames)
    let retainedCount = table.existingCount
    return (count - retainedCount, retainedCount)
  }
}
