/// A reader of the payloads of one response, in any of the three formats; see ``PayloadMembers``.
///
/// `@defer` is a hint: fields that the server sends inline are normalized with the object. Every
/// payload becomes one set of records, so it is one change of the store.
package struct IncrementalReader {
  /// A part that the server has announced.
  struct Announced {
    var label: String
    var path: [ResponsePath.Component]
    /// The record that waits for it; `nil` until its object was found.
    var record: RecordIndex?
    /// The number of elements of a streamed list that have arrived at this path; `nil` before the
    /// first of them.
    var elementCount: Int?
    var hasEnded = false
  }

  /// A field of a record.
  struct ListKey: Hashable {
    var record: RecordIndex
    var key: FieldKey
  }

  /// A slot of a record that was read with a selection.
  struct StreamKey: Hashable {
    var record: RecordIndex
    var selection: Int
    var slot: Int
  }

  let reader: ResponseReader
  let program: ResponseProgram
  let expected: ExpectedParts
  var received: ReceivedObjects
  /// The records with parts or streamed lists.
  var records = PartRecords()
  /// The announced parts, and the positions of those that have not ended by their ids.
  var announced: ContiguousArray<Announced> = []
  var announcedPositions: [ByteString: Int] = [:]
  /// The positions of parts that have ended, for others.
  var freePositions: [Int] = []
  /// The positions of the parts whose objects were not found yet.
  var unresolved: [Int] = []
  /// Whether the server announces its parts. Otherwise they follow from the plan and from what an
  /// object lacks.
  var announcesParts = false
  /// Whether a part had an id that was not announced, or a path without an object: its data is lost.
  var hasLostParts = false
  /// Whether the payload that is being read announces parts.
  var isAnnouncing = false
  /// The records of the parts that observers see as pending, by label.
  var pending: [RecordSet]
  /// The parts in the payload that is being read.
  var arrived = ArrivedParts()
  /// The records of which pending parts were looked for, by selection.
  var seen: [RecordSet]
  /// The streamed lists, as far as they have arrived.
  var lists: [ListKey: StreamedList] = [:]
  /// The numbers of elements with which streamed lists begin. The list in the payload may be that of
  /// another field, which is not streamed.
  var initialCounts: [StreamKey: Int] = [:]
  /// The number of streamed lists of the current payload that were counted.
  var countedLists = 0
  /// The number of elements that were missing before one that has arrived.
  var gapCount = 0
  /// The streamed lists whose rest has failed.
  var failedLists: Set<ListKey> = []
  /// The records of those that have failed in the current payload.
  var recordsOfFailedLists: [RecordIndex] = []
  /// The connections whose list ends with a page of which the rest has failed.
  var failedConnections: [DataID] = []
  /// The number of objects that were looked at for fragments that arrive with others.
  var comparedCount = 0
  /// The last label that was looked up, and its index: many parts have the same label.
  private var lastLabel: (label: String, index: Int?) = ("", nil)
  /// The handles that run after the current payload.
  var rerunHandles: Set<ListKey> = []
  /// The connections of the pages that were received, by the number of the page's record.
  var connections: [RecordIndex: Connection] = [:]
  /// The number of pending parts that are those of a connection's page.
  var connectionPartCount = 0
  private var deferredFields: [DeferredFields?]
  private var isFirst = true
  /// The numbers of bytes and objects in the payloads that were read; see ``ResponseLimits``.
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
  /// - Throws: ``RelayError`` with code `response` if the bytes are not JSON, not a payload, or not
  ///   of the shape of the plan. The reader is not usable after that.
  /// - Complexity: O(*n*) in the bytes, and in the components of the parts' paths.
  package mutating func payload(_ bytes: [UInt8]) throws -> IncrementalPayload {
    let before = byteCount
    byteCount += bytes.count
    return try reader.scan(bytes, after: before) { scanner in
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
    var normalizer = reader.normalizer(scanner, bytes, after: recordCount)
    received.current = ReceivedPayload(normalizer.payload, sharesLinks: expected.sharesLinks)
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
    arrived = ArrivedParts()
    rerunHandles = []
    recordsOfFailedLists = []
    let isTopPart = members.top.path != nil
    if isFirst || members.data != nil && !isTopPart {
      result.isInitial = true
      guard !isFirst || !isTopPart else {
        throw reader.malformed("begins with a part instead of data")
      }
      let root = try root ?? readInitial(members, with: &normalizer)
      isFirst = false
      if let root {
        received.mount(.init(payload: received.nextPayload, record: root, selection: 0), at: [])
      }
    }
    announce(members.pending)
    if isTopPart {
      var top = members.top
      top.data = members.data
      top.errors = members.errors
      try read(top, with: &normalizer, into: &result.pending)
    } else {
      try members.top.items?.skip()
    }
    for part in members.incremental {
      result.errors += part.errors
      try read(part, with: &normalizer, into: &result.pending)
    }
    complete(members.completed, into: &result)
    if !result.hasNext, hasLostParts || !announcedPositions.isEmpty {
      // The rest is awaited until the response ends, which it does early.
      (result.lacksParts, result.hasNext) = (true, true)
    }
    addCounts(of: normalizer)
    addPending(of: normalizer, hasNext: result.hasNext, into: &result.pending)
    if !result.hasNext { removeAllPending(into: &result.pending) }
    result.pending.count = pending.reduce(0) { $0 + $1.count } - connectionPartCount
    result.hasFailedLists = !failedLists.isEmpty
    result.failedConnections = failedConnections(hasNext: result.hasNext)
    if !received.current.payload.entries.isEmpty || !received.current.payload.patches.isEmpty {
      recordCount += received.current.payload.entries.count
      result.records = received.current.payload
      received.appendCurrent()
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
    normalizer.scanner = data.scanner
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
    try received.current.extend(by: &normalizer) { [reader] normalizer in
      normalizer.treatsMissingFieldsAsNull = reader.treatsMissingFieldsAsNull
      defer { normalizer.treatsMissingFieldsAsNull = false }
      return try normalizer.root(id: reader.root, errors: errors)
    }
  }

  // MARK: Parts

  /// The maximum number of components of a path.
  static let pathLimit = 1_000
  /// The maximum number of parts that may bring fields of one object.
  private static let partLimit = 1_000

  private mutating func read(
    _ part: PayloadMembers.Part, with normalizer: inout Normalizer,
    into changes: inout RecordPartChanges
  ) throws {
    let position = part.id.flatMap { announcedPositions[ByteString($0)] }
    let origin = position.map { announced[$0] }
    var path = origin?.path ?? part.path?.components ?? []
    if !part.subPath.components.isEmpty { path += part.subPath.components }
    let label = part.label ?? origin?.label ?? ""
    if changes.received.last?.hasSameBytes(as: label) != true { changes.received.append(label) }
    // Nothing tells where its fields belong, or no plan has a longer path.
    if origin == nil && part.id != nil && part.path == nil || path.count > Self.pathLimit {
      hasLostParts = true
      return try part.skip()
    }
    let labelIndex = index(of: label)
    if let items = part.items {
      try part.data?.skip()
      // A list without elements has failed, and ends.
      if try items.kind == .null {
        try items.skip()
        if part.id == nil, case .index? = path.last { path.removeLast() }
        return failList(labelIndex, at: path, errors: part.errors, into: &changes)
      }
      try readItems(
        items, isArray: true, at: path, announcedAs: position, isAnnounced: part.id != nil,
        errors: part.errorTree, with: &normalizer)
      return
    }
    let objects = received.objects(at: path[...])
    // Another field may have brought the object of an element.
    let isElement = labelIndex.map(expected.isStreamed) ?? objects.isEmpty
    if isElement, let data = part.data, part.id == nil {
      return try readElement(data, of: part, at: path, with: &normalizer, into: &changes)
    }
    try readFields(of: part, as: label, of: objects, at: path, with: &normalizer, into: &changes)
    appendHandles(of: path)
  }

  /// Reads one element of a list, as the format of 2020 sends them.
  private mutating func readElement(
    _ data: UnreadValue, of part: PayloadMembers.Part, at path: [ResponsePath.Component],
    with normalizer: inout Normalizer, into changes: inout RecordPartChanges
  ) throws {
    guard case .index? = path.last else {
      hasLostParts = true
      return try data.skip()
    }
    if try data.kind == .null, !hasNullableElements(at: path.dropLast()) {
      try data.skip()
      let label = index(of: part.label ?? "")
      return failList(label, at: path.dropLast(), errors: part.errors, into: &changes)
    }
    try readItems(
      data, isArray: false, at: path, announcedAs: nil, isAnnounced: false,
      errors: part.errorTree, with: &normalizer)
  }

  /// Reads fields of the objects at a path.
  private mutating func readFields(
    of part: PayloadMembers.Part, as label: String, of objects: ReceivedObjects.Objects,
    at path: [ResponsePath.Component], with normalizer: inout Normalizer,
    into changes: inout RecordPartChanges
  ) throws {
    let labelIndex = index(of: label)
    if objects.count > Self.partLimit {
      throw reader.malformed("has more than \(Self.partLimit) parts of one object")
    }
    let targets = received.distinct(objects)
    if part.id == nil { for object in targets { remove(labelIndex, of: object, into: &changes) } }
    guard let data = part.data, try data.kind == .object else {
      try part.data?.skip()
      return fail(labelIndex, of: objects, at: path, errors: part.errors)
    }
    if targets.isEmpty {
      hasLostParts = true
      try data.skip()
    }
    let (errors, firstRead) = (part.errorTree, normalizer.deferring.count)
    var parts = ReceivedObjects.Objects()
    for object in targets {
      parts.append(
        try read(data, as: label, of: object, at: path, errors: errors, with: &normalizer))
    }
    if part.id == nil {
      removeArrived(
        label: labelIndex, with: normalizer.deferring[firstRead...], into: &changes)
      for object in targets {
        removeComplete(of: object, with: parts, at: path, into: &changes)
      }
    }
  }

  /// Reads a part of an object, and returns the object of its payload.
  private mutating func read(
    _ data: UnreadValue, as label: String, of object: ReceivedObjects.Object,
    at path: [ResponsePath.Component], errors: ErrorTree?, with normalizer: inout Normalizer
  ) throws -> ReceivedObjects.Object {
    var target = target(object, at: path)
    target.label = label
    let record = try received.current.extend(by: &normalizer) {
      try $0.part(data.scanner, of: target, errors: errors?.subtree(at: path))
    }
    try data.end(normalizer.scanner)
    let part = ReceivedObjects.Object(
      payload: received.nextPayload, record: record, selection: object.selection)
    received.mount(part, at: path)
    return part
  }

  /// Returns the index of a label; `nil` if no part with it is expected.
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

  /// Writes null, with the part's errors, to the fields that would have arrived with a failed part.
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
