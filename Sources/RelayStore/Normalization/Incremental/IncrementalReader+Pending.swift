// The parts that have not arrived.

extension IncrementalReader {
  /// The maximum number of announced parts whose objects are looked for in later payloads.
  private static let unresolvedLimit = 1_000

  /// Adds parts that the server announces.
  mutating func announce(_ parts: [PayloadMembers.Announcement]?) {
    guard let parts else { return }
    announcesParts = true
    for part in parts where part.path.components.count <= Self.pathLimit {
      if announced[part.id] != nil { continue }
      unresolved.append(part.id)
      announced[part.id] = Announced(label: part.label ?? "", path: part.path.components)
    }
  }

  /// Ends announced parts.
  mutating func complete(
    _ parts: [(id: String, errors: [GraphQLError])]?, into result: inout IncrementalPayload
  ) {
    for (id, errors) in parts ?? [] {
      guard let part = announced.removeValue(forKey: id) else { continue }
      if let known = part.part, pending.remove(known) != nil {
        result.pending.removed.append(known)
      }
      if errors.isEmpty { continue }
      result.errors += errors
      let objects = received.objects(at: part.path, current: current)
      fail(part.label, of: objects, at: part.path, errors: errors)
    }
  }

  /// Adds the parts that are pending since this payload.
  mutating func addPending(
    of normalizer: Normalizer, hasNext: Bool, into changes: inout RecordPartChanges
  ) {
    guard hasNext else { return }
    if announcesParts {
      let ids = unresolved
      unresolved = ids.filter { !resolve($0, into: &changes) }
      if unresolved.count > Self.unresolvedLimit { unresolved = [] }
      return
    }
    pending.reserveCapacity(pending.count + normalizer.deferring.count)
    seen.reserveCapacity(seen.count + normalizer.deferring.count)
    // The object of a part was seen with the payload that brought it.
    for (record, selection) in normalizer.deferring where !current.payload.isPart(record) {
      let object = SeenObject(record: current.payload.id(of: record), selection: selection)
      if seen.insert(object).inserted {
        addPending(of: record, selection: selection, to: &changes)
      }
    }
  }

  /// Finds the object of an announced part, and the number of elements of a list that is streamed.
  ///
  /// - Returns: Whether the object was found, or nothing waits for it.
  private mutating func resolve(_ id: String, into changes: inout RecordPartChanges) -> Bool {
    guard let part = announced[id], part.part == nil else { return true }
    guard let object = owner(of: part.path) else { return false }
    if part.elementCount == nil {
      let count = elementCount(at: part.path)
      announced[id]?.elementCount = count
    }
    // Nothing waits for a part that the plan does not expect.
    if !expected.isPart(part.label) { return true }
    let known = self.part(part.label, of: received.id(of: object, current: current))
    announced[id]?.part = known
    add(known, to: &changes)
    return true
  }

  /// Returns the number of elements with which the streamed list at a path begins; `nil` if there is
  /// no such list.
  private mutating func elementCount(at path: [ResponsePath.Component]) -> Int? {
    guard case .field(let key)? = path.last else { return nil }
    let owners = received.objects(at: path.dropLast(), current: current)
    for owner in received.distinct(owners, current: current) {
      let id = received.id(of: owner, current: current)
      for slot in received.slots(key, of: owner, current: current) {
        let key = StreamKey(record: id, selection: owner.selection, slot: slot)
        if let count = initialCounts[key] { return count }
      }
    }
    return nil
  }

  /// Returns the object that an announced part belongs to: the one at its path, or the one that has
  /// the list at its path.
  private mutating func owner(of path: [ResponsePath.Component]) -> ReceivedObjects.Object? {
    received.objects(at: path, current: current).first
      ?? received.objects(at: path.dropLast(), current: current).first
  }

  /// Adds the parts of an object of which nothing has arrived.
  private mutating func addPending(
    of record: RecordIndex, selection: Int, to changes: inout RecordPartChanges
  ) {
    let fields = fields(of: selection)
    let plan = program.plans[selection]
    let firstStep = program.objects[selection].firstStep
    let typeName = current.typeName(of: record)
    let id = current.payload.id(of: record)
    func applies(_ slot: Int) -> Bool {
      plan.isIncluded[slot]
        && program.mayApply(program.steps[firstStep + slot], of: selection, to: typeName)
    }
    func isKnownToApply(_ slot: Int) -> Bool {
      program.applies(program.steps[firstStep + slot], of: selection, to: typeName)
    }
    func has(_ slot: Int) -> Bool { current.cell(plan.keys[slot], of: record) != nil }
    for (part, slots) in fields.deferred {
      var (isOwn, hasAny, isIncomplete) = (false, false, false)
      for slot in slots where !isIncomplete && applies(slot) {
        isOwn = true
        if has(slot) { hasAny = true } else { isIncomplete = isKnownToApply(slot) }
      }
      if isIncomplete || isOwn && !hasAny {
        add(.init(record: id, label: part.label, fragment: part.fragment), to: &changes)
      }
    }
    for (label, slot) in fields.streamed where applies(slot) && has(slot) {
      add(.init(record: id, label: label), to: &changes)
    }
  }

  /// Returns the part of an object that has a label.
  private mutating func part(_ label: String, of id: DataID) -> RecordPart {
    if !lastLabel.label.hasSameBytes(as: label) {
      lastLabel = (label, expected.fragments[label] ?? "")
    }
    return RecordPart(record: id, label: lastLabel.label, fragment: lastLabel.fragment)
  }

  private mutating func add(_ part: RecordPart, to changes: inout RecordPartChanges) {
    if arrived.contains(part) { return }
    if pending.insert(part).inserted { changes.added.append(part) }
  }

  mutating func remove(
    _ label: String, of object: ReceivedObjects.Object, into changes: inout RecordPartChanges
  ) {
    remove(label, of: received.id(of: object, current: current), into: &changes)
  }

  mutating func remove(
    _ label: String, of id: DataID, into changes: inout RecordPartChanges
  ) {
    let part = part(label, of: id)
    arrived.insert(part)
    if pending.remove(part) != nil { changes.removed.append(part) }
  }

  /// Removes the parts of an object whose fields have all arrived with another part: a server may send
  /// a nested fragment inline.
  mutating func removeComplete(
    of object: ReceivedObjects.Object, at path: [ResponsePath.Component],
    into changes: inout RecordPartChanges
  ) {
    let id = received.id(of: object, current: current)
    var waiting = fields(of: object.selection).deferred
    if waiting.isEmpty { return }
    waiting.removeAll { deferred in
      let part = deferred.part
      return !pending.contains(.init(record: id, label: part.label, fragment: part.fragment))
    }
    if waiting.isEmpty { return }
    let objects = received.objects(at: path, current: current)
    let plan = program.plans[object.selection]
    for (part, _) in waiting {
      let isComplete = fieldsOfPart(part.label, of: object)
        .allSatisfy { received.has(plan.keys[$0], objects, current) }
      if isComplete { remove(part.label, of: id, into: &changes) }
    }
  }

  mutating func removeAllPending(into changes: inout RecordPartChanges) {
    changes.removed += pending
    pending = []
  }
}
