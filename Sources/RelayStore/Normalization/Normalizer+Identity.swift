extension Normalizer {
  /// Returns the record of an object being read, identifying the object if necessary.
  mutating func recordIndex(of frame: Int) throws -> RecordIndex {
    let identified = frames[frame].record
    if identified != .none { return identified }
    let index = try findRecord(of: frame)
    frames[frame].record = index
    return index
  }

  private mutating func findRecord(of frame: Int) throws -> RecordIndex {
    let object = program.objects[frames[frame].object]
    if object.hasKeys, let id = try keyedID(of: frame) { return payload.appendOccurrence(of: id) }
    if object.idStep >= 0 {
      if let own = try lookAhead(for: object.idStep, in: frame) {
        let field = program.plans[frames[frame].object].plan.slots[
          Int(object.idStep) - object.firstStep
        ].field
        if let id = usableID(own, as: field?.scalar) { return id }
      }
    } else if object.hasID {
      var scalar: (any JSONConvertible.Type)?
      let type = try type(of: frame)
      let own = try lookAhead(in: frame, of: type) { field in
        if field.isID { scalar = field.scalar }
        return field.isID
      }
      if let own, let id = usableID(payload.cell(own), as: scalar) { return id }
    }
    // As in Relay, the type `Viewer` has one object, wherever it is selected.
    if types.name(at: try type(of: frame)) == "Viewer" {
      return payload.appendOccurrence(of: DataID.root.child(storageKey: "viewer"))
    }
    let parent = try recordIndex(of: frame - 1)
    let outer = frames[frame - 1]
    let step = program.objects[outer.object].firstStep + outer.slot
    let last = frames[frame].firstListIndex
    return payload.appendChild(
      of: parent, storageKey: program.storageKeys[step],
      positions: listIndexes[outer.firstListIndex..<last])
  }

  /// Returns the id of an object that is identified by fields other than `id`, from its type and
  /// the fields' values.
  private mutating func keyedID(of frame: Int) throws -> DataID? {
    let plan = program.plans[frames[frame].object].plan
    guard let typeName = types.name(at: try type(of: frame)) else { return nil }
    func isOfType(_ slot: Int) -> Bool {
      guard let enclosing = plan.slots[slot].enclosing,
        case .condition(let condition) = plan.slots[enclosing].content
      else { return false }
      return condition.typeName.hasSameBytes(as: typeName)
    }
    var slots = plan.keySlots.filter(isOfType)
    if slots.isEmpty { slots = plan.keySlots.filter { plan.slots[$0].enclosing == nil } }
    var parts: [String] = []
    for field in slots.compactMap({ plan.slots[$0].field }) {
      let value = try lookAhead(in: frame, where: { $0 === field })
      guard let part = value?.usableID(as: field.scalar) else { return nil }
      parts.append(part.rawValue)
    }
    return parts.isEmpty ? nil : DataID(typeName: typeName, keys: parts)
  }

  /// Returns the record for a value of the field `id`; `nil` if the value is not a usable id.
  ///
  /// A value of a custom scalar with a Swift type is identified by its canonical string.
  mutating func usableID(_ cell: FieldCell, as scalar: (any JSONConvertible.Type)?) -> RecordIndex?
  {
    guard let scalar else { return usableID(cell) }
    return payload.value(of: cell).usableID(as: scalar).map { payload.appendOccurrence(of: $0) }
  }

  /// Returns the record for a value of the field `id`; `nil` for an empty string, 0, and any value
  /// that is neither a string nor a number.
  private mutating func usableID(_ cell: FieldCell) -> RecordIndex? {
    switch cell.kind {
    case .string where cell.stringCount == 0: return nil
    case .string:
      if let range = responseRange(of: cell) {
        return payload.appendOccurrence(
          idIn: range, hash: RecordTable.hash(scanner.bytes(in: range)))
      }
      return payload.appendOccurrence(
        idIn: cell.stringOffset..<cell.stringOffset + cell.stringCount)
    default: return payload.value(of: cell).usableID.map { payload.appendOccurrence(of: $0) }
    }
  }

  /// Returns the index of an object's type; -1 if the response does not name it.
  mutating func type(of frame: Int) throws -> Int32 {
    if frames[frame].type >= 0 || frames[frame].hasSearchedType { return frames[frame].type }
    frames[frame].hasSearchedType = true
    let object = program.objects[frames[frame].object]
    if object.typenameStep >= 0 {
      if let cell = try lookAhead(for: object.typenameStep, in: frame), cell.kind == .string {
        setType(from: cell, of: frame)
      }
    } else if object.hasTypename,
      case .string(var name)? = try lookAhead(in: frame, where: \.isTypename)
    {
      frames[frame].type = name.withUTF8 {
        types.index(of: UnsafeRawBufferPointer($0), expected: -1)
      }
    }
    return frames[frame].type
  }

  /// Returns the value of a step of an object being read, even if it follows the current member.
  ///
  /// Only the bytes of the value are checked; the others are checked when they are read.
  ///
  /// - Parameter step: A step whose response key is not shared by a step of another role.
  private mutating func lookAhead(for step: Int32, in frame: Int) throws -> FieldCell? {
    let key = UnsafeRawBufferPointer(program.keyText(of: program.steps + Int(step)))
    var lookahead = scanner
    lookahead.rewind(to: frames[frame].start)
    while let found = lookahead.peekPlainKey() {
      if scanner.bytes(in: found).hasSameBytes(as: key) {
        let position = scanner.position
        scanner.rewind(to: found.upperBound + 1)
        defer { scanner.rewind(to: position) }
        if try scanner.peekKind() == .string { return try text() }
        return payload.cell(FieldValue(try scanner.value()))
      }
      guard let end = lookahead.endOfMember(from: found.upperBound + 1) else { break }
      if scanner.byte(at: end) == UInt8(ascii: "}") { return nil }
      lookahead.rewind(to: end + 1)
    }
    // A key is not in its plain form, or the bytes are not JSON.
    let isTypename = program.steps[Int(step)].role == .typename
    let value = try lookAhead(in: frame) { isTypename ? $0.isTypename : $0.isID }
    return value.map { payload.cell($0) }
  }

  /// Returns the value of a scalar field of an object being read, even if it follows the current
  /// member.
  ///
  /// Scans the object from its start. That is rare, because the compiler puts `__typename` and `id`
  /// first.
  ///
  /// - Parameter type: The object's type, so that fields inside conditions on other types are
  ///   ignored; -1 if unknown.
  func lookAhead(
    in frame: Int, of type: Int32 = -1, where isWanted: (PlanField) -> Bool
  ) throws -> FieldValue? {
    let plan = program.plans[frames[frame].object].plan
    let firstStep = program.objects[frames[frame].object].firstStep
    var lookahead = scanner
    lookahead.rewind(to: frames[frame].start)
    var isFirst = true
    while try lookahead.next(in: .object, isFirst: isFirst) {
      isFirst = false
      let slots = plan.slotsByKey[ByteString(try lookahead.key())] ?? []
      let isFound = slots.contains { slot in
        mayApply(program.steps[firstStep + slot], to: type)
          && plan.slots[slot].field.map(isWanted) ?? false
      }
      if isFound { return FieldValue(try lookahead.value()) }
      try lookahead.skipValue()
    }
    return nil
  }

  /// Whether no enclosing condition on a concrete type excludes a field from objects of a type.
  private func mayApply(_ step: ResponseProgram.Step, to type: Int32) -> Bool {
    var index = step.condition
    while index >= 0 {
      let condition = program.conditions[Int(index)]
      if type >= 0, condition.type >= 0, condition.type != type { return false }
      index = condition.outer
    }
    return index != ResponseProgram.Step.excluded
  }

  // MARK: Abstract types

  /// Appends the type schema record of an object's type: for each abstract type with a
  /// discriminator in the plan, whether the type satisfies it.
  ///
  /// - Parameter frame: The object that has just ended.
  mutating func appendTypeSchema(for frame: Frame) {
    var found: [Int] = []
    while let last = discriminators.last, last.frame == depth {
      found.append(last.slot)
      discriminators.removeLast()
    }
    guard let typeName = types.name(at: frame.type) else { return }
    let plan = program.plans[frame.object]
    var fields: [RecordPayload.Field] = []
    for slot in plan.plan.slots.indices where plan.plan.slots[slot].field?.isDiscriminator == true {
      let isFound = found.contains(slot)
      guard
        isFound
          || (!isClientMade && !mayOmitDiscriminators
            && isRequested(slot, plan: plan, typeName: typeName, found: found))
      else { continue }
      fields.append(RecordPayload.Field(key: plan.keys[slot], value: .bool(isFound)))
    }
    if fields.isEmpty { return }
    let record = payload.appendOccurrence(of: .typeSchema(typeName))
    payload.append(record, typeName: "__TypeSchema", fields: fields)
  }

  /// Whether an earlier payload may have had the discriminators of the object that has just ended.
  ///
  /// An object that a part brings is complete in the part. But the object that the part belongs to
  /// is older, and so are the objects below it along fields that arrive without the part.
  private var mayOmitDiscriminators: Bool {
    guard let partLabel else { return false }
    return (0..<depth).allSatisfy {
      !program.plans[frames[$0].object].deferrals.isDeferred(frames[$0].slot, by: partLabel)
    }
  }

  /// Whether the request selects a discriminator on the object: its type condition is included, and
  /// every enclosing one is included and satisfied.
  private func isRequested(_ slot: Int, plan: BoundPlan, typeName: String, found: [Int])
    -> Bool
  {
    let slots = plan.plan.slots
    guard plan.isIncluded[slot], !plan.deferrals.isDeferred(slot), let own = slots[slot].enclosing
    else {
      return false
    }
    // Everything below the condition may be deferred.
    if !plan.deferrals.isEmpty,
      !slots.indices.contains(where: { $0 != slot && slots[$0].enclosing == own })
    {
      return false
    }
    var condition = own
    while plan.isIncluded[condition] {
      guard let outer = slots[condition].enclosing else { return true }
      guard case .condition(let type) = slots[outer].content else { return false }
      // Whether the response proves that the outer condition is satisfied.
      let holds =
        type.isAbstract
        ? found.contains { slots[$0].enclosing == outer }
        : type.typeName.hasSameBytes(as: typeName)
      if !holds { return false }
      condition = outer
    }
    return false
  }
}
