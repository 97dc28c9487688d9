/// A reader of the payloads of one response, in any format; see ``IncrementalDecoder``.
///
/// `@defer` is a hint: fields that the server sends inline are normalized with the object. Each
/// payload becomes one set of records, so it is one change of the store.
struct IncrementalReader {
  /// The changes of one payload.
  struct Changes {
    var errors: [GraphQLError] = []
    var parts = RecordPartChanges()
    /// The parts that have arrived.
    var arrived = ArrivedParts()
    /// Whether this payload announces parts.
    var isAnnouncing = false
    /// The number of streamed lists that were counted.
    var countedLists = 0
    /// The records of the streamed lists whose rest has failed.
    var recordsOfFailedLists: [RecordIndex] = []
    /// The handles that run after the payload.
    var rerunHandles: Set<StreamedLists.Key> = []
  }

  let reader: ResponseReader
  let program: ResponseProgram
  let expected: ExpectedParts
  var received: ReceivedObjects
  /// The records with parts or streamed lists.
  var records = PartRecords()
  var announced = AnnouncedParts()
  /// Whether data was lost: a part had an id that was not announced, or a path without an object.
  var hasLostParts = false
  /// The changes of the current payload.
  var changes = Changes()
  /// The records of the parts that observers see as pending, by label.
  var pending: [RecordSet]
  /// The records whose pending parts have been determined, by selection.
  var seen: [RecordSet]
  var lists = StreamedLists()
  /// The connections of the received pages, by the number of the page's record.
  var connections: [RecordIndex: Connection] = [:]
  /// The number of pending parts added for connections, in addition to their pages' parts.
  var connectionPartCount = 0
  /// The number of objects examined for fragments that arrive with other parts.
  var comparedCount = 0
  /// The last label that was looked up, and its index: many parts have the same label.
  private var lastLabel: (label: String, index: Int?) = ("", nil)
  private var deferredFields: [DeferredFields?]
  private var isFirst = true
  /// The byte and object counts of the payloads already read; see ``ResponseLimits``.
  private var byteCount = 0
  private var recordCount = 0

  package init(_ reader: ResponseReader) {
    self.reader = reader
    program = reader.plan.program
    received = ReceivedObjects(program)
    expected = ExpectedParts(program)
    lastLabel.index = expected.index(of: "")
    pending = Array(repeating: RecordSet(), count: expected.labels.count)
    seen = Array(repeating: RecordSet(), count: program.objectCount)
    deferredFields = Array(repeating: nil, count: program.objectCount)
  }

  /// The labels of the parts that may be pending.
  package var labels: [PartLabel] { expected.labels }

  /// Reads the next payload.
  ///
  /// - Throws: ``RelayError`` with code `response` if the bytes are not JSON, not a payload, or do
  ///   not match the plan. The reader is not usable after that.
  /// - Complexity: O(*n*) in the bytes, and in the components of the parts' paths.
  package mutating func payload(_ bytes: [UInt8]) throws -> IncrementalPayload {
    let before = byteCount
    byteCount += bytes.count
    return try reader.scan(bytes, after: before) { scanner in
      guard try scanner.peekKind() == .object else {
        throw reader.malformedError("is not an object")
      }
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

  /// Starts a payload, and returns the normalizer that reads its parts.
  private mutating func begin(_ scanner: JSONScanner, _ bytes: [UInt8]) -> Normalizer {
    var normalizer = reader.normalizer(scanner, bytes, after: recordCount)
    received.current = ReceivedPayload(normalizer.payload, sharesLinks: expected.sharesLinks)
    normalizer.payload = RecordPayload()
    changes = Changes()
    return normalizer
  }

  /// - Parameter root: The record of the data; `nil` if the data was not read yet.
  private mutating func read(
    _ members: PayloadMembers, root: RecordIndex?, with normalizer: inout Normalizer
  ) throws -> IncrementalPayload {
    var members = members
    let events = try members.takeEvents()
    changes.errors = members.errors
    let isInitial = isFirst || members.data != nil
    if isInitial {
      // Data that belongs to a part is not the operation's.
      let read = members.data == nil ? nil : root
      let root = try read ?? readInitial(members, with: &normalizer)
      isFirst = false
      if let root {
        received.mount(.init(payload: received.nextPayload, record: root, selection: 0), at: [])
      }
    }
    for event in events { try read(event, with: &normalizer) }
    var result = endPayload(hasNext: members.hasNext ?? false, normalizer)
    result.isInitial = isInitial
    result.extensions = members.extensions
    return result
  }

  private mutating func read(_ event: PartEvent, with normalizer: inout Normalizer) throws {
    switch event {
    case .announce(let parts):
      changes.isAnnouncing = true
      announced.add(parts)
    case .fields(let data, let part):
      guard let place = place(of: part) else { return try data?.skip() ?? () }
      try readFields(data, of: part, at: place, with: &normalizer)
    case .items(let items, let part):
      guard let place = place(of: part) else { return try items.skip() }
      try readItems(items, of: part, at: place, with: &normalizer)
    case .complete(let id, let errors): complete(id, errors: errors)
    }
  }

  /// Ends a payload.
  private mutating func endPayload(
    hasNext: Bool, _ normalizer: Normalizer
  ) -> IncrementalPayload {
    var result = IncrementalPayload()
    result.hasNext = hasNext
    if !hasNext, hasLostParts || !announced.isEmpty {
      // Waits for the missing parts, so the end of the response counts as premature.
      (result.lacksParts, result.hasNext) = (true, true)
    }
    addCounts(of: normalizer)
    if result.hasNext { addPending(of: normalizer) } else { removeAllPending() }
    result.failedConnections = failedConnections(hasNext: result.hasNext)
    result.hasFailedLists = !lists.failed.isEmpty
    result.errors = changes.errors
    result.pending = changes.parts
    result.pending.count = pending.reduce(0) { $0 + $1.count } - connectionPartCount
    if !received.current.payload.entries.isEmpty || !received.current.payload.patches.isEmpty {
      recordCount += received.current.payload.entries.count
      result.records = received.current.payload
      received.appendCurrent()
    }
    return result
  }

  /// Reads the operation's data.
  ///
  /// - Returns: The record of the data; `nil` if the data is null.
  private mutating func readInitial(
    _ members: PayloadMembers, with normalizer: inout Normalizer
  ) throws -> RecordIndex? {
    guard let data = members.data else {
      if isFirst, !members.errors.isEmpty { return nil }
      throw reader.malformedError("starts with a part instead of data")
    }
    normalizer.scanner = data.scanner
    guard try normalizer.scanner.peekKind() == .object else {
      if try normalizer.scanner.peekKind() == .null { return nil }
      throw reader.malformedError("has data that is not an object")
    }
    return try readRoot(
      errors: members.errors.isEmpty ? nil : ErrorTree(members.errors), with: &normalizer)
  }

  /// Reads the operation's data at the normalizer's position.
  private mutating func readRoot(
    errors: ErrorTree?, with normalizer: inout Normalizer
  ) throws -> RecordIndex {
    try received.current.extend(by: &normalizer) { [reader] normalizer in
      normalizer.treatsMissingFieldsAsNull = reader.treatsMissingFieldsAsNull
      defer { normalizer.treatsMissingFieldsAsNull = false }
      return try normalizer.root(id: reader.root, errors: errors)
    }
  }

  // MARK: Parts

  /// The maximum number of parts with fields of one object.
  private static let partLimit = 1_000

  /// The destination of a part.
  struct Place {
    var path: [ResponsePath.Component]
    var label: String
    /// The index of the label; `nil` if no part with the label is expected.
    var labelIndex: Int?
    /// The position of the announced part; `nil` if the part was not announced.
    var position: Int?
  }

  /// Returns the destination of a part; `nil` if its id is unknown and it has no path, or if the
  /// path is too long for any plan.
  private mutating func place(of part: PartEvent.Part) -> Place? {
    changes.errors += part.errors
    let position = part.id.flatMap(announced.position)
    var path = position.map { announced[$0].path } ?? part.path?.components ?? []
    if !part.subPath.components.isEmpty { path += part.subPath.components }
    let label = part.label ?? position.map { announced[$0].label } ?? ""
    if changes.parts.received.last?.hasSameBytes(as: label) != true {
      changes.parts.received.append(label)
    }
    if position == nil && part.isAnnounced && part.path == nil
      || path.count > AnnouncedParts.pathLimit
    {
      hasLostParts = true
      return nil
    }
    return Place(path: path, label: label, labelIndex: index(of: label), position: position)
  }

  /// Reads fields of the objects at a path, or an element of a list.
  private mutating func readFields(
    _ data: UnreadValue?, of part: PartEvent.Part, at place: Place,
    with normalizer: inout Normalizer
  ) throws {
    let objects = received.objects(at: place.path[...])
    // Another field may have brought the object of an element.
    let isElement = place.labelIndex.map(expected.isStreamed) ?? objects.isEmpty
    if isElement, let data, !part.isAnnounced {
      return try readElement(data, of: part, at: place, with: &normalizer)
    }
    try readFields(data, of: part, at: place, objects, with: &normalizer)
    appendHandles(of: place.path)
  }

  private mutating func readFields(
    _ data: UnreadValue?, of part: PartEvent.Part, at place: Place,
    _ objects: ReceivedObjects.Objects, with normalizer: inout Normalizer
  ) throws {
    if objects.count > Self.partLimit {
      throw reader.malformedError("has more than \(Self.partLimit) parts of one object")
    }
    let targets = received.distinct(objects)
    if !part.isAnnounced { for object in targets { remove(place.labelIndex, of: object) } }
    guard let data, try data.kind == .object else {
      try data?.skip()
      return fail(place.labelIndex, of: objects, at: place.path, errors: part.errors)
    }
    if targets.isEmpty {
      hasLostParts = true
      try data.skip()
    }
    let (errors, firstRead) = (part.errorTree, normalizer.deferring.count)
    var parts = ReceivedObjects.Objects()
    for object in targets {
      parts.append(try read(data, at: place, of: object, errors: errors, with: &normalizer))
    }
    if part.isAnnounced { return }
    removeArrived(label: place.labelIndex, with: normalizer.deferring[firstRead...])
    for object in targets { removeComplete(of: object, with: parts, at: place.path) }
  }

  /// Reads a part of an object, and returns the object in the part's payload.
  private mutating func read(
    _ data: UnreadValue, at place: Place, of object: ReceivedObjects.Object, errors: ErrorTree?,
    with normalizer: inout Normalizer
  ) throws -> ReceivedObjects.Object {
    var target = target(object, at: place.path)
    target.label = place.label
    let record = try received.current.extend(by: &normalizer) {
      try $0.part(data.scanner, of: target, errors: errors?.subtree(at: place.path))
    }
    try data.end(normalizer.scanner)
    let part = ReceivedObjects.Object(
      payload: received.nextPayload, record: record, selection: object.selection)
    received.mount(part, at: place.path)
    return part
  }

  /// Returns the index of a label; `nil` if no part with the label is expected.
  mutating func index(of label: String) -> Int? {
    if !lastLabel.label.hasSameBytes(as: label) { lastLabel = (label, expected.index(of: label)) }
    return lastLabel.index
  }

  /// Returns the number of an object's record.
  mutating func number(of object: ReceivedObjects.Object) -> RecordIndex {
    received.number(of: object, in: &records)
  }

  mutating func target(
    _ object: ReceivedObjects.Object, at path: [ResponsePath.Component]
  ) -> Normalizer.PartTarget {
    let record = number(of: object)
    return Normalizer.PartTarget(
      selection: object.selection, id: records.id(of: record),
      typeName: received.typeName(of: object), path: path)
  }

  /// Writes null, with the part's errors, to the fields that a failed part would have brought.
  mutating func fail(
    _ label: Int?, of objects: ReceivedObjects.Objects, at path: [ResponsePath.Component],
    errors: [GraphQLError]
  ) {
    guard let label else { return appendHandles(of: path) }
    let tree = ErrorTree(errors).subtree(at: path)
    let messages = errors.isEmpty ? ["The server sent no data for a part."] : errors.map(\.message)
    for object in received.distinct(objects) {
      let plan = program.plans[object.selection]
      var fields: [RecordPayload.Field] = []
      for slot in fieldsOfPart(label, of: object)
      where !received.has(plan.keys[slot], objects) {
        let own = plan.plan.slots[slot].field.flatMap { tree?[.field($0.responseKey)] }
        let found = own?.errorsOfNulls(in: .null) ?? []
        fields.append(
          .init(
            key: plan.keys[slot], value: .null,
            errors: found.isEmpty ? messages.map { StoredError(message: $0, path: []) } : found))
      }
      if fields.isEmpty { continue }
      let number = number(of: object)
      let keys = fields.map(\.key)
      received.current.append(fields, ofPartOf: records.id(of: number))
      for (_, handle) in plan.handles where keys.contains(handle.field) {
        rerun(handle, of: number)
      }
    }
    appendHandles(of: path)
  }

  /// Returns the slots that arrive with a deferred part of an object.
  mutating func fieldsOfPart(
    _ label: Int, of object: ReceivedObjects.Object
  ) -> [Int] {
    let deferred = fields(of: object.selection).deferred
    let slots = deferred.first { $0.label == label }?.slots ?? []
    let typeName = received.typeName(of: object)
    let firstStep = program.objects[object.selection].firstStep
    return slots.filter {
      program.mayApply(program.steps[firstStep + $0], of: object.selection, to: typeName)
    }
  }

  mutating func fields(of selection: Int) -> DeferredFields {
    if let fields = deferredFields[selection] { return fields }
    let fields = DeferredFields(program.plans[selection], expected)
    deferredFields[selection] = fields
    return fields
  }
}
