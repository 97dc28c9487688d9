/// The records of a store: what the server and the program have settled (the base), and over it
/// what optimistic updates show for now.
///
/// What can be seen is the overlay's record where there is one, else the base's. The overlay holds whole
/// records, copied from the base when first written, and is made anew at each publish.
package struct LayeredSource {
  /// Which of the two is written.
  package enum Layer { case base, overlay }

  package var identities = IdentityTable()
  package var keys = KeyTable()
  private var base: [Record] = []
  private var overlay: [RecordIndex: Record] = [:]
  private var changedInBase: Set<RecordIndex> = []
  private var knownTypes: Set<ByteString> = []
  /// The type that was written last, which is mostly that of the next record too.
  private var lastType: String?

  package init() {
    var root = Record()
    root.state = .present
    root.typeName = "__Root"
    let index = identities.intern(.root)
    base.append(root)
    assert(index.position == 0)
  }

  /// What can be seen of a record.
  package subscript(index: RecordIndex) -> Record {
    if !overlay.isEmpty, let record = overlay[index] { return record }
    return self[base: index]
  }

  /// What the base holds of a record.
  package subscript(base index: RecordIndex) -> Record {
    index.position < base.count ? base[index.position] : Record()
  }

  /// What one layer sees of a record.
  package func record(_ index: RecordIndex, in layer: Layer) -> Record {
    layer == .base ? self[base: index] : self[index]
  }

  /// The records that optimistic updates have written.
  package var overlaid: [RecordIndex: Record] { overlay }

  // MARK: Writing

  /// Changes a record in a layer; the closure says whether it changed anything.
  package mutating func update(
    _ index: RecordIndex, in layer: Layer, _ change: (inout Record) -> Bool
  ) {
    switch layer {
    case .base:
      while base.count <= index.position { base.append(Record()) }
      if change(&base[index.position]) { changedInBase.insert(index) }
    case .overlay:
      // Also where nothing changes: what an optimistic update has written is kept from the collector.
      var record = overlay.removeValue(forKey: index)
      _ = change(&record[orCopy: self[base: index]])
      overlay[index] = record
    }
  }

  /// Merges a payload: field by field, the later value winning.
  ///
  /// A record whose type is another than the payload's is replaced, since two objects cannot share
  /// one id.
  package mutating func merge(_ payload: RecordPayload, into layer: Layer) {
    let indexes = payload.ids.map { identities.intern($0) }
    for entry in payload.entries {
      if let typeName = entry.typeName { know(typeName) }
      update(indexes[entry.record.position], in: layer) { record in
        var isChanged = record.become(present: entry.typeName)
        for field in payload.fields[entry.fields] {
          let value = field.value.mapLinks { indexes[$0.position] }
          if record.set(field.key, to: value, errors: field.errors) { isChanged = true }
        }
        return isChanged
      }
    }
  }

  /// Numbers the record that remembers a type's abstract types, so that readers can be told when
  /// it comes to know more.
  private mutating func know(_ typeName: String) {
    guard lastType?.hasSameBytes(as: typeName) != true else { return }
    lastType = typeName
    if knownTypes.insert(ByteString(typeName)).inserted {
      _ = identities.intern(.typeSchema(typeName))
    }
  }

  /// Marks a record as known not to exist.
  package mutating func delete(_ index: RecordIndex, in layer: Layer) {
    update(index, in: layer) { record in
      defer { record = .deleted }
      return record.state != .deleted
    }
  }

  /// Puts a record back as it was.
  package mutating func restore(_ record: Record, at index: RecordIndex, in layer: Layer) {
    if layer == .overlay, record == self[base: index] {
      overlay[index] = nil
      return
    }
    update(index, in: layer) { current in
      defer { current = record }
      return current != record
    }
  }

  // MARK: Publishing

  /// Takes the overlay away, so that it can be made anew.
  package mutating func liftOverlay() -> [RecordIndex: Record] {
    defer { overlay = [:] }
    return overlay
  }

  /// Puts the overlay back as it was.
  package mutating func restoreOverlay(_ before: [RecordIndex: Record]) { overlay = before }

  /// The records whose visible state has changed since the last call.
  ///
  /// - Parameter lifted: The overlay as it was before.
  package mutating func takeChanges(lifted: [RecordIndex: Record]) -> Set<RecordIndex> {
    var changed = changedInBase
    changedInBase = []
    for (index, old) in lifted where self[index] != old { changed.insert(index) }
    for (index, new) in overlay where lifted[index] == nil && self[base: index] != new {
      changed.insert(index)
    }
    return changed
  }

  // MARK: Collecting

  /// Forgets every record that is not marked.
  ///
  /// - Returns: How many were forgotten and how many are left.
  /// - Complexity: O(*n*) in all records and links.
  package mutating func sweep(keeping marked: Set<RecordIndex>) -> (collected: Int, kept: Int) {
    // A number to which something still links must not be given to another id; the root stays,
    // marked or not.
    var linked: Set<RecordIndex> = []
    for index in marked.union([RecordIndex(rawValue: 0)]) {
      for value in self[base: index].values { value.forEachLink { linked.insert($0) } }
    }
    for record in overlay.values {
      for value in record.values { value.forEachLink { linked.insert($0) } }
    }
    var (collected, kept) = (0, 0)
    for (index, id) in identities.all {
      let exists = self[base: index].state != .unknown
      if marked.contains(index) || id == .root || id.isTypeSchema {
        if exists { kept += 1 }
        continue
      }
      if exists {
        collected += 1
        base[index.position] = Record()
      }
      if !linked.contains(index) { identities.release(index) }
    }
    return (collected, kept)
  }
}

extension Record {
  /// Makes the record an object of a type, replacing one of another type.
  ///
  /// - Returns: Whether anything changed.
  fileprivate mutating func become(present typeName: String?) -> Bool {
    if state == .present, typeName == nil || self.typeName == typeName { return false }
    if state != .present || self.typeName != nil { self = Record() }
    state = .present
    self.typeName = typeName ?? self.typeName
    return true
  }
}

extension Record? {
  /// The record, made from a copy where there is none.
  fileprivate subscript(orCopy base: @autoclosure () -> Record) -> Record {
    mutating get {
      if self == nil { self = base() }
      return self ?? Record()
    }
    set { self = newValue }
  }
}
