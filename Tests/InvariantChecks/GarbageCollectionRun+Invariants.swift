#if DEBUG || RELAYSTORE_CHECK_INVARIANTS
  @testable import RelayStore

  extension GarbageCollectionRun {
    /// Checks these invariants. They hold between slices:
    ///
    /// - A visited record is marked.
    /// - The tricolor invariant: the target of a visited (black) record's link was visited with the
    ///   link's selection (marked, if that selection has no links) or is in the grey set, unless
    ///   the black record is in the write barrier's list.
    /// - Once a marked record's links are scanned, their targets are in ``linked`` or in a list in
    ///   progress.
    ///
    /// - Returns: The first violation, or `nil`.
    /// - Complexity: O(*n*) in the records, for each selection.
    func checkInvariants(in source: LayeredSource) -> String? {
      checkColors(in: source) ?? checkLinked(in: source)
    }

    private func checkColors(in source: LayeredSource) -> String? {
      let barrier = Set(changed)
      var grey: Set<[Int]> = Set(worklist.map { [$0.index.position, $0.selection] })
      for list in lists {
        guard let selection = list.selection else { continue }
        for link in list.links[list.next...] { grey.insert([link.position, selection]) }
      }
      for position in 0..<source.base.indexBound {
        let index = RecordIndex(position)
        for selection in selections where selection.visited.contains(index) {
          if !marked.contains(index) {
            return "GarbageCollectionRun: \(position) was visited and is not marked."
          }
          if barrier.contains(index) { continue }
          for link in selection.links {
            var white: RecordIndex?
            source[base: index][link.key]?.forEachLink { target in
              let selection = selections[link.selection]
              let isMarked = selection.isLeaf ? marked : selection.visited
              if !isMarked.contains(target),
                !grey.contains([target.position, link.selection])
              {
                white = target
              }
            }
            if let white {
              return
                "GarbageCollectionRun: \(position) is black and links to \(white.position), a "
                + "white record."
            }
          }
        }
      }
      return nil
    }

    private func checkLinked(in source: LayeredSource) -> String? {
      let end: Int
      switch phase {
      case .mark: end = 0
      case .link(let position): end = position
      case .sweep, .types, .drop: end = source.base.indexBound
      case .purge, .shrinkBuckets, .shrinkIndexes: return nil
      }
      var pending = Set<RecordIndex>()
      for list in lists where list.selection == nil { pending.formUnion(list.links[list.next...]) }
      for tree in trees {
        for field in tree.fields.fields(from: tree.next, limit: .max) {
          field.value.forEachLink { pending.insert($0) }
        }
      }
      for index in (0..<end).lazy.map({ RecordIndex($0) }) where marked.contains(index) {
        guard let record = source.base[index], !fieldSweep.isInProgress(index) else { continue }
        var missing: RecordIndex?
        let check = { (link: RecordIndex) in
          if !linked.contains(link), !pending.contains(link) { missing = link }
        }
        if let fields = record.fields {
          fields.forEach { $0.value.forEachLink(check) }
        } else {
          record.forEachLink(check)
        }
        if let missing {
          return
            "GarbageCollectionRun: \(index.position) keeps a link to \(missing.position), whose index may be dropped."
        }
      }
      return nil
    }
  }
#endif
