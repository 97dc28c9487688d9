/// The scan for indexes that retained records link to. Tombstones at these indexes are not dropped,
/// so no other record can take the index.
extension GarbageCollectionRun {
  /// Adds the targets of the links that a large record has gained since its last scan.
  mutating func scanNewLinks(of index: RecordIndex, in fields: FieldTree) {
    if let scanned = scannedTrees[index] {
      scannedTrees[index] = fields
      fields.forEachDifference(from: scanned) { $0.value.forEachLink { linked.insert($0) } }
      return
    }
    switch phase {
    // The phase `link` still has to scan the record, if it is retained.
    case .mark: break
    case .link(let first) where index.position >= first: break
    // The record had no tree when the phase `link` scanned it.
    default: scanLinks(of: index, fields: fields)
    }
  }

  /// Adds the targets of a record's links to ``linked``, so that their indexes are not reused.
  ///
  /// The record is unretained: `source` owns it, and is not mutated during the call.
  mutating func scanLinks(of index: RecordIndex, in source: LayeredSource) {
    source.base.unretained(index)?._withUnsafeGuaranteedRef { record in
      if let fields = record.fields {
        if scannedTrees[index] == nil { scanLinks(of: index, fields: fields) }
      } else {
        record.forEachLinkValue { scanLinks(in: $0) }
      }
    }
  }

  /// Enqueues the fields of a large record, to add their targets to ``linked``.
  private mutating func scanLinks(of index: RecordIndex, fields: FieldTree) {
    scannedTrees[index] = fields
    trees.append((fields, FieldKey(rawValue: 0)))
  }

  /// Adds the targets of the next links of a large record to ``linked``.
  ///
  /// - Returns: Whether there was a large record.
  mutating func scanMoreFields() -> Bool {
    guard let tree = trees.popLast() else { return false }
    let fields = tree.fields.fields(from: tree.next, limit: Self.longList)
    for field in fields { scanLinks(in: field.value) }
    if fields.count == Self.longList, let last = fields.last {
      trees.append((tree.fields, FieldKey(rawValue: last.key.rawValue + 1)))
    }
    return true
  }

  /// Adds the targets of a value's links to ``linked``. Later steps add the targets of a long list.
  private mutating func scanLinks(in value: FieldValue) {
    if case .links(let links) = value, links.count > Self.longList {
      lists.append((links, 0, nil))
    } else {
      value.forEachLink { linked.insert($0) }
    }
  }
}
