// The parts that have not arrived.

extension IncrementalReader {
  /// The maximum number of announced parts whose objects are searched for in later payloads.
  private static let unresolvedLimit = 1_000
  /// The maximum number of objects of one response that are examined for fragments that arrive with
  /// other parts. Beyond it, such a fragment is pending until its own part or the last payload.
  private static let comparedLimit = 100_000

  /// Ends an announced part.
  mutating func complete(_ id: String, errors: [GraphQLError]) {
    changes.errors += errors
    guard let part = announced.end(id) else {
      // The fields of a failed part without an announcement are unknown.
      if !errors.isEmpty { hasLostParts = true }
      return
    }
    let label = index(of: part.label)
    if let label, let record = part.record { removePending(label, of: record) }
    if errors.isEmpty { return }
    if label.map(expected.isStreamed) == true {
      return failList(label, at: part.path, errors: errors)
    }
    fail(label, of: received.objects(at: part.path[...]), at: part.path, errors: errors)
  }

  /// Adds the parts that become pending with this payload.
  mutating func addPending(of normalizer: Normalizer) {
    addConnections()
    if announced.isUsed {
      // Without new records or announcements, no more objects can be found.
      if received.current.payload.entries.isEmpty, !changes.isAnnouncing { return }
      let positions = announced.unresolved
      let unresolved = positions.filter { !resolve($0) }
      announced.unresolved = unresolved.count > Self.unresolvedLimit ? [] : unresolved
      return
    }
    records.reserveCapacity(forMore: normalizer.deferring.count)
    // The object that a part belongs to was handled with the payload that brought it.
    for (record, selection) in normalizer.deferring where !received.current.payload.isPart(record) {
      let number = received.current.number(of: record, in: &records)
      if seen[selection].insert(number) {
        addPending(of: record, number, selection: selection)
      }
    }
  }

  /// Finds the object of an announced part, and the element count of a streamed list.
  ///
  /// - Returns: Whether the object was found, or no record waits for the part.
  private mutating func resolve(_ position: Int) -> Bool {
    if announced[position].hasEnded || announced[position].record != nil { return true }
    let path = announced[position].path
    guard let object = owner(of: path) else { return false }
    if announced[position].elementCount == nil {
      announced[position].elementCount = elementCount(at: path)
    }
    // The plan does not expect this part, so no record waits for it.
    guard let label = index(of: announced[position].label) else { return true }
    let record = number(of: object)
    announced[position].record = record
    add(label, of: record)
    return true
  }

  /// Returns the initial number of elements of the streamed list at a path; `nil` if there is no
  /// such list.
  private mutating func elementCount(at path: [ResponsePath.Component]) -> Int? {
    guard case .field(let key)? = path.last else { return nil }
    if lists.initialCounts.isEmpty { return nil }
    let owners = received.objects(at: path.dropLast())
    for owner in received.distinct(owners) {
      let number = number(of: owner)
      for slot in received.slots(key, of: owner) {
        let key = StreamedLists.Start(record: number, selection: owner.selection, slot: slot)
        if let count = lists.initialCounts[key] { return count }
      }
    }
    return nil
  }

  /// Returns the object that an announced part belongs to: the object at its path, or the owner of
  /// the list at its path.
  private mutating func owner(of path: [ResponsePath.Component]) -> ReceivedObjects.Object? {
    received.objects(at: path[...]).first
      ?? received.objects(at: path.dropLast()).first
  }

  /// Adds the parts of an object that are missing: deferred parts without their fields, and
  /// streamed lists.
  private mutating func addPending(
    of record: RecordIndex, _ number: RecordIndex, selection: Int
  ) {
    let fields = fields(of: selection)
    let plan = program.plans[selection]
    let firstStep = program.objects[selection].firstStep
    let typeName = received.current.typeName(of: record)
    func applies(_ slot: Int) -> Bool {
      plan.isIncluded[slot]
        && program.mayApply(program.steps[firstStep + slot], of: selection, to: typeName)
    }
    func isKnownToApply(_ slot: Int) -> Bool {
      program.applies(program.steps[firstStep + slot], of: selection, to: typeName)
    }
    func has(_ slot: Int) -> Bool { received.current.cell(plan.keys[slot], of: record) != nil }
    for (label, slots) in fields.deferred {
      var (isOwn, hasAny, isIncomplete) = (false, false, false)
      for slot in slots where !isIncomplete && applies(slot) {
        isOwn = true
        if has(slot) { hasAny = true } else { isIncomplete = isKnownToApply(slot) }
      }
      if isIncomplete || isOwn && !hasAny { add(label, of: number) }
    }
    for (label, slot) in fields.streamed where applies(slot) && has(slot) {
      add(label, of: number)
    }
  }

  private mutating func add(
    _ label: Int, of record: RecordIndex
  ) {
    if changes.arrived.contains(label, of: record) { return }
    guard pending[label].insert(record) else { return }
    changes.parts.added.append(RecordPart(record: records.id(of: record), label: label))
    if let connection = connections[record], pending[label].insert(connection.record) {
      connectionPartCount += 1
      changes.parts.added.append(
        RecordPart(record: records.id(of: connection.record), label: label))
    }
  }

  mutating func remove(
    _ label: Int?, of object: ReceivedObjects.Object
  ) {
    if let label { remove(label, of: number(of: object)) }
  }

  private mutating func remove(
    _ label: Int, of record: RecordIndex
  ) {
    changes.arrived.insert(label, of: record)
    removePending(label, of: record)
  }

  private mutating func removePending(
    _ label: Int, of record: RecordIndex
  ) {
    guard pending[label].contains(record) else { return }
    pending[label].remove(record)
    changes.parts.removed.append(RecordPart(record: records.id(of: record), label: label))
    if let connection = connections[record]?.record, pending[label].contains(connection) {
      connectionPartCount -= 1
      pending[label].remove(connection)
      changes.parts.removed.append(RecordPart(record: records.id(of: connection), label: label))
    }
  }

  /// Removes a part from the objects that were read with it: all of its fields may belong to an
  /// object inside its data.
  mutating func removeArrived(
    label: Int?, with objects: ArraySlice<(record: RecordIndex, object: Int)>
  ) {
    guard let label else { return }
    for (record, _) in objects where !received.current.payload.isPart(record) {
      remove(label, of: received.current.number(of: record, in: &records))
    }
  }

  /// Removes the parts of an object whose fields have all arrived, some of them with another part:
  /// a server may send a nested fragment inline.
  ///
  /// A part without any of the fields is inconclusive: others may have brought the objects of the
  /// fields, without the fragment's selections in them.
  ///
  /// - Parameter part: The objects of the other part.
  mutating func removeComplete(
    of object: ReceivedObjects.Object, with part: ReceivedObjects.Objects,
    at path: [ResponsePath.Component]
  ) {
    let record = number(of: object)
    let waiting = fields(of: object.selection).deferred.filter {
      pending[$0.label].contains(record)
    }
    if waiting.isEmpty { return }
    let objects = received.objects(at: path[...])
    let plan = program.plans[object.selection]
    for (label, _) in waiting {
      let keys = fieldsOfPart(label, of: object).map { plan.keys[$0] }
      let isTold = keys.isEmpty || keys.contains { received.has($0, part) }
      if isTold, isComplete(label, of: object, among: objects, at: path) {
        remove(label, of: record)
      }
    }
  }

  /// Whether all fields that arrive with a part of an object were received, in linked objects too.
  ///
  /// - Parameter objects: The objects at the path.
  private mutating func isComplete(
    _ label: Int, of object: ReceivedObjects.Object, among objects: ReceivedObjects.Objects,
    at path: [ResponsePath.Component]
  ) -> Bool {
    let plan = program.plans[object.selection]
    for slot in fieldsOfPart(label, of: object) where !received.has(plan.keys[slot], objects) {
      return false
    }
    let firstStep = program.objects[object.selection].firstStep
    for (slot, field) in plan.plan.slots.enumerated() where plan.isIncluded[slot] {
      let child = Int(program.steps[firstStep + slot].child)
      guard let key = field.field?.responseKey, child >= 0, hasFields(of: label, below: child)
      else { continue }
      let list = received.list(plan.keys[slot], of: objects)?.value
      if !isComplete(label, of: list, at: path + [.field(key)]) { return false }
    }
    return true
  }

  /// Whether the objects at a path are complete: the elements of `list`, unless it is `nil`.
  private mutating func isComplete(
    _ label: Int, of list: FieldValue?, at path: [ResponsePath.Component]
  ) -> Bool {
    comparedCount += 1
    if comparedCount > Self.comparedLimit { return false }
    switch list {
    case .links(let links):
      return links.indices.allSatisfy { isComplete(label, of: nil, at: path + [.index($0)]) }
    case .list(let values):
      return values.indices.allSatisfy {
        isComplete(label, of: values[$0], at: path + [.index($0)])
      }
    default:
      let objects = received.objects(at: path[...])
      return received.distinct(objects).allSatisfy {
        isComplete(label, of: $0, among: objects, at: path)
      }
    }
  }

  /// Whether fields of a selection, or of the selections below it, arrive with a part.
  private mutating func hasFields(of label: Int, below selection: Int) -> Bool {
    if fields(of: selection).deferred.contains(where: { $0.label == label }) { return true }
    let firstStep = program.objects[selection].firstStep
    return program.plans[selection].plan.slots.indices.contains {
      let child = Int(program.steps[firstStep + $0].child)
      return child >= 0 && hasFields(of: label, below: child)
    }
  }

  mutating func removeAllPending() {
    for label in pending.indices {
      pending[label].forEach {
        changes.parts.removed.append(RecordPart(record: records.id(of: $0), label: label))
      }
      pending[label] = RecordSet()
    }
    connectionPartCount = 0
  }
}
