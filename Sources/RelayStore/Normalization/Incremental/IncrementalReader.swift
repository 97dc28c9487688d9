/// A payload of a response that arrives in parts, after normalization.
package struct IncrementalPayload: Sendable {
  /// The records to merge; `nil` if there are none.
  package var records: RecordPayload?
  /// The errors of the payload and of its parts.
  package var errors: [GraphQLError] = []
  package var extensions: JSONObject = [:]
  /// Whether this is the first payload, whose data is that of the whole operation.
  package var isInitial = false
  /// Whether more payloads follow.
  package var hasNext = false
  package var pending = RecordPartChanges()
  /// The labels of the parts in this payload; empty for a part without one.
  package var labels: [String] = []
}

/// A reader of the payloads of one response, in any of the three formats; see ``PayloadMembers``.
///
/// `@defer` is a hint: fields that the server sends inline are normalized with the object. Every
/// payload becomes one set of records, so it is one change of the store.
package struct IncrementalReader {
  /// A part that the server has announced.
  private struct Announced {
    var id: String
    var label: String
    var path: [ResponsePath.Component]
    /// The part as observers know it; `nil` until the payload that announces it was read.
    var part: RecordPart?
    /// The number of elements of a streamed list that have arrived at this path; `nil` before the
    /// first of them.
    var elementCount: Int?
  }

  private let reader: ResponseReader
  private let program: ResponseProgram
  private var received: ReceivedObjects
  /// The payload that is being read.
  private var current = ReceivedPayload(RecordPayload(), sharesLinks: false)
  private var announced: [String: Announced] = [:]
  /// The ids of announced parts whose objects were not found yet.
  private var unresolved: [String] = []
  /// The maximum number of those.
  private static let unresolvedLimit = 1_000
  /// Whether the server announces its parts. Otherwise they follow from the plan and from what an
  /// object lacks.
  private var announcesParts = false
  /// The number of streamed lists of the current payload that were counted.
  private var countedLists = 0
  private var pending: Set<RecordPart> = []
  /// The parts in the payload that is being read.
  private var arrived: Set<RecordPart> = []
  /// The numbers of elements with which streamed lists begin. The list in the payload may be that of
  /// another field, which is not streamed.
  private var initialCounts: [StreamKey: Int] = [:]
  private var lists: [ListKey: StreamedList] = [:]
  private var deferredFields: [Int: DeferredFields] = [:]
  private var isFirst = true
  /// The objects of which pending parts were looked for.
  private var seen: Set<SeenObject> = []
  private let expected: ExpectedParts
  /// The last label that was looked up, and its fragment: many parts have the same label.
  private var lastLabel = (label: "", fragment: "")

  private struct ListKey: Hashable {
    var record: DataID
    var key: FieldKey
  }

  private struct StreamKey: Hashable {
    var record: DataID
    var selection: Int
    var slot: Int
  }

  private struct SeenObject: Hashable {
    var record: DataID
    var selection: Int
  }

  package init(_ reader: ResponseReader) {
    self.reader = reader
    program = reader.plan.program
    received = ReceivedObjects(program)
    expected = ExpectedParts(program)
  }

  /// Reads the next payload.
  ///
  /// - Throws: ``RelayError`` with code `response` if the bytes are not JSON, not a payload, or not
  ///   of the shape of the plan. The reader is not usable after that.
  /// - Complexity: O(*n*) in the bytes, and in the components of the parts' paths.
  package mutating func payload(_ bytes: [UInt8]) throws -> IncrementalPayload {
    try reader.scan(bytes) { scanner in
      guard try scanner.peekKind() == .object else { throw reader.malformed("is not an object") }
      let start = scanner
      var normalizer = begin(start, bytes)
      var root: RecordIndex?
      var dataCount = 0
      let members = try PayloadMembers(&scanner) { scanner in
        dataCount += 1
        guard isFirst, dataCount == 1, try scanner.peekKind() == .object else {
          return try scanner.skipValue()
        }
        normalizer.scanner = scanner
        root = try readRoot(errors: nil, with: &normalizer)
        scanner = normalizer.scanner
      }
      try scanner.end()
      if root != nil, dataCount > 1 || !members.errors.isEmpty {
        // As in a plain response, data with errors is read a second time.
        (normalizer, root) = (begin(start, bytes), nil)
      }
      return try read(members, root: root, with: &normalizer)
    }
  }

  /// Begins a payload, and returns the normalizer that reads its parts.
  private mutating func begin(_ scanner: JSONScanner, _ bytes: [UInt8]) -> Normalizer {
    var normalizer = reader.normalizer(scanner, bytes)
    current = ReceivedPayload(normalizer.payload, sharesLinks: expected.sharesLinks)
    normalizer.payload = RecordPayload()
    countedLists = 0
    return normalizer
  }

  /// - Parameter root: The record of the data; `nil` if it was not read yet.
  private mutating func read(
    _ members: PayloadMembers, root: RecordIndex?, with normalizer: inout Normalizer
  ) throws -> IncrementalPayload {
    var result = IncrementalPayload()
    result.errors = members.errors
    result.extensions = members.extensions
    result.hasNext = members.hasNext ?? false
    arrived = Set(minimumCapacity: members.incremental.count)
    let isTopPart = members.top.path != nil
    if isFirst || members.data != nil && !isTopPart {
      result.isInitial = true
      let root = try root ?? readInitial(members, with: &normalizer)
      isFirst = false
      if let root {
        received.mount(.init(payload: received.nextPayload, record: root, selection: 0), at: [])
      }
    }
    announce(members.pending)
    var parts = members.incremental
    if isTopPart {
      var top = members.top
      (top.data, top.errors) = (members.data, members.errors)
      parts.insert(top, at: 0)
    }
    for part in parts {
      result.errors += isTopPart ? [] : part.errors
      result.labels.append(try read(part, with: &normalizer, into: &result.pending))
    }
    complete(members.completed, into: &result)
    addCounts(of: normalizer)
    addPending(of: normalizer, hasNext: result.hasNext, into: &result.pending)
    if !result.hasNext { removeAllPending(into: &result.pending) }
    if !current.payload.entries.isEmpty || !current.payload.patches.isEmpty {
      result.records = current.payload
      received.append(current)
    }
    return result
  }

  /// Reads the data of the whole operation.
  ///
  /// - Returns: Its record; `nil` if it is null.
  private mutating func readInitial(
    _ members: PayloadMembers, with normalizer: inout Normalizer
  ) throws -> RecordIndex? {
    guard let data = members.data else {
      if isFirst, !members.errors.isEmpty { return nil }
      throw reader.malformed("begins with a part instead of data")
    }
    normalizer.scanner = data
    guard try normalizer.scanner.peekKind() == .object else {
      if try normalizer.scanner.peekKind() == .null { return nil }
      throw reader.malformed("has data that is not an object")
    }
    return try readRoot(
      errors: members.errors.isEmpty ? nil : ErrorTree(members.errors), with: &normalizer)
  }

  /// Reads the data of the whole operation, at the normalizer's position.
  private mutating func readRoot(
    errors: ErrorTree?, with normalizer: inout Normalizer
  ) throws -> RecordIndex {
    try current.extend(by: &normalizer) { [reader] normalizer in
      normalizer.treatsMissingFieldsAsNull = reader.treatsMissingFieldsAsNull
      defer { normalizer.treatsMissingFieldsAsNull = false }
      return try normalizer.root(id: reader.root, errors: errors)
    }
  }

  // MARK: Parts

  /// Reads a part.
  ///
  /// - Returns: Its label; empty if it has none.
  private mutating func read(
    _ part: PayloadMembers.Part, with normalizer: inout Normalizer,
    into changes: inout RecordPartChanges
  ) throws -> String {
    let origin = part.id.flatMap { announced[$0] }
    let path = (origin?.path ?? part.path?.components ?? []) + part.subPath.components
    let label = part.label ?? origin?.label ?? ""
    let errors = part.errors.isEmpty ? nil : ErrorTree(part.errors)
    if let items = part.items {
      try readItems(
        items, isArray: true, at: path, announcedAs: part.id, errors: errors, with: &normalizer)
      return label
    }
    let objects = received.objects(at: path, current: current)
    // Another field may have brought the object of an element.
    let isElement =
      expected.streamed.contains(label) || objects.isEmpty && expected.fragments[label] == nil
    if isElement, let data = part.data, part.id == nil {
      // The format of 2020 sends the elements of a list one by one.
      if case .index? = path.last {
        try readItems(
          data, isArray: false, at: path, announcedAs: nil, errors: errors, with: &normalizer)
      }
      return label
    }
    if objects.count > Self.partLimit {
      throw reader.malformed("has more than \(Self.partLimit) parts of one object")
    }
    let targets = received.distinct(objects, current: current)
    if part.id == nil { for object in targets { remove(label, of: object, into: &changes) } }
    guard var data = part.data, try data.peekKind() == .object else {
      fail(label, of: objects, at: path, errors: part.errors)
      return label
    }
    let firstRead = normalizer.deferring.count
    var records: [RecordIndex] = []
    for object in targets {
      records.append(try read(data, of: object, at: path, errors: errors, with: &normalizer))
    }
    if part.id == nil {
      let below = normalizer.deferring[firstRead...].lazy.map(\.record)
      for record in below where !records.contains(record) {
        // The part's fields may be those of an object in it alone.
        remove(label, of: current.payload.id(of: record), into: &changes)
      }
    }
    appendHandles(of: path)
    return label
  }

  private mutating func read(
    _ data: JSONScanner, of object: ReceivedObjects.Object, at path: [ResponsePath.Component],
    errors: ErrorTree?, with normalizer: inout Normalizer
  ) throws -> RecordIndex {
    let target = target(object, at: path)
    let record = try current.extend(by: &normalizer) {
      try $0.part(data, of: target, errors: errors?.subtree(at: path))
    }
    received.mount(
      .init(payload: received.nextPayload, record: record, selection: object.selection), at: path)
    return record
  }

  private func target(
    _ object: ReceivedObjects.Object, at path: [ResponsePath.Component]
  ) -> Normalizer.PartTarget {
    Normalizer.PartTarget(
      selection: object.selection, id: received.id(of: object, current: current),
      typeName: received.typeName(of: object, current: current), path: path)
  }

  /// Writes null, with the part's errors, to the fields that would have arrived with a failed part.
  private mutating func fail(
    _ label: String, of objects: [ReceivedObjects.Object], at path: [ResponsePath.Component],
    errors: [GraphQLError]
  ) {
    let tree = ErrorTree(errors).subtree(at: path)
    let messages = errors.isEmpty ? ["The server sent no data for a part."] : errors.map(\.message)
    for object in received.distinct(objects, current: current) {
      let plan = program.plans[object.selection]
      var fields: [RecordPayload.Field] = []
      for slot in fieldsOfPart(label, of: object)
      where !received.has(plan.keys[slot], objects, current) {
        let own = plan.plan.slots[slot].field.flatMap { tree?[.field($0.responseKey)] }
        let found = own?.errorsOfNulls(in: .null) ?? []
        fields.append(
          .init(
            key: plan.keys[slot], value: .null,
            errors: found.isEmpty ? messages.map { StoredError(message: $0, path: []) } : found))
      }
      if fields.isEmpty { continue }
      current.append(fields, ofPartOf: received.id(of: object, current: current))
    }
    appendHandles(of: path)
  }

  /// Returns the slots that arrive with a deferred part of an object.
  private mutating func fieldsOfPart(
    _ label: String, of object: ReceivedObjects.Object
  ) -> [Int] {
    let deferred = fields(of: object.selection).deferred
    let slots = deferred.first { $0.part.label == label }?.slots ?? []
    let typeName = received.typeName(of: object, current: current)
    let firstStep = program.objects[object.selection].firstStep
    return slots.filter {
      program.mayApply(program.steps[firstStep + $0], of: object.selection, to: typeName)
    }
  }

  private mutating func fields(of selection: Int) -> DeferredFields {
    if let fields = deferredFields[selection] { return fields }
    let fields = DeferredFields(program.plans[selection])
    deferredFields[selection] = fields
    return fields
  }

  // MARK: Lists

  /// Reads elements of a streamed list.
  ///
  /// - Parameters:
  ///   - isArray: Whether the position is that of an array rather than of one element.
  ///   - path: The path of the list, or that of the first element.
  ///   - id: The id of the announced list, which the elements are appended to.
  private mutating func readItems(
    _ items: JSONScanner, isArray: Bool, at path: [ResponsePath.Component], announcedAs id: String?,
    errors: ErrorTree?, with normalizer: inout Normalizer
  ) throws {
    var items = items
    // A list without elements has failed, and ends.
    if isArray, try items.peekKind() == .null { return }
    var listPath = path
    var first: Int?
    if id == nil, case .index(let index)? = path.last {
      first = index
      listPath.removeLast()
    }
    guard case .field(let responseKey)? = listPath.popLast() else { return }
    addCounts(of: normalizer)
    let objects = received.objects(at: listPath, current: current)
    var end: Int?
    // Several selections may have the list.
    var starts: [ListKey: Int] = [:]
    for object in received.distinct(objects, current: current) {
      let target = target(object, at: listPath)
      let plan = program.plans[object.selection]
      for slot in received.slots(responseKey, of: object, current: current)
      where plan.plan.slots[slot].field?.type.listDepth ?? 0 > 0 {
        let key = ListKey(record: target.id, key: plan.keys[slot])
        let list = list(key, of: objects, type: plan.plan.slots[slot].field?.type)
        let start =
          starts[key] ?? first ?? id.flatMap { announced[$0]?.elementCount }
          ?? initialCounts[
            StreamKey(record: target.id, selection: object.selection, slot: slot), default: 0]
        starts[key] = start
        // A server cannot make the list longer than its elements by more than a limit.
        guard start >= 0, start <= list.count + Self.gapLimit else { continue }
        let read = try current.extend(by: &normalizer) {
          try $0.elements(
            items, isArray: isArray, ofSlot: slot, of: target, from: start,
            errors: errors?.subtree(at: listPath))
        }
        end = start + read.values.count
        append(
          read, to: list, at: start, slot: slot, of: object, path: listPath + [.field(responseKey)])
      }
    }
    if let id, let end { announced[id]?.elementCount = end }
    appendHandles(of: listPath)
  }

  /// The maximum number of parts that may bring fields of one object.
  private static let partLimit = 10_000

  /// The maximum number of elements that may be missing before one that arrives.
  private static let gapLimit = 10_000

  /// Records how many elements the streamed lists have that were read since.
  private mutating func addCounts(of normalizer: Normalizer) {
    for list in normalizer.streamed[countedLists...] {
      let object = normalizer.deferring[list.object]
      let key = StreamKey(
        record: current.payload.id(of: object.record), selection: object.object, slot: list.slot)
      initialCounts[key] = list.count
    }
    countedLists = normalizer.streamed.count
  }

  private mutating func append(
    _ read: (parent: RecordIndex, values: [FieldValue], errors: [StoredError]),
    to list: StreamedList, at start: Int, slot: Int, of object: ReceivedObjects.Object,
    path: [ResponsePath.Component]
  ) {
    let elements = elements(read.values, in: current.payload)
    let before = list.write(elements, at: start, errors: read.errors)
    current.append(
      ListPatch(
        record: read.parent, key: program.plans[object.selection].keys[slot], index: start,
        values: read.values, list: list, before: before))
    let child = program.steps[program.objects[object.selection].firstStep + slot].child
    guard child >= 0 else { return }
    var objects: [(index: Int, object: ReceivedObjects.Object)] = []
    for (offset, value) in read.values.enumerated() {
      if case .link(let link) = value {
        objects.append(
          (
            start + offset,
            .init(payload: received.nextPayload, record: link, selection: Int(child))
          ))
      } else {
        mount(value, selection: Int(child), at: path + [.index(start + offset)])
      }
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
    _ key: ListKey, of objects: [ReceivedObjects.Object], type: PlanType?
  ) -> StreamedList {
    if let list = lists[key] { return list }
    let initial = received.list(key.key, of: objects, current: current)
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

  /// Runs the handle of a connection again after a part of the connection, of its page info or of one
  /// of its edges was read: the list has copies of all of them.
  ///
  /// - Parameter path: The path of the object that the part belongs to.
  private mutating func appendHandles(of path: [ResponsePath.Component]) {
    if case .index? = path.last { return appendHandles(ofConnection: path.dropLast(2)) }
    appendHandles(ofConnection: path[...])
    appendHandles(ofConnection: path.dropLast())
  }

  private mutating func appendHandles(ofConnection path: ArraySlice<ResponsePath.Component>) {
    var path = path
    guard case .field(let key)? = path.popLast() else { return }
    let owners = received.objects(at: path, current: current)
    for owner in received.distinct(owners, current: current) {
      let plan = program.plans[owner.selection]
      if plan.handles.isEmpty { continue }
      // Fields with other response keys may have the same connection.
      let keys = received.slots(key, of: owner, current: current).map { plan.keys[$0] }
      for (_, handle) in plan.handles
      where handle.name == "connection" && keys.contains(handle.field) {
        current.appendForPart(handle, of: received.id(of: owner, current: current))
      }
    }
  }

  // MARK: Pending parts

  private mutating func announce(_ parts: [PayloadMembers.Announcement]?) {
    guard let parts else { return }
    announcesParts = true
    for part in parts {
      unresolved.append(part.id)
      announced[part.id] = Announced(
        id: part.id, label: part.label ?? "", path: part.path.components)
    }
  }

  /// Ends announced parts.
  private mutating func complete(
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
  private mutating func addPending(
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
    let known = self.part(part.label, of: received.id(of: object, current: current))
    announced[id]?.part = known
    add(known, to: &changes)
    if part.elementCount == nil, case .field(let key)? = part.path.last {
      let owners = received.objects(at: part.path.dropLast(), current: current)
      for owner in received.distinct(owners, current: current) {
        let id = received.id(of: owner, current: current)
        for slot in received.slots(key, of: owner, current: current) {
          let key = StreamKey(record: id, selection: owner.selection, slot: slot)
          if let count = initialCounts[key] { announced[part.id]?.elementCount = count }
        }
      }
    }
    return true
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

  private mutating func remove(
    _ label: String, of object: ReceivedObjects.Object, into changes: inout RecordPartChanges
  ) {
    remove(label, of: received.id(of: object, current: current), into: &changes)
  }

  private mutating func remove(
    _ label: String, of id: DataID, into changes: inout RecordPartChanges
  ) {
    let part = part(label, of: id)
    arrived.insert(part)
    if pending.remove(part) != nil { changes.removed.append(part) }
  }

  private mutating func removeAllPending(into changes: inout RecordPartChanges) {
    changes.removed += pending
    pending = []
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
