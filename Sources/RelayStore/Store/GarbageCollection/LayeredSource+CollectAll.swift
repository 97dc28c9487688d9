/// The garbage collection of a source without roots. Nothing is marked, so that the garbage is
/// removed with its table and not record by record.
extension LayeredSource {
  /// Removes every record of the base that a collection without roots does not keep.
  ///
  /// As after a ``GarbageCollectionRun``, the base has the root and the type schema record of its
  /// type, and tombstones of the records that the root links to. Indexes do not change.
  ///
  /// - Precondition: The overlay is empty, and no run is in progress.
  /// - Returns: The number of records removed and kept, and the removed ones.
  /// - Complexity: O(*n*) in the records, of which only the state is read.
  mutating func collectAll() -> (collected: Int, kept: Int, garbage: RemovedRecords) {
    assert(overlay.isEmpty && recentTypes == nil)
    let root = RecordIndex(0)
    dropFields(of: root)
    let record = self[base: root].storage
    var linked: [RecordIndex] = []
    record.forEachLink { linked.append($0) }
    let typeName = record.shape.typeName
    let typeSchema = typeName.flatMap { index(of: .typeSchema($0)) }
      .flatMap { base.unretained($0) == nil ? nil : $0 }
    let kept = [root] + (typeSchema.map { [$0] } ?? [])

    var table = base.table(keeping: kept, linked: linked)
    swap(&base, &table)
    invalidations.removeAll(except: kept)
    connectionEdges.invalidateAll()
    clientWrittenFields = clientWrittenFields.filter { kept.contains($0.key) }
    recordCache?.evictAll(except: kept)
    registeredTypes.formIntersection(
      typeSchema == nil ? [] : [typeName].compactMap { $0.map(ByteString.init) })
    let keptCount = base.existingCount
    return (table.existingCount - keptCount, keptCount, RemovedRecords(table))
  }

  /// Drops the fields with arguments of a record that only the server has written.
  private mutating func dropFields(of index: RecordIndex) {
    var sweep = FieldSweep()
    if sweep.collect(index, on: &self) { return }
    while sweep.step(on: &self) != nil {}
  }
}

/// The records of a table that a collection has replaced. They are only released.
///
/// `@unchecked Sendable`: safe because the storage is private and nothing reads it. Records are
/// immutable, and any thread may release them.
struct RemovedRecords: @unchecked Sendable {
  private let records: ContiguousArray<RecordStorage?>

  fileprivate init(_ table: RecordTable) { records = table.records }
}
