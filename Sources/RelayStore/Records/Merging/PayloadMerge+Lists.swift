// The elements of streamed lists.

extension PayloadMerge {
  /// Writes the elements of a part to a list.
  mutating func apply(
    _ patch: ListPatch, to source: inout LayeredSource, layer: LayeredSource.Layer
  ) {
    guard isPresent(patch.record, in: source, layer),
      let record = existingIndex(patch.record, in: source)
    else { return }
    let old = source.record(record, in: layer)
    let isOwn = isOwn(old[patch.key], patch, in: source)
    let new: FieldValue
    if patch.list.hasRecords {
      var links: [RecordIndex] = []
      if isOwn, case .links(let oldLinks)? = old[patch.key] {
        links = oldLinks
        for (offset, value) in patch.values.enumerated() {
          let link =
            if case .link(let link) = value { index(link, in: &source) } else { RecordIndex.none }
          while links.count < patch.index + offset { links.append(.none) }
          if patch.index + offset < links.count {
            links[patch.index + offset] = link
          } else {
            links.append(link)
          }
        }
      } else {
        links = patch.list.all.map { $0.link(in: &source) }
      }
      new = .links(links)
    } else {
      new = .list(patch.list.all.map { $0.value(in: &source) })
    }
    source.update(record, in: layer) { draft in
      draft.set(patch.key, to: new, errors: patch.list.errors)
    }
  }

  /// Whether the list in the store is still the one that this execution wrote, not another
  /// response's: it has the same number of elements and the same last element.
  private func isOwn(
    _ value: FieldValue?, _ patch: ListPatch, in source: LayeredSource
  ) -> Bool {
    guard case .links(let links)? = value, links.count == patch.countBefore else { return false }
    guard let last = links.last else { return true }
    if last == .none { return patch.lastBefore == .null }
    return source.id(of: last).map { patch.lastBefore == .record($0) } ?? false
  }
}

extension StreamedList.Element {
  /// The element as a link; ``RecordIndex/none`` if it is not a record.
  fileprivate func link(in source: inout LayeredSource) -> RecordIndex {
    if case .record(let id) = self { source.intern(id) } else { .none }
  }

  /// The element as a value of a list.
  fileprivate func value(in source: inout LayeredSource) -> FieldValue {
    switch self {
    case .record(let id): .link(source.intern(id))
    case .value(let value): value
    case .list(let elements): .list(elements.map { $0.value(in: &source) })
    case .records(let ids): .links(ids.map { $0.map { source.intern($0) } ?? .none })
    }
  }
}
