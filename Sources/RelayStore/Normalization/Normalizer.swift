/// Takes the objects of a response apart into records, in one pass over the bytes, guided by the
/// operation's plan.
///
/// Its recursion is as deep as the plan, whatever the response contains.
struct Normalizer {
  private(set) var scanner: JSONScanner
  private(set) var payload = RecordPayload()
  private let operationName: String
  /// Whether the data was built by hand, which may leave out what a server tells of types.
  private let isByHand: Bool
  /// The objects being read, outermost first.
  private var frames: [Frame] = []
  /// The fields of those objects read so far.
  private var pending: [RecordPayload.Field] = []

  /// An object being read.
  private struct Frame {
    let plan: BoundPlan
    /// The first byte of its first member.
    let start: Int
    var record: RecordIndex?
    var typeName: String?
    /// Whether the type's name was looked for in all of the object.
    var isTypeSought = false
    /// The field being read, and the positions in its lists.
    var slot = 0
    var positions: [Int] = []
    /// The discriminators of abstract types that it has.
    var discriminators: Set<Int> = []
  }

  init(_ scanner: JSONScanner, operationName: String, isByHand: Bool) {
    self.scanner = scanner
    self.operationName = operationName
    self.isByHand = isByHand
  }

  /// Reads the operation's data.
  mutating func root(_ plan: BoundPlan, id: DataID, errors: ErrorTree?) throws {
    _ = try object(plan, record: payload.index(of: id), errors: errors)
  }

  // MARK: Objects

  private mutating func object(
    _ plan: BoundPlan, record: RecordIndex?, errors: ErrorTree?
  ) throws -> RecordIndex {
    try scanner.open(.object)
    frames.append(Frame(plan: plan, start: scanner.position, record: record))
    if !plan.plan.isAbstract { frames[frames.count - 1].typeName = plan.plan.typeName }
    let firstField = pending.count
    var (isFirst, expected) = (true, 0)
    while try scanner.next(in: .object, isFirst: isFirst) {
      isFirst = false
      expected = try member(plan, expected: expected, errors: errors)
    }
    let index = try recordIndex(of: frames.count - 1)
    let frame = frames.removeLast()
    let typeName = payload.ids[index.position] == .root ? "__Root" : frame.typeName
    payload.append(index, typeName: typeName, fields: pending[firstField...])
    for (_, handle) in plan.handles
    where pending[firstField...].contains(where: { $0.key == handle.field }) {
      payload.append(handle, of: index)
    }
    pending.removeSubrange(firstField...)
    rememberAbstractTypes(frame)
    return index
  }

  /// Reads one member into the slots that its key has.
  ///
  /// - Parameter expected: The slot tried first; members mostly come in the order of the plan.
  /// - Returns: The slot expected for the next member.
  private mutating func member(_ plan: BoundPlan, expected: Int, errors: ErrorTree?) throws -> Int {
    if expected < plan.plan.uniqueKeys.count, let key = plan.plan.uniqueKeys[expected],
      let field = plan.plan.slots[expected].field, try scanner.takeKey(key)
    {
      frames[frames.count - 1].slot = expected
      let below = errors.flatMap { $0[.field(field.responseKey)] }
      try read(field, slot: expected, plan: plan, errors: below)
      return expected + 1
    }
    let key = try scanner.key()
    var slots = plan.plan.slotsByKey[ByteString(key)] ?? []
    if slots.count > 1 { slots = try slots.filter { try isMeant($0, plan) } }
    let start = scanner.position
    for (occurrence, slot) in slots.enumerated() {
      guard let field = plan.plan.slots[slot].field else { continue }
      if occurrence > 0 { scanner.rewind(to: start) }
      frames[frames.count - 1].slot = slot
      try read(field, slot: slot, plan: plan, errors: errors?[.field(key)])
    }
    if slots.isEmpty { try scanner.skipValue() }
    return (slots.last ?? expected) + 1
  }

  /// Whether a slot that shares its response key with others is the one for this object's type.
  private mutating func isMeant(_ slot: Int, _ plan: BoundPlan) throws -> Bool {
    var slot = slot
    while let enclosing = plan.plan.slots[slot].enclosing {
      if case .condition(let condition) = plan.plan.slots[enclosing].content,
        !condition.isAbstract, try typeName() != condition.typeName
      {
        return false
      }
      slot = enclosing
    }
    return true
  }

  private mutating func read(
    _ field: PlanField, slot: Int, plan: BoundPlan, errors: ErrorTree?
  ) throws {
    let value = try value(field, level: 0, errors: errors)
    let frame = frames.count - 1
    if field.isTypename {
      if case .string(let name) = value {
        frames[frame].typeName = name
        if field.isDiscriminator { frames[frame].discriminators.insert(slot) }
      }
      return
    }
    if field.isID, frames[frame].record == nil, let id = value.usableID {
      frames[frame].record = payload.index(of: id)
    }
    pending.append(
      RecordPayload.Field(
        key: plan.keys[slot], value: value, errors: errors?.ofNulls(in: value) ?? []))
  }

  /// Writes, for each abstract type that the plan asks about, whether the object's type is one.
  private mutating func rememberAbstractTypes(_ frame: Frame) {
    let plan = frame.plan.plan
    guard plan.hasDiscriminators, let typeName = frame.typeName else { return }
    var fields: [RecordPayload.Field] = []
    for slot in plan.slots.indices where plan.slots[slot].field?.isDiscriminator == true {
      let isOne = frame.discriminators.contains(slot)
      guard isOne || (!isByHand && isAsked(slot, frame)) else { continue }
      fields.append(RecordPayload.Field(key: frame.plan.keys[slot], value: .bool(isOne)))
    }
    if fields.isEmpty { return }
    let record = payload.index(of: .typeSchema(typeName))
    payload.append(record, typeName: "__TypeSchema", fields: fields)
  }

  /// Whether the server was asked for a discriminator: its own type condition is included, and
  /// every one around that holds.
  private func isAsked(_ slot: Int, _ frame: Frame) -> Bool {
    let slots = frame.plan.plan.slots
    guard frame.plan.isIncluded[slot], let own = slots[slot].enclosing else { return false }
    var condition = own
    while frame.plan.isIncluded[condition] {
      guard let outer = slots[condition].enclosing else { return true }
      if !holds(outer, frame) { return false }
      condition = outer
    }
    return false
  }

  /// Whether the response shows that a type condition holds.
  private func holds(_ condition: Int, _ frame: Frame) -> Bool {
    guard case .condition(let type) = frame.plan.plan.slots[condition].content else { return false }
    if !type.isAbstract { return type.typeName == frame.typeName }
    return frame.discriminators.contains { frame.plan.plan.slots[$0].enclosing == condition }
  }

  // MARK: Identity

  /// The record of an object being read.
  private mutating func recordIndex(of frame: Int) throws -> RecordIndex {
    if let known = frames[frame].record { return known }
    let id: DataID
    if let own = try lookAhead(in: frame, where: \.isID)?.usableID {
      id = own
    } else if try typeName(of: frame) == "Viewer" {
      id = DataID.root.child(storageKey: "viewer")
    } else {
      let parent = try recordIndex(of: frame - 1)
      id = payload.ids[parent.position].child(
        storageKey: frames[frame - 1].plan.storageKeys[frames[frame - 1].slot],
        positions: frames[frame - 1].positions)
    }
    let index = payload.index(of: id)
    frames[frame].record = index
    return index
  }

  private mutating func typeName() throws -> String? { try typeName(of: frames.count - 1) }

  private mutating func typeName(of frame: Int) throws -> String? {
    if frames[frame].isTypeSought { return frames[frame].typeName }
    if let known = frames[frame].typeName { return known }
    frames[frame].isTypeSought = true
    guard case .string(let name)? = try lookAhead(in: frame, where: \.isTypename) else {
      return nil
    }
    frames[frame].typeName = name
    return name
  }

  /// The value of a scalar field of an object being read that may come after what is read now.
  ///
  /// The compiler puts `__typename` and `id` first, so this is rare.
  private func lookAhead(in frame: Int, where isWanted: (PlanField) -> Bool) throws -> FieldValue? {
    let plan = frames[frame].plan.plan
    guard plan.slots.contains(where: { $0.field.map(isWanted) ?? false }) else { return nil }
    var ahead = scanner
    ahead.rewind(to: frames[frame].start)
    var isFirst = true
    while try ahead.next(in: .object, isFirst: isFirst) {
      isFirst = false
      let slots = plan.slotsByKey[ByteString(try ahead.key())] ?? []
      if slots.contains(where: { plan.slots[$0].field.map(isWanted) ?? false }) {
        return FieldValue(try ahead.value())
      }
      try ahead.skipValue()
    }
    return nil
  }

  // MARK: Values

  private mutating func value(_ field: PlanField, level: Int, errors: ErrorTree?) throws
    -> FieldValue
  {
    let kind = try scanner.peekKind()
    if kind == .null {
      try scanner.null()
      return .null
    }
    if level < field.type.listDepth {
      guard kind == .array else { throw mismatch(field, kind, expected: "a list") }
      return try list(field, level: level, errors: errors)
    }
    switch (field.type.leaf, kind) {
    case (.object, .object):
      guard let child = frames[frames.count - 1].plan.children[frames[frames.count - 1].slot] else {
        throw mismatch(field, kind)
      }
      return .link(try object(child, record: nil, errors: errors))
    case (.string, .string), (.id, .string), (.enumeration, .string):
      return .string(try scanner.string())
    case (.boolean, .bool): return .bool(try scanner.bool())
    case (.id, .number), (.float, .number): return FieldValue(number: try scanner.number())
    case (.int, .number):
      let number = try scanner.number()
      guard number.int != nil else { throw mismatch(field, kind) }
      return FieldValue(number: number)
    case (.custom, _): return FieldValue(try scanner.value())
    default: throw mismatch(field, kind)
    }
  }

  private mutating func list(_ field: PlanField, level: Int, errors: ErrorTree?) throws
    -> FieldValue
  {
    try scanner.open(.array)
    let frame = frames.count - 1
    let isLinks = field.type.leaf == .object && level == field.type.listDepth - 1
    var (links, values): ([RecordIndex], [FieldValue]) = ([], [])
    var position = 0
    frames[frame].positions.append(0)
    while try scanner.next(in: .array, isFirst: position == 0) {
      frames[frame].positions[level] = position
      let value = try value(field, level: level + 1, errors: errors?[.index(position)])
      if !isLinks {
        values.append(value)
      } else if case .link(let index) = value {
        links.append(index)
      } else {
        links.append(.none)
      }
      position += 1
    }
    frames[frame].positions.removeLast()
    return isLinks ? .links(links) : .list(values)
  }

  // MARK: Errors

  private func mismatch(
    _ field: PlanField, _ found: JSONScanner.Kind, expected: String? = nil
  ) -> RelayError {
    let path = currentPath
    let child = frames[frames.count - 1].plan.children[frames[frames.count - 1].slot]
    return RelayError(
      .response,
      """
      Response for "\(operationName)" has \(found.name) at "\(path)", expected \
      \(expected ?? field.type.name(child: child?.plan)). \
      The schema may be out of date; update it and run relay-compiler.
      """, operationName: operationName, path: path)
  }

  /// Where the value being read stands in the response.
  private var currentPath: ResponsePath {
    ResponsePath(
      frames.flatMap { frame -> [ResponsePath.Component] in
        guard let field = frame.plan.plan.slots[frame.slot].field else { return [] }
        return [.field(field.responseKey)] + frame.positions.map { .index($0) }
      })
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

extension FieldValue {
  /// The id that this value of the field `id` gives; `nil` for an empty string, 0 and anything
  /// that is neither string nor number.
  package var usableID: DataID? {
    switch self {
    case .string(let text): text.isEmpty ? nil : DataID(text)
    case .int(let int): int == 0 ? nil : DataID(String(int))
    case .number(let number): number.double == 0 ? nil : DataID(number.digits)
    default: nil
    }
  }
}
