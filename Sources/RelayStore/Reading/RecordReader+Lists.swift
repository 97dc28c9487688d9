extension RecordReader {
  /// A list; `nil` where it may not be null and is.
  mutating func list(
    _ value: FieldValue, _ field: PlanField, level: Int, child: BoundPlan?, old: OldPart?
  ) -> Slot? {
    let elements: ListElements
    switch value {
    case .null: return null(field, level: level)
    case .list(let values): elements = .values(values)
    case .links(let links): elements = .links(links)
    default: return hole(isNullable: field.type.isNullable[level])
    }
    let isOutermost = seenInChunk == nil
    var oldList: OldList?
    if let old, case .list(let list) = old.slot.value {
      oldList = OldList(list: list, links: old.links)
    }
    var chunks: ContiguousArray<ListChunk> = []
    var isWhole = true
    for start in stride(from: 0, to: elements.count, by: ListStorage.chunkSize) {
      let range = start..<min(start + ListStorage.chunkSize, elements.count)
      if isOutermost, let known = unchangedChunk(range, elements, oldList) {
        saw(known, isNew: false)
        chunks.append(known)
        continue
      }
      let chunk = chunk(range, elements, field, level: level, child: child, oldList)
      if isOutermost { saw(chunk, isNew: true) }
      if chunk.slots.count < range.count { isWhole = false }
      chunks.append(chunk)
    }
    if !isWhole { return field.type.isNullable[level] ? Slot(.null) : nil }
    if let oldList, oldList.list.hasSameChunks(as: chunks) { return Slot(.list(oldList.list)) }
    return Slot(.list(ListStorage(chunks: chunks)))
  }

  /// What stood at these positions before, where it would be read again just so.
  private func unchangedChunk(
    _ range: Range<Int>, _ elements: ListElements, _ old: OldList?
  ) -> ListChunk? {
    guard let changed, let old, let oldLinks = old.links, case .links(let links) = elements,
      range.upperBound <= oldLinks.count
    else { return nil }
    let number = range.lowerBound / ListStorage.chunkSize
    guard number < old.list.chunks.count else { return nil }
    let chunk = old.list.chunks[number]
    guard chunk.isClean, chunk.slots.count == range.count,
      links.hasSame(range, as: oldLinks), !changed.containsAny(of: chunk.seen, in: chunk.seenRange)
    else { return nil }
    return chunk
  }

  /// Reads the elements at these positions; fewer where one may not be null and is.
  private mutating func chunk(
    _ range: Range<Int>, _ elements: ListElements, _ field: PlanField, level: Int,
    child: BoundPlan?, _ old: OldList?
  ) -> ListChunk {
    var slots: ContiguousArray<Slot> = []
    slots.reserveCapacity(range.count)
    let isOutermost = seenInChunk == nil
    let problems = problemCount
    if isOutermost { seenInChunk = [] }
    path.append(.index(0))
    let shift = (old?.list.count ?? 0) - elements.count
    // Where nothing was read before, most elements need no more than a row.
    let isPlain =
      isOutermost && old == nil && level + 1 == field.type.listDepth && source.overlaid.isEmpty
    let plain = isPlain ? child : nil
    var plainSeen: ContiguousArray<RecordIndex> = []
    if isPlain { plainSeen.reserveCapacity(2 * range.count) }
    for position in range {
      if let plain, case .links(let links) = elements, links[position] != .none,
        let row = plainRow(links[position], plain, seen: &plainSeen)
      {
        slots.append(Slot(.row(row)))
        continue
      }
      path[path.count - 1] = .index(position)
      let oldElement = old?.element(for: elements, at: position, shift: shift)
      let element = elements[position]
      if let slot = value(
        element, field, level: level + 1, child: child, old: oldElement.map { OldPart($0) })
      {
        slots.append(slot)
      }
    }
    path.removeLast()
    var seen: ContiguousArray<RecordIndex> = []
    if isOutermost {
      seen = plainSeen + (seenInChunk ?? [])
      seenInChunk = nil
    }
    let isClean = isOutermost && problems == problemCount && slots.count == range.count
    return ListChunk(slots, seen: seen, isClean: isClean)
  }
}

extension [RecordIndex] {
  /// Whether the same links stand at these positions of both.
  fileprivate func hasSame(_ range: Range<Int>, as other: [RecordIndex]) -> Bool {
    withUnsafeBytes { left in
      other.withUnsafeBytes { right in
        let size = MemoryLayout<RecordIndex>.stride
        let bytes = range.lowerBound * size..<range.upperBound * size
        return UnsafeRawBufferPointer(rebasing: left[bytes])
          .hasSameBytes(as: UnsafeRawBufferPointer(rebasing: right[bytes]))
      }
    }
  }
}

/// The elements of a list in a record.
private enum ListElements {
  case values([FieldValue])
  case links([RecordIndex])

  var count: Int {
    switch self {
    case .values(let values): values.count
    case .links(let links): links.count
    }
  }

  subscript(position: Int) -> FieldValue {
    switch self {
    case .values(let values): values[position]
    case .links(let links): links[position] == .none ? .null : .link(links[position])
    }
  }
}

/// A list as it was read before.
private struct OldList {
  let list: ListStorage
  let links: [RecordIndex]?

  /// The old element that is the new one at a position: at the same place from the front, or, where
  /// elements have come or gone, from the end.
  func element(for elements: ListElements, at position: Int, shift: Int) -> Slot? {
    guard case .links(let new) = elements, let links else {
      return position < list.count ? list[position] : nil
    }
    for place in [position, position + shift]
    where links.indices.contains(place) && place < list.count && links[place] == new[position] {
      return list[place]
    }
    return nil
  }
}

extension ListStorage {
  fileprivate func hasSameChunks(as other: ContiguousArray<ListChunk>) -> Bool {
    chunks.count == other.count && zip(chunks, other).allSatisfy { $0 === $1 }
  }
}
