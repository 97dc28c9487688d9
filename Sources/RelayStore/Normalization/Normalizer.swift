/// Takes the objects of a response apart into records, in one pass over the bytes, guided by the
/// operation's plan.
///
/// Its recursion is as deep as the plan, whatever the response contains.
struct Normalizer {
  var scanner: JSONScanner
  var payload: RecordPayload
  let program: ResponseProgram
  private let objects: ContiguousArray<ResponseProgram.Object>
  private let steps: ContiguousArray<ResponseProgram.Step>
  private let keyBytes: ContiguousArray<UInt8>
  private let operationName: String
  /// Whether the data was built by hand, which may leave out what a server tells of types.
  let isByHand: Bool
  /// Whether a field that is not there is null.
  private let treatsMissingFieldsAsNull: Bool
  /// The objects being read, outermost first; those from ``depth`` on have ended.
  var frames: ContiguousArray<Frame> = []
  var depth = 0
  /// The fields of those objects read so far.
  private var pending: [(key: FieldKey, cell: Cell)] = []
  /// The errors of pending fields, by their position.
  private var pendingErrors: [(position: Int, errors: [StoredError])] = []
  /// The positions in the lists being read, outermost first.
  var positions: [Int] = []
  /// The elements read so far of the lists being read.
  private var links: [RecordIndex] = []
  var types: ResponseTypes
  /// The discriminators of abstract types that the objects being read have.
  var discriminators: [(frame: Int, slot: Int)] = []
  /// The payload's shape of each object of the program when all its fields are there, with the type
  /// it is for.
  private var wholeShapes: ContiguousArray<(type: Int32, shape: Int)>

  /// An object being read.
  struct Frame {
    /// Its selection, in the program.
    let object: Int
    /// The first byte of its first member.
    let start: Int
    var record: RecordIndex
    /// The number of its type; -1 where it is not known yet.
    var type: Int32
    /// Whether the type's name was looked for in all of the object.
    var isTypeSought = false
    /// The field being read, and where its positions in lists begin.
    var slot = 0
    var firstPosition: Int
    /// How many fields to store were read, and whether they came in the order of the plan.
    var storedCount: Int32 = 0
    var isInOrder = true
  }

  init(
    _ scanner: JSONScanner, program: ResponseProgram, response: [UInt8], operationName: String,
    isByHand: Bool, treatsMissingFieldsAsNull: Bool = false
  ) {
    self.scanner = scanner
    self.program = program
    self.treatsMissingFieldsAsNull = treatsMissingFieldsAsNull
    objects = program.objects
    steps = program.steps
    keyBytes = program.keyBytes
    self.operationName = operationName
    self.isByHand = isByHand
    payload = RecordPayload(response: response)
    types = ResponseTypes(program.typeNames)
    wholeShapes = ContiguousArray(repeating: (-1, -1), count: program.objects.count)
  }

  /// Reads the operation's data.
  mutating func root(id: DataID, errors: ErrorTree?) throws {
    _ = try object(0, record: payload.index(of: id), errors: errors)
  }

  // MARK: Objects

  private mutating func object(_ number: Int, record: RecordIndex, errors: ErrorTree?) throws
    -> RecordIndex
  {
    try scanner.open(.object)
    let object = objects[number]
    let frame = Frame(
      object: number, start: scanner.position, record: record, type: object.type,
      firstPosition: positions.count)
    if depth < frames.count { frames[depth] = frame } else { frames.append(frame) }
    depth += 1
    let firstField = pending.count
    var (isFirst, expected) = (true, 0)
    while try scanner.next(in: .object, isFirst: isFirst) {
      isFirst = false
      expected = try member(object, expected: expected, errors: errors)
    }
    if treatsMissingFieldsAsNull { try addNulls(from: firstField) }
    let index = try recordIndex(of: depth - 1)
    depth -= 1
    let ended = frames[depth]
    append(ended, object, index, from: firstField)
    if object.hasDiscriminators { rememberAbstractTypes(ended) }
    return index
  }

  /// Adds an object that was read to the payload.
  private mutating func append(
    _ frame: Frame, _ object: ResponseProgram.Object, _ record: RecordIndex, from first: Int
  ) {
    let isRoot = payload.isRoot(record)
    let isWhole = frame.isInOrder && frame.storedCount == object.storedCount
    if isWhole, !isRoot, pendingErrors.isEmpty {
      payload.append(record, shape: wholeShape(frame))
      for position in 0..<Int(object.storedCount) {
        payload.append(
          pending[first + Int(program.orders[object.firstOrder + position])].cell)
      }
    } else {
      var errors: [FieldKey: [StoredError]] = [:]
      while let last = pendingErrors.last, last.position >= first {
        errors[pending[last.position].key, default: last.errors] = last.errors
        pendingErrors.removeLast()
      }
      payload.append(
        record, typeName: isRoot ? "__Root" : types.name(frame.type), cells: pending[first...],
        errors: errors)
    }
    if object.hasHandles {
      for (_, handle) in program.plans[frame.object].handles
      where pending[first...].contains(where: { $0.key == handle.field }) {
        payload.append(handle, of: record)
      }
    }
    pending.removeSubrange(first...)
  }

  /// The shape of an object that has all fields of its selection.
  private mutating func wholeShape(_ frame: Frame) -> Int {
    let known = wholeShapes[frame.object]
    if known.type == frame.type, known.shape >= 0 { return known.shape }
    let shape = payload.shape(types.name(frame.type), program.keys(of: frame.object))
    wholeShapes[frame.object] = (frame.type, shape)
    return shape
  }

  /// Reads one member into the slots that its key has.
  ///
  /// - Parameter expected: The slot tried first; members mostly come in the order of the plan.
  /// - Returns: The slot expected for the next member.
  @inline(__always)
  private mutating func member(
    _ object: ResponseProgram.Object, expected: Int, errors: ErrorTree?
  ) throws -> Int {
    if expected < object.stepCount {
      let step = steps[object.firstStep + expected]
      if step.isUnique, try takeKey(step) {
        frames[depth - 1].slot = expected
        try read(step, slot: expected, errors: errors.flatMap { $0[name(expected)] })
        return expected + 1
      }
    }
    return try unexpectedMember(object, expected: expected, errors: errors)
  }

  @inline(__always)
  private mutating func takeKey(_ step: ResponseProgram.Step) throws -> Bool {
    let start = Int(step.keyStart)
    return try keyBytes.withUnsafeBufferPointer { bytes in
      try scanner.takeKey(
        UnsafeBufferPointer(rebasing: bytes[start..<start + Int(step.keyCount)]))
    }
  }

  /// Reads a member that is not the one expected.
  private mutating func unexpectedMember(
    _ object: ResponseProgram.Object, expected: Int, errors: ErrorTree?
  ) throws -> Int {
    let key = try scanner.key()
    var slots = plan.slotsByKey[ByteString(key)] ?? []
    if slots.count > 1 { slots = try slots.filter { try isMeant($0) } }
    let start = scanner.position
    for (occurrence, slot) in slots.enumerated() {
      if occurrence > 0 { scanner.rewind(to: start) }
      frames[depth - 1].slot = slot
      try read(program.steps[object.firstStep + slot], slot: slot, errors: errors?[.field(key)])
    }
    if slots.isEmpty { try scanner.skipValue() }
    return (slots.last ?? expected) + 1
  }

  /// Adds a null for each field that the innermost object should have and has not.
  private mutating func addNulls(from firstField: Int) throws {
    let bound = program.plans[frames[depth - 1].object]
    var present = Set(pending[firstField...].map(\.key))
    for (slot, content) in bound.plan.slots.enumerated() where bound.isIncluded[slot] {
      guard let field = content.field, !field.isTypename, !field.isID, !content.isDeferred,
        try isExpected(content, bound), present.insert(bound.keys[slot]).inserted
      else { continue }
      pending.append((bound.keys[slot], .null))
      frames[depth - 1].isInOrder = false
    }
  }

  /// The selection of the innermost object.
  private var plan: Plan { program.plans[frames[depth - 1].object].plan }

  /// The response key of a slot of the innermost object.
  private func name(_ slot: Int) -> ResponsePath.Component {
    .field(plan.slots[slot].field?.responseKey ?? "")
  }

  /// Whether a slot that shares its response key with others is the one for this object's type.
  private mutating func isMeant(_ slot: Int) throws -> Bool {
    var slot = slot
    while let enclosing = plan.slots[slot].enclosing {
      if case .condition(let condition) = plan.slots[enclosing].content, !condition.isAbstract {
        let type = try type(of: depth - 1)
        if types.name(type)?.hasSameBytes(as: condition.typeName) != true { return false }
      }
      slot = enclosing
    }
    return true
  }

  @inline(__always)
  private mutating func read(_ step: ResponseProgram.Step, slot: Int, errors: ErrorTree?) throws {
    // Most values are strings.
    let isText = step.isText && scanner.peekByte == UInt8(ascii: "\"")
    let cell = try isText ? text() : value(step, level: 0, errors: errors)
    let frame = depth - 1
    if step.role != .plain, note(cell, step, slot) { return }
    if step.ordinal != frames[frame].storedCount { frames[frame].isInOrder = false }
    frames[frame].storedCount += 1
    if let errors {
      let found = errors.ofNulls(in: payload.value(of: cell))
      if !found.isEmpty { pendingErrors.append((pending.count, found)) }
    }
    pending.append((step.key, cell))
  }

  /// Takes note of an id or a type's name.
  ///
  /// - Returns: Whether that is all there is to do.
  private mutating func note(_ cell: Cell, _ step: ResponseProgram.Step, _ slot: Int) -> Bool {
    let frame = depth - 1
    if step.role == .id {
      if frames[frame].record == .none, let id = usableID(cell) { frames[frame].record = id }
      return false
    }
    if cell.kind == .string {
      let expected = frames[frame].type
      if let place = responsePlace(of: cell) {
        frames[frame].type = types.number(scanner.bytes(at: place), expected: expected)
      } else if case .string(var name) = payload.value(of: cell) {
        frames[frame].type = name.withUTF8 {
          types.number(UnsafeRawBufferPointer($0), expected: expected)
        }
      }
      if step.role == .discriminator { discriminators.append((frame, slot)) }
    }
    return true
  }

  /// Where a text stands in the response; `nil` where it had to be resolved.
  func responsePlace(of cell: Cell) -> Range<Int>? {
    cell.textOffset < scanner.count
      ? cell.textOffset..<cell.textOffset + cell.textCount : nil
  }

  // MARK: Values

  private mutating func value(_ step: ResponseProgram.Step, level: Int, errors: ErrorTree?) throws
    -> Cell
  {
    let kind = try scanner.peekKind()
    if kind == .null {
      try scanner.null()
      return .null
    }
    if level < Int(step.listDepth) {
      guard kind == .array else { throw mismatch(kind, expected: "a list") }
      return try list(step, level: level, errors: errors)
    }
    switch (step.leaf, kind) {
    case (.object, .object):
      guard step.child >= 0 else { throw mismatch(kind) }
      return Cell(link: try object(Int(step.child), record: .none, errors: errors))
    case (.text, .string), (.id, .string): return try text()
    case (.boolean, .bool): return Cell(try scanner.bool())
    case (.id, .number), (.float, .number), (.int, .number): return try number(step)
    case (.custom, _): return payload.cell(FieldValue(try scanner.value()))
    default: throw mismatch(kind)
    }
  }

  @inline(__always)
  private mutating func text() throws -> Cell {
    switch try scanner.text() {
    case .place(let place): payload.cell(.string, place)
    case .resolved(let text): payload.cell(.string, payload.keep(text.utf8))
    }
  }

  private mutating func number(_ step: ResponseProgram.Step) throws -> Cell {
    let (place, int) = try scanner.numberPlace()
    if let int, let cell = Cell(int) { return cell }
    let number = JSONNumber(digits: payload.text(at: place))
    if step.leaf == .int, number.int == nil { throw mismatch(.number) }
    guard case .int(let int) = FieldValue(number: number) else {
      return payload.cell(.number, place)
    }
    return Cell(int) ?? payload.cell(other: .int(int))
  }

  private mutating func list(_ step: ResponseProgram.Step, level: Int, errors: ErrorTree?) throws
    -> Cell
  {
    try scanner.open(.array)
    let firstLink = links.count
    let isLinks = step.leaf == .object && level == Int(step.listDepth) - 1
    var values: [FieldValue] = []
    var position = 0
    let place = positions.count
    positions.append(0)
    while try scanner.next(in: .array, isFirst: position == 0) {
      positions[place] = position
      let cell = try value(
        step, level: level + 1, errors: errors.flatMap { $0[.index(position)] })
      if !isLinks {
        values.append(payload.value(of: cell))
      } else {
        links.append(cell.kind == .link ? cell.link : .none)
      }
      position += 1
    }
    positions.removeLast()
    if !isLinks { return payload.cell(other: .list(values)) }
    let all = Array(links[firstLink...])
    links.removeSubrange(firstLink...)
    return payload.cell(other: .links(all))
  }

  // MARK: Errors

  private func mismatch(_ found: JSONScanner.Kind, expected: String? = nil) -> RelayError {
    let path = currentPath
    let frame = frames[depth - 1]
    let plan = program.plans[frame.object]
    let type = plan.plan.slots[frame.slot].field?.type
    return RelayError(
      .response,
      """
      Response for "\(operationName)" has \(found.name) at "\(path)", expected \
      \(expected ?? type?.name(child: plan.children[frame.slot]?.plan) ?? "another value"). \
      The schema may be out of date; update it and run relay-compiler.
      """, operationName: operationName, path: path)
  }

  /// Where the value being read stands in the response.
  private var currentPath: ResponsePath {
    var components: [ResponsePath.Component] = []
    for (level, frame) in frames[..<depth].enumerated() {
      let plan = program.plans[frame.object].plan
      guard let field = plan.slots[frame.slot].field else { continue }
      let last = level + 1 < depth ? frames[level + 1].firstPosition : positions.count
      components.append(.field(field.responseKey))
      components += positions[frame.firstPosition..<last].map { .index($0) }
    }
    return ResponsePath(components)
  }
}

extension JSONScanner.Kind {
  fileprivate var name: String {
    switch self {
    case .object: "an object"
    case .array: "a list"
    case .string: "a string"
    case .number: "a number"
    case .bool: "a Boolean"
    case .null: "null"
    }
  }
}
