// The elements of streamed lists.

extension IncrementalReader {
  /// Reads elements of a streamed list.
  ///
  /// - Parameters:
  ///   - isArray: Whether the position is that of an array rather than of one element.
  ///   - path: The path of the list, or that of the first element.
  ///   - position: The position of the announced list, which the elements are appended to.
  ///   - isAnnounced: Whether the part names an announcement.
  mutating func readItems(
    _ items: UnreadValue, isArray: Bool, at path: [ResponsePath.Component],
    announcedAs position: Int?, isAnnounced: Bool, errors: ErrorTree?,
    with normalizer: inout Normalizer
  ) throws {
    var listPath = path
    var first: Int?
    if !isAnnounced, case .index(let index)? = path.last {
      first = index
      listPath.removeLast()
    }
    guard case .field(let responseKey)? = listPath.popLast() else {
      hasLostParts = true
      return try items.skip()
    }
    addCounts(of: normalizer)
    let objects = received.objects(at: listPath[...])
    var end: Int?
    // Several selections may have the list.
    var starts: [ListKey: Int] = [:]
    for object in received.distinct(objects) {
      let target = target(object, at: listPath)
      let record = number(of: object)
      let plan = program.plans[object.selection]
      for slot in received.slots(responseKey, of: object)
      where plan.plan.slots[slot].field?.type.listDepth ?? 0 > 0 {
        let key = ListKey(record: record, key: plan.keys[slot])
        let list = list(key, of: objects, type: plan.plan.slots[slot].field?.type)
        let start =
          starts[key] ?? first ?? position.flatMap { announced[$0].elementCount }
          ?? initialCounts[
            StreamKey(record: record, selection: object.selection, slot: slot), default: 0]
        starts[key] = start
        if start < 0 { continue }
        try addGap(before: start, in: list)
        let read = try received.current.extend(by: &normalizer) {
          try $0.elements(
            items.scanner, isArray: isArray, ofSlot: slot, of: target, from: start,
            errors: errors?.subtree(at: listPath))
        }
        try items.end(normalizer.scanner)
        end = start + read.values.count
        append(
          read, to: list, at: start, slot: slot, of: object,
          path: listPath + [.field(responseKey)])
      }
    }
    if end == nil {
      hasLostParts = true
      try items.skip()
    }
    if let position, let end { announced[position].elementCount = end }
    appendHandles(of: listPath)
  }

  /// Ends a streamed list whose rest has failed: the elements that have arrived stay, and the errors
  /// are those of the next one.
  mutating func failList(
    _ label: Int?, at path: [ResponsePath.Component], errors: [GraphQLError],
    into changes: inout RecordPartChanges
  ) {
    var ownerPath = path
    guard case .field(let responseKey)? = ownerPath.popLast() else { return }
    let objects = received.objects(at: ownerPath[...])
    for object in received.distinct(objects) {
      remove(label, of: object, into: &changes)
      let record = number(of: object)
      let plan = program.plans[object.selection]
      for slot in received.slots(responseKey, of: object) {
        let key = ListKey(record: record, key: plan.keys[slot])
        guard let type = plan.plan.slots[slot].field?.type, type.listDepth > 0,
          failedLists.insert(key).inserted
        else { continue }
        let list = list(key, of: objects, type: type)
        let end = list.count
        let before = list.write([], at: end, errors: Self.errors(errors, ofList: path, at: end))
        let id = records.id(of: record)
        received.current.append(
          ListPatch(
            record: received.current.appendOccurrence(of: id), key: key.key, index: end, values: [],
            list: list, before: before))
        recordsOfFailedLists.append(record)
        changes.failedLists.append(id)
      }
    }
    appendHandles(of: ownerPath)
  }

  /// Returns the errors of the next element of a list, with paths from the list.
  private static func errors(
    _ errors: [GraphQLError], ofList path: [ResponsePath.Component], at index: Int
  ) -> [StoredError] {
    if errors.isEmpty {
      return [.init(message: "The server sent no data for a part.", path: [.index(index)])]
    }
    return errors.map { error in
      let components = error.path.components
      let isInside = components.count > path.count && components.starts(with: path)
      return StoredError(
        message: error.message,
        path: isInside ? ResponsePath(Array(components[path.count...])) : [.index(index)])
    }
  }

  /// Whether the list at a path may have null as an element.
  mutating func hasNullableElements(at path: [ResponsePath.Component]) -> Bool {
    guard case .field(let responseKey)? = path.last else { return true }
    let objects = received.objects(at: path.dropLast())
    return received.distinct(objects).contains { object in
      received.slots(responseKey, of: object).contains { slot in
        let type = program.plans[object.selection].plan.slots[slot].field?.type
        return type.map { $0.listDepth > 0 && $0.isNullable[1] } ?? false
      }
    }
  }

  /// The maximum number of elements of all lists that may be missing before one that arrives.
  private static let gapLimit = 100_000

  /// Counts the elements that are missing before one that arrives.
  private mutating func addGap(before start: Int, in list: StreamedList) throws {
    let gap = start - list.count
    if gap <= 0 { return }
    if gap > Self.gapLimit - gapCount {
      throw reader.malformed("leaves out more than \(Self.gapLimit) elements of its lists")
    }
    gapCount += gap
  }

  /// Records how many elements the streamed lists have that were read since.
  mutating func addCounts(of normalizer: Normalizer) {
    for list in normalizer.streamed[countedLists...] {
      let object = normalizer.deferring[list.object]
      let key = StreamKey(
        record: received.current.number(of: object.record, in: &records), selection: object.object,
        slot: list.slot)
      initialCounts[key] = list.count
    }
    countedLists = normalizer.streamed.count
  }

  private mutating func append(
    _ read: (parent: RecordIndex, values: [FieldValue], errors: [StoredError]),
    to list: StreamedList, at start: Int, slot: Int, of object: ReceivedObjects.Object,
    path: [ResponsePath.Component]
  ) {
    let elements = elements(read.values, in: received.current.payload)
    let before = list.write(elements, at: start, errors: read.errors)
    received.current.append(
      ListPatch(
        record: read.parent, key: program.plans[object.selection].keys[slot], index: start,
        values: read.values, list: list, before: before))
    let child = program.steps[program.objects[object.selection].firstStep + slot].child
    guard child >= 0 else { return }
    var objects: [(index: Int, object: ReceivedObjects.Object)] = []
    objects.reserveCapacity(read.values.count)
    for (offset, value) in read.values.enumerated() {
      guard case .link(let link) = value else {
        mount(value, selection: Int(child), at: path + [.index(start + offset)])
        continue
      }
      let object = ReceivedObjects.Object(
        payload: received.nextPayload, record: link, selection: Int(child))
      objects.append((start + offset, object))
    }
    received.mount(objects, inListAt: path)
  }

  /// Mounts the objects in an element of a list.
  private mutating func mount(
    _ value: FieldValue, selection: Int, at path: [ResponsePath.Component]
  ) {
    switch value {
    case .link(let link):
      received.mount(
        .init(payload: received.nextPayload, record: link, selection: selection), at: path)
    case .links(let links):
      for (index, link) in links.enumerated() where link != .none {
        mount(.link(link), selection: selection, at: path + [.index(index)])
      }
    case .list(let values):
      for (index, value) in values.enumerated() {
        mount(value, selection: selection, at: path + [.index(index)])
      }
    default: return
    }
  }

  /// Returns a streamed list, as far as it has arrived.
  private mutating func list(
    _ key: ListKey, of objects: ReceivedObjects.Objects, type: PlanType?
  ) -> StreamedList {
    if let list = lists[key] { return list }
    let initial = received.list(key.key, of: objects)
    let list = StreamedList(
      initial.map { element($0.value, in: $0.payload).elements } ?? [],
      errors: initial?.errors ?? [],
      hasRecords: type?.namedType == .object && type?.listDepth == 1)
    lists[key] = list
    return list
  }

  private func elements(
    _ values: [FieldValue], in payload: RecordPayload
  ) -> [StreamedList.Element] {
    values.map { element($0, in: payload) }
  }

  private func element(_ value: FieldValue, in payload: RecordPayload) -> StreamedList.Element {
    switch value {
    case .link(let link): .record(payload.id(of: link))
    case .links(let links): .records(links.map { $0 == .none ? nil : payload.id(of: $0) })
    case .list(let values): .list(values.map { element($0, in: payload) })
    default: .value(value)
    }
  }
}

extension StreamedList.Element {
  /// The elements of a list.
  fileprivate var elements: [StreamedList.Element] {
    switch self {
    case .list(let elements): elements
    case .records(let ids): ids.map { $0.map(StreamedList.Element.record) ?? .null }
    default: []
    }
  }
}
