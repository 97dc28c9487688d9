/// The fast path of a reader: reads rows of plain objects from the base, without an overlay and
/// without a previous row.
///
/// Every scalar of such a row has exactly its field's type, and every linked object is such a row
/// too. The read finds neither missing fields nor errors.
struct FastPath {
  var layouts = LayoutCache()
  /// Whether the cache has layouts of its own, not those of the bound plans. Each row retains its
  /// layout, so threads that share one would wait for each other's caches.
  var hasOwnLayouts = false
  var memo = RowMemo()
  /// The leaf of the record that the current read has looked up last. Consecutive objects of a list
  /// are often in one.
  private var leaf = RecordTree.Leaf()

  /// Prepares for a read: since the last one, the records may have been written.
  mutating func startRead() { leaf = RecordTree.Leaf() }

  /// Reads the row of an object.
  ///
  /// The table owns the records and is not written during a read, so they are not retained. The
  /// cache of layouts is not written before the function returns either.
  ///
  /// - Parameters:
  ///   - base: The records; `inout` because a copy would be retained.
  ///   - seen: The function appends the records it reads.
  ///   - memoizes: Whether other objects of the read may link to the same objects.
  /// - Returns: `nil` if the layout of the record or of one of its linked objects is not cached, or
  ///   a value does not have exactly its field's type. The slow path then reads the object.
  mutating func row(
    at index: RecordIndex, plan: BoundPlan, from base: inout RecordTable,
    seen: inout ContiguousArray<RecordIndex>, memoizes: Bool
  ) -> RowBox? {
    guard let record = base.unretained(index, &leaf),
      let entry = layouts.cached(
        planID: ObjectIdentifier(plan), shapeID: record._withUnsafeGuaranteedRef { $0.shapeID }),
      let layout = entry.pointee.layout, let links = entry.pointee.links,
      layout._withUnsafeGuaranteedRef({ layout in
        record._withUnsafeGuaranteedRef {
          $0.state == .present && !$0.hasErrors && layout.hasAllScalars(of: $0)
        }
      })
    else { return nil }
    seen.append(index)
    let row = RowBox(layout, record: record)
    for position in links.indices {
      let link = links[position]
      let cell = record._withUnsafeGuaranteedRef { $0.cell(at: link.position) }
      if cell == .null, link.isNullable { continue }
      guard cell.isA(.link) else { return nil }
      if let memoized = memo.row(at: cell.link, plan: link.child) {
        seen.append(cell.link)
        row.set(position, RowSlot(.row(memoized)))
        continue
      }
      // Unretained: `plan` retains it, and threads would share its count.
      guard
        let childRow = link.childPlan?._withUnsafeGuaranteedRef({
          self.row(at: cell.link, plan: $0, from: &base, seen: &seen, memoizes: memoizes)
        })
      else { return nil }
      row.set(position, RowSlot(.row(childRow)))
    }
    if memoizes, links.isEmpty { memo.insert(row, at: index, plan: plan) }
    return row
  }
}

extension RecordReader {
  /// Reads a record on the fast path; returns `nil` if that is not possible.
  ///
  /// - Parameter schema: The type schema record that the read depends on, if there is one.
  mutating func fastPathSnapshot(
    _ index: RecordIndex, _ plan: BoundPlan, from source: inout LayeredSource, schema: RecordIndex?
  ) -> RowSnapshot? {
    guard source.overlay.isEmpty else { return nil }
    defer { fastPathSeen.removeAll(keepingCapacity: true) }
    guard
      let row = fastPath.row(
        at: index, plan: plan, from: &source.base, seen: &fastPathSeen, memoizes: false)
    else { return nil }
    var snapshot = RowSnapshot()
    snapshot.row = row
    if let schema { snapshot.seen.insert(schema) }
    for index in fastPathSeen { snapshot.seen.insert(index) }
    return snapshot
  }

  /// Returns whether a record may have the type that a definition selects from, and the type schema
  /// record that the result depends on.
  func canMatch(_ index: RecordIndex, _ plan: BoundPlan, in source: inout LayeredSource) -> (
    isMatch: Bool, schema: RecordIndex?
  ) {
    // The type name of the root record is `__Root`, not the schema's.
    if index.position == 0 { return (true, nil) }
    let shape = source[index].box.shape
    if shape.typeName == nil { return (true, nil) }
    let cached = fastPath.layouts.cached(
      planID: ObjectIdentifier(plan), shapeID: ObjectIdentifier(shape))
    if let cached, version != nil, cached.pointee.version == version { return cached.pointee.match }
    let isPossible = cached.map { $0.pointee.isPossible } ?? plan.isPossible(shape)
    var match = (isMatch: isPossible ?? true, schema: RecordIndex?.none)
    if let discriminator = plan.discriminator, let schemaID = shape.typeSchemaID {
      match.schema = source.index(of: schemaID)
      // The server's last response takes precedence over the compiled schema.
      if let schema = match.schema, case .bool(let isSatisfied)? = source[schema][discriminator] {
        match.isMatch = isSatisfied
      }
    }
    if let cached { (cached.pointee.match, cached.pointee.version) = (match, version) }
    return match
  }
}
