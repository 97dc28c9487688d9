// The slow path reads one field at a time. It handles objects with field errors, and objects with
// several fields that share a key.

extension Normalizer {
  /// Reads the members of the innermost object and ends it.
  mutating func slowPathObject(errors: ErrorTree?) throws -> RecordIndex {
    let firstField = pending.count
    var (isFirst, expected) = (true, 0)
    while try scanner.next(in: .object, isFirst: isFirst) {
      isFirst = false
      expected = try slowPathMember(expected: expected, errors: errors)
    }
    return try endSlowPathObject(from: firstField)
  }

  /// Ends the innermost object, and appends it to the payload with the pending fields from
  /// `firstField` on.
  mutating func endSlowPathObject(from firstField: Int) throws -> RecordIndex {
    if treatsMissingFieldsAsNull { try addNulls(from: firstField) }
    let index = try recordIndex(of: depth - 1)
    depth -= 1
    var errors: [Int: [StoredError]] = [:]
    while let last = pendingErrors.last, last.position >= firstField {
      errors[last.position] = last.errors
      pendingErrors.removeLast()
    }
    let typeName = payload.isRoot(index) ? "__Root" : types.name(at: frames[depth].type)
    payload.append(index, typeName: typeName, cells: pending[firstField...], errors: errors)
    if program.objects[frames[depth].object].hasHandles {
      let keys = pending[firstField...].map(\.key)
      appendHandles(of: index) { keys.contains($0) }
    }
    pending.removeSubrange(firstField...)
    return index
  }

  /// Reads one member into all slots with its key.
  ///
  /// - Parameter expected: The slot to try first: members usually come in the order of the plan.
  /// - Returns: The slot expected for the next member.
  private mutating func slowPathMember(expected: Int, errors: ErrorTree?) throws -> Int {
    let object = program.objects[frames[depth - 1].object]
    if expected < object.stepCount {
      let step = program.steps + object.firstStep + expected
      if step.pointee.keyCount > 0, step.pointee.onlyType == ResponseProgram.Step.none,
        try scanner.consumeKey(program.keyText(of: step))
      {
        if try mayApply(step.pointee) {
          try read(expected, of: object, errors: errors)
        } else {
          try scanner.skipValue()
        }
        return expected + 1
      }
    }
    let slots = try slotsOfMember()
    if slots.isEmpty { try scanner.skipValue() }
    let start = scanner.position
    for (occurrence, slot) in slots.enumerated() {
      if occurrence > 0 { scanner.rewind(to: start) }
      try read(slot, of: object, errors: errors)
    }
    return (slots.last ?? expected - 1) + 1
  }

  /// Reads a member's key, and returns the slots to write its value to.
  mutating func slotsOfMember() throws -> [Int] {
    let key = try scanner.key()
    let slots = plan.slotsByKey[ByteString(key)] ?? []
    if slots.isEmpty { return [] }
    let firstStep = program.objects[frames[depth - 1].object].firstStep
    return try slots.filter { slot in
      let step = program.steps[firstStep + slot]
      guard try mayApply(step) else { return false }
      return try slots.count == 1 || hasResolvedType(step)
    }
  }

  private mutating func read(
    _ slot: Int, of object: ResponseProgram.Object, errors: ErrorTree?
  ) throws {
    let step = program.steps[object.firstStep + slot]
    let errors = errors?[.field(plan.slots[slot].field?.responseKey ?? "")]
    frames[depth - 1].slot = slot
    let cell = try value(of: step, level: 0, errors: errors)
    if step.role != .plain, applyRole(of: step, cell: cell, slot: slot) { return }
    if let errors {
      let found = errors.errorsOfNulls(in: payload.value(of: cell))
      if !found.isEmpty { pendingErrors.append((pending.count, found)) }
    }
    pending.append((step.key, cell))
  }

  /// Appends a null for each expected field that the innermost object does not have.
  private mutating func addNulls(from firstField: Int) throws {
    let bound = program.plans[frames[depth - 1].object]
    let firstStep = program.objects[frames[depth - 1].object].firstStep
    var present = Set(pending[firstField...].map(\.key))
    for (slot, content) in bound.plan.slots.enumerated() {
      guard let field = content.field, !field.isTypename, !field.isID,
        !bound.deferrals.isDeferred(slot),
        try isExpected(program.steps[firstStep + slot]),
        present.insert(bound.keys[slot]).inserted
      else { continue }
      pending.append((bound.keys[slot], .null))
    }
  }

  /// The selection set of the innermost object.
  private var plan: SelectionPlan { program.plans[frames[depth - 1].object].plan }

  /// Sets the identity or the type of the innermost object, if the field is its id, `__typename` or
  /// a discriminator.
  ///
  /// - Returns: Whether the value is not stored as a field.
  mutating func applyRole(of step: ResponseProgram.Step, cell: FieldCell, slot: Int) -> Bool {
    let frame = depth - 1
    if step.role == .id {
      if frames[frame].record == .none {
        // Only custom scalars have their own Swift type.
        let scalar = step.valueKind == .custom ? plan.slots[slot].field?.scalar : nil
        if let id = usableID(cell, as: scalar) { frames[frame].record = id }
      }
      return false
    }
    guard cell.kind == .string else { return true }
    let isDiscriminator = step.role == .discriminator
    if isDiscriminator { discriminators.append((frame, slot, step.condition)) }
    // If a discriminator and `__typename` disagree, `__typename` is right.
    if !isDiscriminator || frames[frame].type < 0 { setType(from: cell, of: frame) }
    return true
  }

  /// Sets the type of an object to the name in a cell.
  mutating func setType(from cell: FieldCell, of frame: Int) {
    let expected = frames[frame].type
    if let range = responseRange(of: cell) {
      frames[frame].type = types.index(of: scanner.bytes(in: range), expected: expected)
    } else if case .string(var name) = payload.value(of: cell) {
      frames[frame].type = name.withUTF8 {
        types.index(of: UnsafeRawBufferPointer($0), expected: expected)
      }
    }
  }

  /// Returns the byte range of a string in the response; `nil` if the string had escapes and is
  /// stored elsewhere.
  func responseRange(of cell: FieldCell) -> Range<Int>? {
    cell.stringOffset < scanner.count
      ? cell.stringOffset..<cell.stringOffset + cell.stringCount : nil
  }
}
