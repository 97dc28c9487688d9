// The elements of streamed lists.

extension IncrementalReader {
  /// Reads elements of a streamed list.
  mutating func readItems(
    _ items: UnreadValue, of part: PartEvent.Part, at place: Place,
    with normalizer: inout Normalizer
  ) throws {
    guard try items.kind == .null else {
      return try readElements(items, isArray: true, of: part, at: place, with: &normalizer)
    }
    try items.skip()
    var path = place.path
    if !part.isAnnounced, case .index? = path.last { path.removeLast() }
    failList(place.labelIndex, at: path, errors: part.errors)
  }

  /// Reads one element of a list, as sent in the format of 2020.
  mutating func readElement(
    _ data: UnreadValue, of part: PartEvent.Part, at place: Place,
    with normalizer: inout Normalizer
  ) throws {
    guard case .index? = place.path.last else {
      hasLostParts = true
      return try data.skip()
    }
    if try data.kind == .null, !hasNullableElements(at: place.path.dropLast()) {
      try data.skip()
      return failList(place.labelIndex, at: place.path.dropLast(), errors: part.errors)
    }
    try readElements(data, isArray: false, of: part, at: place, with: &normalizer)
  }

  /// - Parameter isArray: Whether the items are an array rather than one element.
  private mutating func readElements(
    _ items: UnreadValue, isArray: Bool, of part: PartEvent.Part, at place: Place,
    with normalizer: inout Normalizer
  ) throws {
    addCounts(of: normalizer)
    guard var reading = ReadItems(items, isArray: isArray, of: part, at: place) else {
      hasLostParts = true
      return try items.skip()
    }
    let objects = received.objects(at: reading.path[...])
    for object in received.distinct(objects) {
      for slot in received.slots(reading.responseKey, of: object)
      where program.plans[object.selection].plan.slots[slot].field?.type.listDepth ?? 0 > 0 {
        try read(&reading, slot: slot, of: object, among: objects, with: &normalizer)
      }
    }
    if let position = place.position, let end = reading.end {
      announced[position].elementCount = end
    }
    if reading.end == nil {
      hasLostParts = true
      try items.skip()
    }
    appendHandles(of: reading.path)
  }

  /// Elements that are read with each selection that has their list.
  private struct ReadItems {
    let items: UnreadValue
    let isArray: Bool
    /// The path of the object that has the list.
    let path: [ResponsePath.Component]
    let responseKey: String
    let errors: ErrorTree?
    /// The index of the first element; `nil` if the elements are appended.
    let first: Int?
    /// The position of the announced list.
    let position: Int?
    /// The first indexes that were found.
    var starts: [StreamedLists.Key: Int] = [:]
    /// The index after the last element; `nil` until the elements are read.
    var end: Int?

    /// Returns `nil` if the path does not lead to a list.
    init?(_ items: UnreadValue, isArray: Bool, of part: PartEvent.Part, at place: Place) {
      var path = place.path
      if !part.isAnnounced, case .index(let index)? = path.last {
        first = index
        path.removeLast()
      } else {
        first = nil
      }
      guard case .field(let key)? = path.popLast() else { return nil }
      (self.items, self.isArray, self.path, responseKey) = (items, isArray, path, key)
      (errors, position) = (part.errorTree, place.position)
    }
  }

  private mutating func read(
    _ reading: inout ReadItems, slot: Int, of object: ReceivedObjects.Object,
    among objects: ReceivedObjects.Objects, with normalizer: inout Normalizer
  ) throws {
    let (target, record) = (target(object, at: reading.path), number(of: object))
    let plan = program.plans[object.selection]
    let key = StreamedLists.Key(record: record, key: plan.keys[slot])
    let list = list(key, of: objects, type: plan.plan.slots[slot].field?.type)
    let start =
      reading.starts[key] ?? reading.first
      ?? reading.position.flatMap { announced[$0].elementCount }
      ?? lists.initialCounts[
        StreamedLists.Start(record: record, selection: object.selection, slot: slot), default: 0]
    reading.starts[key] = start
    if start < 0 { return }
    try addGap(before: start, in: list)
    let read = try received.current.extend(by: &normalizer) {
      try $0.elements(
        reading.items.scanner, isArray: reading.isArray, ofSlot: slot, of: target, from: start,
        errors: reading.errors?.subtree(at: reading.path))
    }
    try reading.items.end(normalizer.scanner)
    reading.end = start + read.values.count
    append(
      read, to: list, at: start, slot: slot, of: object,
      path: reading.path + [.field(reading.responseKey)])
  }

  /// Ends a streamed list whose rest has failed. Elements that have arrived are preserved; the
  /// errors are attributed to the next element.
  mutating func failList(
    _ label: Int?, at path: [ResponsePath.Component], errors: [GraphQLError]
  ) {
    var ownerPath = path
    guard case .field(let responseKey)? = ownerPath.popLast() else { return }
    let objects = received.objects(at: ownerPath[...])
    for object in received.distinct(objects) {
      remove(label, of: object)
      let record = number(of: object)
      let plan = program.plans[object.selection]
      for slot in received.slots(responseKey, of: object) {
        let key = StreamedLists.Key(record: record, key: plan.keys[slot])
        guard let type = plan.plan.slots[slot].field?.type, type.listDepth > 0,
          lists.failed.insert(key).inserted
        else { continue }
        let list = list(key, of: objects, type: type)
        let end = list.count
        let before = list.write([], at: end, errors: Self.errors(errors, ofList: path, at: end))
        let id = records.id(of: record)
        received.current.append(
          ListPatch(
            record: received.current.appendOccurrence(of: id), key: key.key, index: end, values: [],
            list: list, before: before))
        changes.recordsOfFailedLists.append(record)
        changes.parts.failedLists.append(id)
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

  /// Whether the list at a path may contain null.
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

  /// The maximum number of elements that may be missing before one that arrives, in all lists
  /// together.
  private static let gapLimit = 100_000

  /// Counts the elements that are missing before one that arrives.
  private mutating func addGap(before start: Int, in list: StreamedList) throws {
    let gap = start - list.count
    if gap <= 0 { return }
    if gap > Self.gapLimit - lists.gapCount {
      throw reader.malformedError("leaves out more than \(Self.gapLimit) elements of its lists")
    }
    lists.gapCount += gap
  }

  /// Saves the element counts of the streamed lists that were read since the last call.
  mutating func addCounts(of normalizer: Normalizer) {
    for list in normalizer.streamed[changes.countedLists...] {
      let object = normalizer.deferring[list.object]
      let key = StreamedLists.Start(
        record: received.current.number(of: object.record, in: &records), selection: object.object,
        slot: list.slot)
      lists.initialCounts[key] = list.count
    }
    changes.countedLists = normalizer.streamed.count
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

  /// Returns a streamed list with the elements that have arrived.
  private mutating func list(
    _ key: StreamedLists.Key, of objects: ReceivedObjects.Objects, type: PlanType?
  ) -> StreamedList {
    if let list = lists.byField[key] { return list }
    let initial = received.list(key.key, of: objects)
    let list = StreamedList(
      initial.map { element($0.value, in: $0.payload).elements } ?? [],
      errors: initial?.errors ?? [],
      hasRecords: type?.namedType == .object && type?.listDepth == 1)
    lists.byField[key] = list
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
