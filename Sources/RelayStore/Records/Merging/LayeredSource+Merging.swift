extension LayeredSource {
  /// Merges a payload field by field; the later value wins.
  ///
  /// A record whose type differs from the payload's is replaced, because two objects cannot share
  /// an id.
  ///
  /// - Complexity: O(*n*) in the payload's fields.
  package mutating func merge(_ payload: RecordPayload, into layer: Layer) {
    for typeName in payload.shapes.compactMap(\.typeName) { registerType(typeName) }
    let shapes = payload.shapes.map { self.shapes.intern($0.typeName, $0.keys) }
    let maxCount = shapes.reduce(0) { max($0, $1.keys.count) }
    payload.withContents { contents in
      base.reserveCapacity(forObjects: contents.entries.count)
      withUnsafeTemporaryAllocation(of: RecordIndex.self, capacity: payload.ids.count) { indexes in
        withUnsafeTemporaryAllocation(of: FieldCell.self, capacity: max(1, maxCount)) { cells in
          indexes.initialize(repeating: .none)
          var merge = PayloadMerge(
            of: payload, contents: contents, indexes: indexes, cells: cells)
          for entryIndex in contents.entries.indices {
            merge.mergeEntry(
              at: entryIndex, shape: shapes[contents.entries[entryIndex].shape], into: &self,
              layer: layer)
          }
          for patch in payload.patches { merge.apply(patch, to: &self, layer: layer) }
        }
      }
    }
  }
}
