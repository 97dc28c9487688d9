/// The objects of a response that arrives in parts, by path: a tree that lives as long as the
/// execution.
///
/// An object in a part is identified by its path, because a part may omit fields that an earlier
/// payload has brought, the id included. The payloads themselves are the tree: a path is followed
/// along their links. Parts are mounted at their paths.
struct ReceivedObjects {
  /// An object in one of the payloads, and the selection that it was read with.
  struct Object {
    /// The index of the payload.
    var payload: Int
    var record: RecordIndex
    /// The index of the selection in the program.
    var selection: Int
  }

  /// The objects at one path. There are several if fields of different selections share a response
  /// key, or if several parts have brought fields of one object.
  enum Objects: RandomAccessCollection {
    case one(Object)
    case several([Object])

    init() { self = .several([]) }

    var startIndex: Int { 0 }
    var endIndex: Int {
      switch self {
      case .one: 1
      case .several(let objects): objects.count
      }
    }

    subscript(position: Int) -> Object {
      switch self {
      case .one(let object): object
      case .several(let objects): objects[position]
      }
    }

    mutating func append(_ object: Object) {
      switch self {
      case .one(let first): self = .several([first, object])
      case .several(var objects):
        if objects.isEmpty {
          self = .one(object)
        } else {
          self = .several([])
          objects.append(object)
          self = .several(objects)
        }
      }
    }
  }

  /// The objects and the lists at one path.
  private struct Position {
    var objects = Objects()
    /// The lists, each with the selection of its elements.
    var lists: [(payload: Int, value: FieldValue, selection: Int)] = []
    /// The node with the parts that are mounted here or below; `nil` if there are none.
    var node: Int?
  }

  /// A path below which parts are mounted.
  private struct Node {
    /// The nodes below fields, and below the elements of a list, up to the last element with a
    /// node; -1 for an element without one.
    var fields: [String: Int] = [:]
    var elements: ContiguousArray<Int32> = []
    var objects = Objects()

    subscript(component: ResponsePath.Component) -> Int? {
      switch component {
      case .field(let key): fields[key]
      case .index(let index):
        elements.indices.contains(index) && elements[index] >= 0 ? Int(elements[index]) : nil
      }
    }

    mutating func insert(_ node: Int, at component: ResponsePath.Component) {
      switch component {
      case .field(let key): fields[key] = node
      case .index(let index):
        if index < 0 { return }
        let missing = index + 1 - elements.count
        if missing > 0 { elements.append(contentsOf: repeatElement(-1, count: missing)) }
        elements[index] = Int32(node)
      }
    }
  }

  private let program: ResponseProgram
  private var payloads: [ReceivedPayload] = []
  /// The payload being read. Its index is ``nextPayload``.
  var current = ReceivedPayload(RecordPayload(), sharesLinks: false)
  private var nodes = [Node()]
  /// The list that was looked up last: parts often belong to elements of one list, in order.
  private var lastList: (path: ArraySlice<ResponsePath.Component>, position: Position)?

  init(_ program: ResponseProgram) { self.program = program }

  /// The index of the next payload to be added.
  var nextPayload: Int { payloads.count }

  /// Adds the current payload after it was read completely.
  mutating func appendCurrent() { payloads.append(current) }

  /// Adds an object that the payloads do not link to at its path.
  mutating func mount(_ object: Object, at path: [ResponsePath.Component]) {
    let node: Int
    if case .index? = path.last, let known = lastList?.position.node,
      lastList?.path == path.dropLast()
    {
      node = self.node(at: path.suffix(1), below: known)
    } else {
      node = self.node(at: path[...], below: 0)
      // Its position may have changed.
      lastList = nil
    }
    nodes[node].objects.append(object)
  }

  /// Adds objects that are elements of a list.
  mutating func mount(
    _ elements: [(index: Int, object: Object)], inListAt path: [ResponsePath.Component]
  ) {
    let list = node(at: path[...], below: 0)
    for (index, object) in elements {
      if let node = nodes[list][.index(index)] {
        nodes[node].objects.append(object)
      } else {
        nodes.append(Node(objects: .one(object)))
        nodes[list].insert(nodes.count - 1, at: .index(index))
      }
    }
    lastList = nil
  }

  /// Returns the node at a path below another node, creating it if necessary.
  private mutating func node(
    at path: ArraySlice<ResponsePath.Component>, below start: Int
  ) -> Int {
    path.reduce(start) { node, component in
      if let child = nodes[node][component] { return child }
      nodes.append(Node())
      nodes[node].insert(nodes.count - 1, at: component)
      return nodes.count - 1
    }
  }

  /// Returns the objects at a path.
  mutating func objects(
    at path: ArraySlice<ResponsePath.Component>
  ) -> Objects {
    guard case .index(let index)? = path.last else {
      return position(at: path)?.objects ?? Objects()
    }
    let listPath = path.dropLast()
    if lastList?.path != listPath {
      lastList = position(at: listPath).map { (listPath, $0) }
    }
    guard let list = lastList?.position else { return Objects() }
    var objects = Objects()
    if let node = list.node, let child = nodes[node][.index(index)] {
      objects = nodes[child].objects
    }
    for list in list.lists {
      if let object = element(index, of: list) { objects.append(object) }
    }
    return objects
  }

  private func position(
    at path: ArraySlice<ResponsePath.Component>
  ) -> Position? {
    var position = Position(objects: nodes[0].objects, node: 0)
    for component in path {
      position = step(component, from: position)
      if position.objects.isEmpty, position.lists.isEmpty, position.node == nil { return nil }
    }
    return position
  }

  /// Returns one object of each selection, if possible one with a type.
  func distinct(_ objects: Objects) -> Objects {
    if objects.count < 2 { return objects }
    var result: [Object] = []
    var positions: [Int: Int] = [:]
    for object in objects {
      if let position = positions[object.selection] {
        if typeName(of: result[position]) == nil { result[position] = object }
      } else {
        positions[object.selection] = result.count
        result.append(object)
      }
    }
    return .several(result)
  }

  private func step(
    _ component: ResponsePath.Component, from position: Position
  ) -> Position {
    var next = Position()
    if let node = position.node, let child = nodes[node][component] {
      next.node = child
      next.objects = nodes[child].objects
    }
    switch component {
    case .field(let key):
      for object in position.objects { follow(key, of: object, into: &next) }
    case .index(let index):
      for list in position.lists {
        if let object = element(index, of: list) { next.objects.append(object) }
        if case .list(let values) = list.value, values.indices.contains(index) {
          next.lists.append((list.payload, values[index], list.selection))
        }
      }
    }
    return next
  }

  private func follow(
    _ key: String, of object: Object, into next: inout Position
  ) {
    withPayload(of: object) {
      follow(key, of: object, in: $0, into: &next)
    }
  }

  private func follow(
    _ key: String, of object: Object, in received: ReceivedPayload, into next: inout Position
  ) {
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

  /// Returns the object at an index of a list.
  private func element(
    _ index: Int, of list: (payload: Int, value: FieldValue, selection: Int)
  ) -> Object? {
    guard case .links(let links) = list.value, links.indices.contains(index),
      links[index] != .none
    else { return nil }
    return Object(payload: list.payload, record: links[index], selection: list.selection)
  }

  /// Returns the slots of an object's selection that have a response key and apply to its type.
  func slots(_ key: String, of object: Object) -> [Int] {
    withPayload(of: object) { slots(key, of: object, in: $0) }
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

  /// Returns the objects' list in the latest payload that has it; `nil` if none was received.
  func list(_ key: FieldKey, of objects: Objects) -> List? {
    var last: List?
    var payloadOfLast = -1
    for object in objects where object.payload > payloadOfLast {
      let list = withPayload(of: object) { received in
        received.cell(key, of: object.record).map {
          List(
            value: received.payload.value(of: $0),
            errors: received.errors(of: key, object.record), payload: received.payload)
        }
      }
      guard let list else { continue }
      (last, payloadOfLast) = (list, object.payload)
    }
    return last
  }

  /// Whether a field of one of the objects was received.
  func has(_ key: FieldKey, _ objects: Objects) -> Bool {
    objects.contains {
      let record = $0.record
      return withPayload(of: $0) { $0.cell(key, of: record) != nil }
    }
  }

  /// Returns the number of an object's record.
  mutating func number(of object: Object, in records: inout PartRecords) -> RecordIndex {
    object.payload == payloads.count
      ? current.number(of: object.record, in: &records)
      : payloads[object.payload].number(of: object.record, in: &records)
  }

  /// Returns the type of an object; `nil` if no payload has named it.
  func typeName(of object: Object) -> String? {
    withPayload(of: object) { $0.typeName(of: object.record) }
  }

  /// Calls a closure with the payload of an object. Does not copy the payload, because a copy would
  /// retain each of its buffers.
  @inline(__always)
  private func withPayload<Result>(
    of object: Object, _ body: (ReceivedPayload) -> Result
  ) -> Result {
    object.payload == payloads.count ? body(current) : body(payloads[object.payload])
  }
}

extension ResponseProgram {
  /// Whether a field may be selected on an object of a type: no type condition excludes it.
  ///
  /// - Parameters:
  ///   - selection: The index of the object's selection.
  ///   - typeName: The object's type; `nil` if unknown.
  func mayApply(_ step: Step, of selection: Int, to typeName: String?) -> Bool {
    applies(step, of: selection, to: typeName, ifUnknown: true)
  }

  /// Whether a field is certain to be selected on an object of a type: the type satisfies all type
  /// conditions.
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

  /// Whether a type satisfies a condition; `nil` if unknown.
  private func holds(_ condition: Condition, of selection: Int, for typeName: String) -> Bool? {
    if condition.type >= 0 {
      return types.name(at: condition.type)?.hasSameBytes(as: typeName)
    }
    let plan = plans[selection].plan
    guard case .condition(let abstract) = plan.slots[condition.slot].content else { return nil }
    return plan.types?.satisfies(typeName, abstract.typeName)
  }
}
