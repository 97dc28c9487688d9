/// The objects of a response that arrives in parts, by their paths: a tree that lives as long as the
/// execution.
///
/// The identity of an object in a part follows from its path, because a part may omit the fields
/// that an earlier payload has brought, the id included. The payloads themselves are the tree: a
/// path is followed along their links. The parts are mounted at their paths.
struct ReceivedObjects {
  /// An object in one of the payloads, and the selection that it was read with.
  struct Object {
    /// The index of the payload.
    var payload: Int
    var record: RecordIndex
    /// The index of the selection in the program.
    var selection: Int
  }

  /// The objects and the lists at one path. There are several if fields of different selections
  /// share a response key, or if several parts have brought fields of one object.
  private struct Position {
    var objects: [Object] = []
    /// The lists, each with the selection of its elements.
    var lists: [(payload: Int, value: FieldValue, selection: Int)] = []
    /// The node with the parts that are mounted here or below; `nil` if there are none.
    var node: Int?
  }

  /// A path below which parts are mounted.
  private struct Node {
    var children: [ResponsePath.Component: Int] = [:]
    var objects: [Object] = []
  }

  private let program: ResponseProgram
  private var payloads: [ReceivedPayload] = []
  private var nodes = [Node()]

  init(_ program: ResponseProgram) { self.program = program }

  /// The index of the next payload that is added.
  var nextPayload: Int { payloads.count }

  /// Adds a payload that was read completely.
  mutating func append(_ payload: ReceivedPayload) { payloads.append(payload) }

  /// Adds an object whose path is not that of a link in the payloads.
  mutating func mount(_ object: Object, at path: [ResponsePath.Component]) {
    var node = 0
    for component in path {
      if let child = nodes[node].children[component] {
        node = child
      } else {
        nodes.append(Node())
        nodes[node].children[component] = nodes.count - 1
        node = nodes.count - 1
      }
    }
    nodes[node].objects.append(object)
  }

  /// Returns the objects at a path.
  ///
  /// - Parameter current: The payload that is being read, whose index is ``nextPayload``.
  func objects(
    at path: some Collection<ResponsePath.Component>, current: ReceivedPayload
  ) -> [Object] {
    var position = Position(objects: nodes[0].objects, node: 0)
    for component in path {
      position = step(component, from: position, current: current)
      if position.objects.isEmpty, position.lists.isEmpty, position.node == nil { return [] }
    }
    return position.objects
  }

  /// Returns one object of each selection among those at a path, if possible one with a type.
  func distinct(_ objects: [Object], current: ReceivedPayload) -> [Object] {
    var result: [Object] = []
    var positions: [Int: Int] = [:]
    for object in objects {
      if let position = positions[object.selection] {
        if typeName(of: result[position], current: current) == nil { result[position] = object }
      } else {
        positions[object.selection] = result.count
        result.append(object)
      }
    }
    return result
  }

  private func step(
    _ component: ResponsePath.Component, from position: Position, current: ReceivedPayload
  ) -> Position {
    var next = Position()
    if let node = position.node, let child = nodes[node].children[component] {
      next.node = child
      next.objects = nodes[child].objects
    }
    switch component {
    case .field(let key):
      for object in position.objects { follow(key, of: object, current: current, into: &next) }
    case .index(let index):
      for list in position.lists { element(index, of: list, into: &next) }
    }
    return next
  }

  private func follow(
    _ key: String, of object: Object, current: ReceivedPayload, into next: inout Position
  ) {
    let received = payload(object.payload, current: current)
    for slot in slots(key, of: object, in: received) {
      let step = program.steps[program.objects[object.selection].firstStep + slot]
      guard step.child >= 0, let cell = received.cell(step.key, of: object.record) else { continue }
      let selection = Int(step.child)
      switch cell.kind {
      case .link:
        next.objects.append(
          Object(payload: object.payload, record: cell.link, selection: selection))
      case .boxed:
        next.lists.append((object.payload, received.payload.value(of: cell), selection))
      default: continue
      }
    }
  }

  private func element(
    _ index: Int, of list: (payload: Int, value: FieldValue, selection: Int),
    into next: inout Position
  ) {
    switch list.value {
    case .links(let links):
      guard links.indices.contains(index), links[index] != .none else { return }
      next.objects.append(
        Object(payload: list.payload, record: links[index], selection: list.selection))
    case .list(let values):
      guard values.indices.contains(index) else { return }
      next.lists.append((list.payload, values[index], list.selection))
    default: return
    }
  }

  /// Returns the slots of an object's selection that have a response key and apply to its type.
  func slots(_ key: String, of object: Object, current: ReceivedPayload) -> [Int] {
    slots(key, of: object, in: payload(object.payload, current: current))
  }

  private func slots(_ key: String, of object: Object, in received: ReceivedPayload) -> [Int] {
    let slots = program.plans[object.selection].plan.slotsByKey[ByteString(key)] ?? []
    let firstStep = program.objects[object.selection].firstStep
    return slots.filter { slot in
      program.mayApply(
        program.steps[firstStep + slot], of: object.selection,
        to: received.typeName(of: object.record))
    }
  }

  /// A list that was received.
  struct List {
    var value: FieldValue
    var errors: [StoredError]
    /// The payload that has the list.
    var payload: RecordPayload
  }

  /// Returns the list that the last one of some objects has; `nil` if none was received.
  func list(_ key: FieldKey, of objects: [Object], current: ReceivedPayload) -> List? {
    var last: List?
    var payloadOfLast = -1
    for object in objects where object.payload > payloadOfLast {
      let received = payload(object.payload, current: current)
      guard let cell = received.cell(key, of: object.record) else { continue }
      last = List(
        value: received.payload.value(of: cell), errors: received.errors(of: key, object.record),
        payload: received.payload)
      payloadOfLast = object.payload
    }
    return last
  }

  /// Whether a field of one of the objects was received.
  func has(_ key: FieldKey, _ objects: [Object], _ current: ReceivedPayload) -> Bool {
    objects.contains {
      payload($0.payload, current: current).cell(key, of: $0.record) != nil
    }
  }

  /// Returns the id of an object.
  func id(of object: Object, current: ReceivedPayload) -> DataID {
    payload(object.payload, current: current).payload.id(of: object.record)
  }

  /// Returns the type of an object; `nil` if no response has named it.
  func typeName(of object: Object, current: ReceivedPayload) -> String? {
    payload(object.payload, current: current).typeName(of: object.record)
  }

  private func payload(_ index: Int, current: ReceivedPayload) -> ReceivedPayload {
    index == payloads.count ? current : payloads[index]
  }
}

/// A payload with an index of its objects.
struct ReceivedPayload {
  /// The payload. While a normalizer extends it, the normalizer has it: a second reference would
  /// copy it with the next write.
  private(set) var payload: RecordPayload
  /// The entry of each record; -1 if it has none.
  private var entries: ContiguousArray<Int32> = []
  private var indexedCount = 0
  /// The entries by the hash of their ids, if an object may occur several times; otherwise `nil`.
  private var occurrences: [UInt32: [Int32]]?

  /// Creates an index of a payload.
  ///
  /// - Parameter sharesLinks: See ``ExpectedParts/sharesLinks``.
  init(_ payload: RecordPayload, sharesLinks: Bool) {
    self.payload = payload
    if sharesLinks { occurrences = [:] }
    index()
  }

  /// Lets a normalizer extend the payload.
  mutating func extend<Result>(
    by normalizer: inout Normalizer, _ body: (inout Normalizer) throws -> Result
  ) rethrows -> Result {
    swap(&payload, &normalizer.payload)
    defer {
      swap(&payload, &normalizer.payload)
      index()
    }
    return try body(&normalizer)
  }

  /// Appends fields of an object of which the payload has only a part.
  mutating func append(_ fields: [RecordPayload.Field], ofPartOf id: DataID) {
    let record = payload.appendOccurrence(of: id)
    payload.markPart(record)
    payload.append(record, typeName: nil, fields: fields)
    index()
  }

  /// Appends elements of a list.
  mutating func append(_ patch: ListPatch) { payload.append(patch) }

  /// Appends the handle of a field of which the payload has only a part.
  mutating func appendForPart(_ handle: FieldHandle, of id: DataID) {
    payload.append(handle, of: payload.appendOccurrence(of: id), isPart: true)
  }

  private mutating func index() {
    let missing = payload.ids.count - entries.count
    if missing > 0 { entries.append(contentsOf: repeatElement(-1, count: missing)) }
    for entry in indexedCount..<payload.entries.count {
      let record = payload.entries[entry].record
      entries[record.position] = Int32(entry)
      occurrences?[payload.ids[record.position].hash, default: []].append(Int32(entry))
    }
    indexedCount = payload.entries.count
  }

  /// Returns a field of an object; `nil` if the payload does not have it.
  func cell(_ key: FieldKey, of record: RecordIndex) -> FieldCell? {
    entryIndex(of: record, with: key).flatMap { cell(key, in: $0) }
  }

  private func cell(_ key: FieldKey, in entry: Int) -> FieldCell? {
    let entry = payload.entries[entry]
    return payload.shapes[entry.shape].position(of: key).map { payload.cells[entry.firstCell + $0] }
  }

  /// Returns the entry of an object that has a field; of several occurrences, the object's own.
  private func entryIndex(of record: RecordIndex, with key: FieldKey) -> Int? {
    if let own = entryIndex(of: record), cell(key, in: own) != nil { return own }
    guard let others = occurrences?[payload.ids[record.position].hash] else { return nil }
    let id = payload.id(of: record)
    return others.lazy.map { Int($0) }.first {
      cell(key, in: $0) != nil && payload.id(of: payload.entries[$0].record) == id
    }
  }

  /// Returns the type of an object; `nil` for the root, and if the payload does not name it.
  func typeName(of record: RecordIndex) -> String? {
    if payload.isRoot(record) { return nil }
    return entry(of: record).flatMap { payload.shapes[$0.shape].typeName }
  }

  /// Returns the errors of a field.
  func errors(of key: FieldKey, _ record: RecordIndex) -> [StoredError] {
    entryIndex(of: record, with: key).flatMap { payload.errors[$0]?[key] } ?? []
  }

  private func entry(of record: RecordIndex) -> RecordPayload.Entry? {
    entryIndex(of: record).map { payload.entries[$0] }
  }

  private func entryIndex(of record: RecordIndex) -> Int? {
    guard entries.indices.contains(record.position), entries[record.position] >= 0 else {
      return nil
    }
    return Int(entries[record.position])
  }
}

extension ResponseProgram {
  /// Whether a field may be selected on an object of a type: none of its type conditions excludes
  /// it.
  ///
  /// - Parameters:
  ///   - selection: The index of the object's selection.
  ///   - typeName: The object's type; `nil` if it is unknown.
  func mayApply(_ step: Step, of selection: Int, to typeName: String?) -> Bool {
    applies(step, of: selection, to: typeName, ifUnknown: true)
  }

  /// Whether a field is certain to be selected on an object of a type: all of its type conditions
  /// hold.
  func applies(_ step: Step, of selection: Int, to typeName: String?) -> Bool {
    applies(step, of: selection, to: typeName, ifUnknown: false)
  }

  private func applies(
    _ step: Step, of selection: Int, to typeName: String?, ifUnknown: Bool
  ) -> Bool {
    var index = step.condition
    while index >= 0 {
      let condition = conditions[Int(index)]
      let holds = typeName.flatMap { self.holds(condition, of: selection, for: $0) }
      if !(holds ?? ifUnknown) { return false }
      index = condition.outer
    }
    return index != Step.excluded
  }

  /// Whether a condition holds for a type; `nil` if that is unknown.
  private func holds(_ condition: Condition, of selection: Int, for typeName: String) -> Bool? {
    if condition.type >= 0 {
      return types.name(at: condition.type)?.hasSameBytes(as: typeName)
    }
    let plan = plans[selection].plan
    guard case .condition(let abstract) = plan.slots[condition.slot].content else { return nil }
    return plan.types?.satisfies(typeName, abstract.typeName)
  }
}
