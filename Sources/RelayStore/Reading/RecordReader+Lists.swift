extension RecordReader {
  /// Reads a list; returns `nil` if it is null although its type is non-null.
  mutating func list(
    _ value: FieldValue, of field: PlanField, level: Int, child: BoundPlan?, old: OldValue?
  ) -> RowSlot? {
    switch value {
    case .null: null(of: field, level: level)
    case .list(let values):
      list(.values(values), of: field, level: level, child: child, old: old?.list)
    case .links(let links):
      list(.links(links), of: field, level: level, child: child, old: old?.list)
    default: mismatch(value, of: field, level: level)
    }
  }

  private mutating func list(
    _ elements: ListElements, of field: PlanField, level: Int, child: BoundPlan?, old: OldList?
  ) -> RowSlot? {
    let isOutermost = pass.seenInChunk == nil
    let (mark, outerNull) = (mark, pass.propagatingNull)
    pass.propagatingNull = nil
    var chunks: ContiguousArray<ListChunk> = []
    var (isWhole, isDense) = (true, true)
    for start in stride(from: 0, to: elements.count, by: ListBuffer.chunkSize) {
      if isStopped { return nil }
      let range = start..<min(start + ListBuffer.chunkSize, elements.count)
      if isOutermost, let chunk = unchangedChunk(range, of: elements, in: old) {
        // A clean chunk has added only its records to the result.
        markSeen(chunk, isNew: false)
        chunks.append(chunk)
        continue
      }
      let chunk = chunk(
        range, of: elements, in: field, level: level, child: child, old: old,
        isWhole: &isWhole)
      if isOutermost { markSeen(chunk, isNew: true) }
      if chunk.slots.count < range.count { isDense = false }
      chunks.append(chunk)
    }
    // Elements that are null because of a hole do not affect the field.
    pass.closedHole = nil
    let innerNull = pass.propagatingNull
    pass.propagatingNull = outerNull
    if !isWhole {
      discardKept(since: mark)
      if field.type.isNullable[level] { return close(innerNull, since: mark) }
      if let innerNull { propagateNull(innerNull) }
      return nil
    }
    if let old, old.list.hasSameChunks(as: chunks) { return RowSlot(.list(old.list)) }
    return RowSlot(.list(isDense ? ListBuffer(chunks: chunks) : ListBuffer(sparse: chunks)))
  }

  /// Returns the chunk of the previous list at these positions, if reading it again would give the
  /// same elements.
  private func unchangedChunk(
    _ range: Range<Int>, of elements: ListElements, in old: OldList?
  ) -> ListChunk? {
    guard let changed = pass.changed, let old, let oldLinks = old.links,
      case .links(let links) = elements,
      range.upperBound <= oldLinks.count
    else { return nil }
    let chunkIndex = range.lowerBound / ListBuffer.chunkSize
    guard chunkIndex < old.list.readChunks.count else { return nil }
    let chunk = old.list.readChunks[chunkIndex]
    guard chunk.isClean, chunk.slots.count == range.count,
      links.hasSameLinks(in: range, as: oldLinks),
      !changed.containsAny(of: chunk.seen, in: chunk.seenRange)
    else { return nil }
    return chunk
  }

  /// Reads the elements at these positions, omitting each element that is null although its type is
  /// non-null.
  ///
  /// - Parameter isWhole: Set to `false` if an omitted element makes the list null. Every omitted
  ///   element does, except links to records deleted on the client, and elements with holes.
  private mutating func chunk(
    _ range: Range<Int>, of elements: ListElements, in field: PlanField, level: Int,
    child: BoundPlan?, old: OldList?, isWhole: inout Bool
  ) -> ListChunk {
    var slots: ContiguousArray<RowSlot> = []
    slots.reserveCapacity(range.count)
    let isOutermost = pass.seenInChunk == nil
    let problems = problemCount
    if isOutermost { (pass.seenInChunk, pass.hasUnseen) = ([], false) }
    chargeRows(range.count)
    pass.path.append(.index(0))
    // Without a previous list and an overlay, most elements can be read on the fast path. The plan is
    // unretained, because `child` lives during the call. Other threads read with it too, so retaining
    // it for each element would take longer than reading the element.
    let fastPathPlan =
      isOutermost && old == nil && level + 1 == field.type.listDepth && source.overlay.isEmpty
      ? child.map { Unmanaged.passUnretained($0) } : nil
    let links = if case .links(let links) = elements { links } else { [RecordIndex]() }
    if fastPathPlan != nil { fastPathSeen.reserveCapacity(2 * range.count) }
    for position in range {
      if let fastPathPlan, !links.isEmpty, links[position] != .none,
        let row = fastPathPlan._withUnsafeGuaranteedRef({
          fastPath.row(
            at: links[position], plan: $0, from: &source.base, seen: &fastPathSeen, memoizes: true)
        })
      {
        slots.append(RowSlot(.row(row)))
        continue
      }
      if isStopped { break }
      pass.path[pass.path.count - 1] = .index(position)
      let oldElement = old?.element(for: elements, at: position)
      let before = nullState
      if let slot = value(
        elements[position], of: field, level: level + 1, child: child,
        old: oldElement.map { OldValue($0) })
      {
        slots.append(slot)
      } else if !omitElement(since: before) {
        isWhole = false
      }
    }
    pass.path.removeLast()
    let seen = isOutermost ? takeSeenInChunk() : []
    let isClean =
      isOutermost && problems == problemCount && slots.count == range.count && !pass.hasUnseen
    return ListChunk(slots, seen: seen, isClean: isClean)
  }

  private mutating func takeSeenInChunk() -> ContiguousArray<RecordIndex> {
    defer {
      fastPathSeen.removeAll(keepingCapacity: true)
      pass.seenInChunk = nil
    }
    return fastPathSeen + (pass.seenInChunk ?? [])
  }
}

extension OldValue {
  fileprivate var list: OldList? {
    if case .list(let list) = slot.value { OldList(list: list, links: links) } else { nil }
  }
}

extension [RecordIndex] {
  /// Returns whether both lists have the same links at these positions.
  fileprivate func hasSameLinks(in range: Range<Int>, as other: [RecordIndex]) -> Bool {
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

/// The list in the previous row.
private struct OldList {
  let list: ListBuffer
  let links: [RecordIndex]?

  /// The number of elements in the record's list.
  var count: Int { links?.count ?? list.count }

  /// Returns the previous element for an element: the one at the same distance from the start of
  /// the list, or from its end if elements were added or removed.
  func element(for elements: ListElements, at position: Int) -> RowSlot? {
    guard case .links(let new) = elements, let links else {
      return list.read(at: position, of: count)
    }
    for oldPosition in [position, position + count - elements.count]
    where links.indices.contains(oldPosition) && links[oldPosition] == new[position] {
      if let slot = list.read(at: oldPosition, of: count) { return slot }
    }
    return nil
  }
}

extension ListBuffer {
  fileprivate func hasSameChunks(as other: ContiguousArray<ListChunk>) -> Bool {
    readChunks.count == other.count && zip(readChunks, other).allSatisfy { $0 === $1 }
  }

  /// Returns the element read from a position of the record's list; `nil` if its chunk omits
  /// elements.
  ///
  /// - Parameter count: The number of elements in the record's list.
  fileprivate func read(at position: Int, of count: Int) -> RowSlot? {
    let (chunkIndex, offset) = position.quotientAndRemainder(dividingBy: Self.chunkSize)
    guard position < count, chunkIndex < readChunks.count else { return nil }
    let slots = readChunks[chunkIndex].slots
    let isFull = slots.count == min(Self.chunkSize, count - chunkIndex * Self.chunkSize)
    return isFull ? slots[offset] : nil
  }
}

extension RecordReader {
  /// The current propagating null and the counts of missing fields.
  private var nullState: NullState {
    (
      pass.propagatingNull, pass.details.missing.count, pass.details.omittedCount,
      pass.uncaught.count, pass.openHoles
    )
  }

  /// Omits a null element of a non-null type if it is a link to a record deleted on the client, or
  /// if it has a hole.
  ///
  /// - Parameter before: The state before the element was read.
  /// - Returns: Whether the element was omitted and the list continues.
  private mutating func omitElement(since before: NullState) -> Bool {
    guard before.propagatingNull == nil, let reason = pass.propagatingNull?.reason, reason != .null,
      reason == .deletion || !source.deletedRecordsBubble
    else { return false }
    pass.propagatingNull = before.propagatingNull
    pass.openHoles = before.openHoles
    if reason == .deletion {
      pass.details.omittedCount =
        before.omittedCount + pass.details.missing.count - before.missingCount
    }
    // The remaining elements have no missing data.
    pass.uncaught.removeSubrange(before.uncaughtCount...)
    return true
  }
}

private typealias NullState = (
  propagatingNull: PropagatingNull?, missingCount: Int, omittedCount: Int, uncaughtCount: Int,
  openHoles: Int
)
